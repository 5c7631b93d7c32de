import PhoneNumbers
import Testing

@Suite struct PhoneNumberParserTests {
  let parser = PhoneNumberParser()

  struct Case: CustomTestStringConvertible {
    let text: String
    let region: String?
    let e164: String

    init(_ text: String, _ region: String?, _ e164: String) {
      self.text = text
      self.region = region
      self.e164 = e164
    }

    var testDescription: String { "\(text.debugDescription) in \(region ?? "no region")" }
  }

  @Test(
    "Numbers of many countries, as people write them",
    arguments: [
      Case("+358401234567", nil, "+358401234567"),
      Case("040 123 4567", "FI", "+358401234567"),
      Case("040 123 4567", "fi", "+358401234567"),
      Case("+358 (0)40 123 4567", nil, "+358401234567"),
      Case("(+358) 40-1234567", nil, "+358401234567"),
      Case("00358 40 1234567", "FI", "+358401234567"),
      Case("0044 20 7946 0000", "FI", "+442079460000"),
      Case("+44 (0)20 7946 0000", nil, "+442079460000"),
      Case("07911 123456", "GB", "+447911123456"),
      Case("(202) 555-0123", "US", "+12025550123"),
      Case("1-202-555-0123", "US", "+12025550123"),
      Case("011 44 20 7946 0000", "US", "+442079460000"),
      Case("0044 20 7946 0000", "US", "+442079460000"),
      Case("138 0013 8000", "CN", "+8613800138000"),
      Case("+86 138 0013 8000", nil, "+8613800138000"),
      Case("0491 570 156", "AU", "+61491570156"),
      Case("0011 44 20 7946 0000", "AU", "+442079460000"),
      Case("0044 20 7946 0000", "AU", "+442079460000"),
      Case("030/123456", "DE", "+4930123456"),
      Case("+49 (0)1512 3456789", nil, "+4915123456789"),
      Case("01.42.68.53.00", "FR", "+33142685300"),
      Case("+33 6 12 34 56 78", nil, "+33612345678"),
      Case("06 698 83462", "IT", "+390669883462"),
      Case("+39 06 698 83462", nil, "+390669883462"),
      Case("+39 312 345 6789", nil, "+393123456789"),
      Case("011 15 2345-6789", "AR", "+5491123456789"),
      Case("+54 11 15 2345 6789", nil, "+5491123456789"),
      Case("+54 9 11 2345 6789", nil, "+5491123456789"),
      Case("+52 1 55 1234 5678", nil, "+525512345678"),
      Case("+52 55 1234 5678", nil, "+525512345678"),
      Case("044 55 1234 5678", "MX", "+525512345678"),
      Case("8 912 345-67-89", "RU", "+79123456789"),
      Case("+800 1234 5678", nil, "+80012345678"),
    ])
  func readsWhatPeopleWrite(example: Case) throws {
    #expect(try parser.parse(example.text, region: example.region).e164 == example.e164)
  }

  @Test(
    "Signs that phones and word processors put in",
    arguments: [
      "\u{202A}+358 40 1234567\u{202C}", "+358\u{A0}40\u{202F}123\u{2009}4567", "+358\u{2011}40\u{2013}1234567",
      "\u{FF0B}\u{FF13}\u{FF15}\u{FF18}401234567", "+358 40 \u{661}\u{662}\u{663}\u{664}\u{665}\u{666}\u{667}",
      "\u{FEFF}+358401234567", "+358 [40] 1234567", " +358 40 1234567 ",
    ])
  func readsPastedSigns(text: String) throws {
    #expect(try parser.parse(text, region: nil).e164 == "+358401234567")
  }

  @Test(
    "Numbers kept free for examples and drama work",
    arguments: [
      "+447700900123", "+441632960001", "+442079460000", "+12025550123", "+61491570156", "+33639980001",
      "+15005550006", "+46701740605", "+358457000001",
    ])
  func acceptsDramaNumbers(text: String) throws {
    #expect(try parser.parse(text, region: nil).e164 == text)
  }

  @Test(
    "What is no number is refused with its reason",
    arguments: [
      ("", "FI", PhoneNumberError.empty), ("  \u{A0} ", "FI", .empty), ("+", nil, .tooShort), ("0", "FI", .tooShort),
      ("00", nil, .tooShort), ("+3581", nil, .tooShort),
      ("040 123 4567", nil, .unknownCountry), ("040 123 4567", "XX", .unknownCountry),
      ("040 123 4567", "Finland", .unknownCountry), ("+999 12345678", nil, .unknownCountry),
      ("+210 12345678", nil, .unknownCountry), ("112", "FI", .tooShort), ("555-0123", "US", .notPossible),
      ("+1 202 555 012", nil, .tooShort),
      ("+1 202 555 01234", nil, .tooLong), ("+1 123 555 0123", nil, .notValid), ("+44 7000", nil, .notPossible),
      ("+3584012345678901234", nil, .tooLong), ("+358 40 123 4567 ext. 5", nil, .invalidCharacters),
      ("+358401234567x5", nil, .invalidCharacters), ("+358401234567;ext=5", nil, .invalidCharacters),
      ("1-800-FLOWERS", "US", .invalidCharacters), ("+358401234567\n", nil, .invalidCharacters),
      ("+358\u{0}401234567", nil, .invalidCharacters), ("358+401234567", nil, .invalidCharacters),
      ("++358401234567", nil, .invalidCharacters), ("*100#", "FI", .invalidCharacters),
      ("tel:+358401234567", nil, .invalidCharacters), ("+358 40 123 4567, +358 40 123 4568", nil, .invalidCharacters),
      (String(repeating: "1", count: 41), nil, .tooLong), (String(repeating: " ", count: 1_000_000), nil, .tooLong),
      ("+358 40 1234567 😀", nil, .invalidCharacters),
    ] as [(String, String?, PhoneNumberError)])
  func refuses(text: String, region: String?, reason: PhoneNumberError) {
    #expect(throws: reason) { try parser.parse(text, region: region) }
  }

  @Test func aLenientParserTakesPossibleNumbers() throws {
    let lenient = PhoneNumberParser(strict: false)
    #expect(try lenient.parse("+1 123 555 0123", region: nil).e164 == "+11235550123")
    #expect(throws: PhoneNumberError.tooLong) { try lenient.parse("+1 202 555 01234", region: nil) }
  }

  @Test func aNumberReadTwiceIsTheSameNumber() throws {
    let first = try parser.parse("+44 7911 123456", region: nil)
    #expect(try parser.parse(first.e164, region: nil) == first)
    #expect(try parser.parse(first.e164, region: "US") == first)
    // Well-formed, but with a trunk zero that does not belong: never taken as it stands.
    for _ in 1...2 {
      #expect(try parser.parse("+4407911123456", region: nil) == first)
    }
  }

  @Test func anEndlessRowOfNumbersDoesNotMixThemUp() throws {
    for number in 0..<20_000 {
      let text = "+35840\(1_000_000 + number)"
      #expect(try parser.parse(text, region: nil).e164 == text)
      #expect(throws: PhoneNumberError.notValid) { try parser.parse("+1123\(2_000_000 + number)", region: nil) }
    }
  }

  @Test func manyThreadsMayParseAtOnce() async throws {
    let parser = parser
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        group.addTask {
          for number in 0..<200 {
            let text = "040 \(1_000_000 + task * 1000 + number)"
            let parsed = try parser.parse(text, region: "FI")
            #expect(parsed.e164 == "+358" + text.dropFirst().filter(\.isNumber))
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test(
    "What a number is for",
    arguments: [
      ("+358401234567", "FI", PhoneNumberParser.Kind.mobile, "+358 40 1234567", "040 1234567"),
      ("+442079460000", "GB", .fixedLine, "+44 20 7946 0000", "020 7946 0000"),
      ("+12025550123", "US", .fixedLineOrMobile, "+1 202-555-0123", "(202) 555-0123"),
      ("+80012345678", nil, .tollFree, "+800 1234 5678", "1234 5678"),
      ("+447700900123", "GB", .unknown, "+44 7700 900123", "07700 900123"),
      ("+99912345678", nil, .unknown, "+99912345678", "+99912345678"),
    ] as [(String, String?, PhoneNumberParser.Kind, String, String)])
  func knowsDetails(
    e164: String, region: String?, kind: PhoneNumberParser.Kind, international: String, national: String
  ) throws {
    let details = parser.details(of: try #require(PhoneNumber(e164: e164)))
    #expect(details == (region, kind, international, national))
  }
}
