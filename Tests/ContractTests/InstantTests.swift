import Contract
import Foundation
import Testing

struct InstantTests {
  @Test(
    "Moments are written as RFC 3339 in UTC with milliseconds",
    arguments: [
      (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"), (1, "1970-01-01T00:00:00.001Z"),
      (1_000_000_000_000, "2001-09-09T01:46:40.000Z"), (951_782_399_999, "2000-02-28T23:59:59.999Z"),
      (951_782_400_000, "2000-02-29T00:00:00.000Z"), (951_868_800_000, "2000-03-01T00:00:00.000Z"),
      (1_709_164_800_000, "2024-02-29T00:00:00.000Z"), (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
      (2_147_483_648_000, "2038-01-19T03:14:08.000Z"), (-2_208_988_800_000, "1900-01-01T00:00:00.000Z"),
      (-62_135_596_800_000, "0001-01-01T00:00:00.000Z"), (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"),
      (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
    ])
  func written(milliseconds: Int64, text: String) {
    #expect(Instant(milliseconds: milliseconds).description == text)
    #expect(Instant(text)?.milliseconds == milliseconds)
  }

  @Test("A moment outside the years 0000 to 9999 is written as the nearest inside")
  func beyond() {
    for milliseconds in [253_402_300_800_000, Int64.max] {
      #expect(Instant(milliseconds: milliseconds).description == "9999-12-31T23:59:59.999Z")
    }
    for milliseconds in [-62_167_219_200_001, Int64.min] {
      #expect(Instant(milliseconds: milliseconds).description == "0000-01-01T00:00:00.000Z")
    }
    #expect(Instant("0000-01-01T00:00:00+23:59")?.description == "0000-01-01T00:00:00.000Z")
    #expect(Instant("9999-12-31T23:59:59-23:59")?.description == "9999-12-31T23:59:59.999Z")
  }

  @Test(
    "Offsets, fractions and small letters are read",
    arguments: [
      // RFC 3339 section 5.8.
      ("1985-04-12T23:20:50.52Z", "1985-04-12T23:20:50.520Z"),
      ("1996-12-19T16:39:57-08:00", "1996-12-20T00:39:57.000Z"),
      ("1990-12-31T23:59:60Z", "1990-12-31T23:59:59.000Z"), ("1990-12-31T15:59:60-08:00", "1990-12-31T23:59:59.000Z"),
      ("1937-01-01T12:00:27.87+00:20", "1937-01-01T11:40:27.870Z"),
      // Our own.
      ("2026-11-30T04:06:03Z", "2026-11-30T04:06:03.000Z"), ("2026-11-30t04:06:03z", "2026-11-30T04:06:03.000Z"),
      ("2026-11-30 04:06:03Z", "2026-11-30T04:06:03.000Z"), ("2026-11-30T04:06:03+11:00", "2026-11-29T17:06:03.000Z"),
      ("2026-11-30T04:06:03-00:00", "2026-11-30T04:06:03.000Z"),
      ("2024-02-29T23:59:59-00:01", "2024-03-01T00:00:59.000Z"),
      ("2024-03-01T00:00:00+00:01", "2024-02-29T23:59:00.000Z"),
      ("2027-01-01T00:00:00+05:45", "2026-12-31T18:15:00.000Z"),
      ("2026-11-30T04:06:03.1Z", "2026-11-30T04:06:03.100Z"), ("2026-11-30T04:06:03.12Z", "2026-11-30T04:06:03.120Z"),
      ("2026-11-30T04:06:03.1239Z", "2026-11-30T04:06:03.123Z"),
      ("2026-11-30T04:06:03.999999999999999999999999Z", "2026-11-30T04:06:03.999Z"),
      ("2026-11-30T04:06:03.0005+23:59", "2026-11-29T04:07:03.000Z"),
      ("2000-02-29T00:00:00Z", "2000-02-29T00:00:00.000Z"),
      ("1969-12-31T23:59:59.5Z", "1969-12-31T23:59:59.500Z"),
    ])
  func read(text: String, utc: String) {
    #expect(Instant(text)?.description == utc)
  }

  @Test(
    "Anything else is no moment",
    arguments: [
      "", "2026", "2026-11-30", "2026-11-30T04:06:03", "2026-11-30T04:06Z", "04:06:03Z", "2026-11-30T04:06:03.Z",
      "2026-11-30T04:06:03,5Z", "2026-11-30T04:06:03+1100", "2026-11-30T04:06:03+11", "2026-11-30T04:06:03+24:00",
      "2026-11-30T04:06:03+11:60", "2026-11-30T04:06:03Z ", " 2026-11-30T04:06:03Z", "2026-11-30T04:06:03ZZ",
      "2026-11-30T04:06:03Z+01:00", "2026-11-30T24:00:00Z", "2026-11-30T23:60:00Z", "2026-11-30T23:59:61Z",
      "2026-00-30T04:06:03Z", "2026-13-01T04:06:03Z", "2026-11-00T04:06:03Z", "2026-11-31T04:06:03Z",
      "2026-02-29T04:06:03Z", "1900-02-29T04:06:03Z", "2100-02-29T04:06:03Z", "2024-02-30T04:06:03Z",
      "2026-1-30T04:06:03Z", "26-11-30T04:06:03Z", "+2026-11-30T04:06:03Z", "-001-11-30T04:06:03Z",
      "12026-11-30T04:06:03Z", "2026/11/30T04:06:03Z", "2026-11-30T 4:06:03Z", "2026-11-30T04:06:-3Z",
      "２０２６-11-30T04:06:03Z", "2026-11-30T04:06:03\u{2212}01:00", "2026-11-30T04:06:03Z\0", "2026-11-30T04:06:03.5",
      "Mon, 30 Nov 2026 04:06:03 +0000", "1796011563", "garbage", "😀",
    ])
  func refuses(text: String) {
    #expect(Instant(text) == nil)
  }

  @Test("A fraction of a million digits is read in time and cut off")
  func longFraction() {
    #expect(Instant("2026-11-30T04:06:03." + "9" * 1_000_000 + "Z")?.description == "2026-11-30T04:06:03.999Z")
    #expect(Instant("2026-11-30T04:06:03." + "9" * 1_000_000) == nil)
  }

  @Test("Foundation writes and reads the same, for hundreds of moments of eight millennia")
  func foundation() {
    // Foundation counts in the Julian calendar before 1582.
    let formatter = ISO8601DateFormatter()
    formatter.formatOptions = [.withInternetDateTime]
    var random = SeededGenerator(seed: 3)
    for _ in 0..<600 {
      let seconds = Int64.random(in: -11_676_096_000...253_402_300_799, using: &random)
      let ours = Instant(milliseconds: seconds * 1000)
      let theirs = formatter.string(from: Date(timeIntervalSince1970: TimeInterval(seconds)))
      #expect(ours.description == theirs.dropLast() + ".000Z")
      #expect(Instant(theirs) == ours)
    }
    for _ in 0..<200 {
      let seconds = Int64.random(in: 0...4_102_444_800, using: &random)
      let minutes = Int.random(in: -14 * 60...14 * 60, using: &random)
      formatter.timeZone = TimeZone(secondsFromGMT: minutes * 60)
      let theirs = formatter.string(from: Date(timeIntervalSince1970: TimeInterval(seconds)))
      #expect(Instant(theirs)?.milliseconds == seconds * 1000, "\(theirs)")
    }
  }

  @Test("Every day of four centuries has its date, one after the other")
  func days() {
    var expected: (year: Int64, month: Int64, day: Int64) = (1800, 1, 1)
    let lengths: [Int64] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    let first = Instant.days(year: 1800, month: 1, day: 1)
    var wrong = 0
    for day in first..<first + 146_097 {
      if Instant.civil(days: day) != expected
        || Instant.days(year: expected.year, month: expected.month, day: expected.day) != day
      {
        wrong += 1
      }
      let isLeap = expected.year % 4 == 0 && (expected.year % 100 != 0 || expected.year % 400 == 0)
      expected.day += 1
      if expected.day > lengths[Int(expected.month) - 1] + (isLeap && expected.month == 2 ? 1 : 0) {
        (expected.month, expected.day) = (expected.month + 1, 1)
      }
      if expected.month > 12 { (expected.year, expected.month) = (expected.year + 1, 1) }
    }
    #expect(wrong == 0)
    #expect(expected == (2200, 1, 1))
  }

  @Test("What is written is read back, to the millisecond")
  func roundTrip() {
    var random = SeededGenerator(seed: 4)
    for _ in 0..<2000 {
      let instant = Instant(milliseconds: .random(in: -62_167_219_200_000...253_402_300_799_999, using: &random))
      #expect(Instant(instant.description) == instant)
    }
  }

  @Test("Order of moments is order of their text")
  func order() {
    var random = SeededGenerator(seed: 5)
    let instants = (0..<200).map { _ in
      Instant(milliseconds: .random(in: -62_167_219_200_000...253_402_300_799_999, using: &random))
    }
    #expect(instants.sorted().map(\.description) == instants.map(\.description).sorted())
  }

  @Test("Durations are added and taken away")
  func arithmetic() {
    let instant = Instant(milliseconds: 1_000)
    #expect((instant + .seconds(2)).milliseconds == 3_000)
    #expect((instant - .milliseconds(1_500)).milliseconds == -500)
    #expect(instant - Instant(milliseconds: 250) == .milliseconds(750))
    #expect((instant + .microseconds(1_999)).milliseconds == 1_001)
    #expect(Duration.microseconds(-1_999).inMilliseconds == -1)
    #expect(Duration.milliseconds(Int64.max).inMilliseconds == .max)
    #expect(Duration.milliseconds(Int64.min).inMilliseconds == .min)
  }

  @Test("Arithmetic stops at the ends of the range instead of trapping")
  func saturation() {
    let first = Instant(milliseconds: .min)
    let last = Instant(milliseconds: .max)
    #expect(last + .milliseconds(1) == last)
    #expect(last - .milliseconds(-1) == last)
    #expect(first - .milliseconds(1) == first)
    #expect(first + .milliseconds(-1) == first)
    #expect(last + .seconds(Int64.max) == last)
    #expect(first - .seconds(Int64.max) == first)
    #expect(first + .seconds(Int64.min) == first)
    #expect(last - .seconds(Int64.min) == last)
    #expect(Instant(milliseconds: 0) - .milliseconds(Int64.min) == last)
    #expect(last - first == .milliseconds(Int64.max))
    #expect(first - last == .milliseconds(Int64.min))
    #expect(Duration.seconds(Int64.max).inMilliseconds == .max)
    #expect(Duration.seconds(Int64.min).inMilliseconds == .min)
  }

  @Test("In JSON a moment is a string, and a wrong one is refused")
  func json() throws {
    let instant = Instant(milliseconds: 1_795_000_000_123)
    let data = try JSONEncoder().encode([instant])
    #expect(String(decoding: data, as: UTF8.self) == "[\"\(instant)\"]")
    #expect(try JSONDecoder().decode([Instant].self, from: data) == [instant])
    for text in ["[\"soon\"]", "[1795000000123]", "[null]"] {
      #expect(throws: DecodingError.self) { try JSONDecoder().decode([Instant].self, from: Data(text.utf8)) }
    }
  }
}
