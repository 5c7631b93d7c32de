import Testing

@testable import GSMText

struct UserDataHeaderTests {
  @Test("The header of a part is written with an 8-bit or a 16-bit reference")
  func writes() {
    // python-smpplib, smpplib/tests/test_gsm.py.
    #expect(UserDataHeader(.init(reference: 0x42, total: 2, sequence: 1)).octets == octets("050003420201"))
    #expect(UserDataHeader(.init(reference: 0x42, total: 3, sequence: 3)).octets == octets("050003420303"))
    // CommunityCellularManager, smspdu/tests/test_sms.py.
    #expect(UserDataHeader(.init(wideReference: 5, total: 3, sequence: 1)).octets == octets("06080400050301"))
    #expect(UserDataHeader().octets == [0])
  }

  @Test(
    "Headers of public suites are read",
    arguments: [
      // pmarti/python-messaging, messaging/test/test_udh.py, with the length in front.
      ("0c 08049f8e0201 05040b8423f0", 40846, true, 2, 1), ("05 0003190201", 25, false, 2, 1),
      // CommunityCellularManager, smspdu/tests/test_sms.py.
      ("05 0003020301", 2, false, 3, 1), ("05 0003860201", 0x86, false, 2, 1), ("05 0003e00202", 224, false, 2, 2),
      ("06 080400050303", 5, true, 3, 3), ("0b 050423f423f4 0003010201", 1, false, 2, 1),
      // A reference of 0 is as good as any other.
      ("05 0003000201", 0, false, 2, 1), ("06 080400000201", 0, true, 2, 1), ("05 000301ffff", 1, false, 255, 255),
    ])
  func reads(hex: String, reference: UInt16, isWide: Bool, total: UInt8, sequence: UInt8) throws {
    let (header, body) = try #require(UserDataHeader.parse(octets(hex) + [0xAA, 0xBB]))
    let concatenation = try #require(header.concatenation)
    #expect(concatenation.reference == reference)
    #expect(concatenation.isWide == isWide)
    #expect(concatenation.total == total)
    #expect(concatenation.sequence == sequence)
    #expect(body == [0xAA, 0xBB])
    #expect(header.octets == octets(hex))
  }

  @Test(
    "A header whose length or element passes the end is no header",
    arguments: ["", "05", "0500034201", "01 00", "02 0001", "05 0004420201", "06 0003420201 00", "ff 0003420201"])
  func refuses(hex: String) {
    #expect(UserDataHeader(parsing: octets(hex)) == nil)
    #expect(UserDataHeader.parse(octets(hex)) == nil)
  }

  @Test(
    "Nonsense about parts is ignored, and the rest of the header kept",
    arguments: [
      "05 0003420200", "05 0003420001", "05 0003420203", "04 00024202", "06 000442020100", "05 0803420201",
    ])
  func nonsense(hex: String) throws {
    let header = try #require(UserDataHeader(parsing: octets(hex)))
    #expect(header.concatenation == nil)
    #expect(header.octets == octets(hex))
  }

  @Test("Where an element comes twice, the last that makes sense counts")
  func twice() throws {
    let header = try #require(UserDataHeader(parsing: octets("0f 0003010201 0003020202 0003030200")))
    #expect(header.concatenation?.reference == 2)
    #expect(header.data(of: 0x00) == octets("030200"))
    #expect(header.data(of: 0x08) == nil)
  }

  @Test("The languages of national tables are recognised")
  func languages() throws {
    let header = try #require(UserDataHeader(parsing: octets("0b 0003420201 240101 250102")))
    #expect(header.singleShiftLanguage == 1)
    #expect(header.lockingShiftLanguage == 2)
    #expect(header.concatenation?.total == 2)
    #expect(try #require(UserDataHeader(parsing: octets("02 2400"))).singleShiftLanguage == nil)
    #expect(UserDataHeader().lockingShiftLanguage == nil)
  }

  @Test("Elements that nobody knows are kept, and a header that can not be written says so")
  func bounds() {
    let odd = UserDataHeader(elements: [.init(identifier: 0x70, data: [1, 2, 3]), .init(identifier: 0xDF, data: [])])
    #expect(odd.octets.flatMap { UserDataHeader(parsing: $0) } == odd)
    let long = UserDataHeader.Element(identifier: 0x70, data: [UInt8](repeating: 0, count: 253))
    #expect(UserDataHeader(elements: [long]).octets?.count == 256)
    #expect(UserDataHeader(elements: [long, long]).octets == nil)
    let longer = UserDataHeader.Element(identifier: 0x70, data: [UInt8](repeating: 0, count: 300))
    #expect(UserDataHeader(elements: [longer]).octets == nil)
  }

  /// User data of whole PDUs and their septets, header's included, from CommunityCellularManager,
  /// smspdu/tests/test_sms.py.
  static let packed: [(septets: Int, hex: String, text: String)] = [
    (
      0xA0,
      "050003e002019a6fb91b342fe3f3e27a9b0542bfef2039a8fe0325e7a0fb5bbe0689ebf3fc0f742d83ece9799a0ea2a3cba0793bcc6697e7"
        + "74d0f85d77d3e579d03d6d06d1d16590387d2ecfe9a031ba2e1fa3413272380f42a1dfed32e86d06d1d16510fc0d2fa74026101d5d06"
        + "8ddf6cf67b3e2fd7db2014390c3287dbeffa1cd40ee341e976780e3ab3c3",
      "Morn sexybum, how r u? Is work busy? We visit the smallest country wif the bigest church 2day (home of the pope)"
        + " & the collosseum (da famous max imas gla"
    ),
    (
      0x3B,
      "050003e00202c8e930fd2d778184f5349b9c769fe7203a3a4c07c94132180c9697cf416f36390462d6eda03a88fda6cf41d82708",
      "diator. Buildings that r 2000yrs old! Luv u lots XO "
    ),
    (
      0xA0,
      "060804000503026e90f98d07a9eb6d78990c7adbcb72101d5d06a9c37a3d88fc3ebb4054741914afa7c76b9058febebb41e6371ea4aeb7e1"
        + "6532e86d2fcb41747419a40eebf520f2fbec0251d165903aacd783c4f2f7dd0d22bfcf2075bd0d2f93416f7b590ea2a3cba0783d3d5e"
        + "83cc6fbc0b14140e8945e31199542e994de7131a954aa7d4aaf58acd6a5d",
      "n fox jumped over the jazz dog. The quick brown fox jumped over the jazz dog. The jazz brown dog jumped over the "
        + "quick fox. ABCDEFGHIJKLMNOPQRRSTUVWXYZ."
    ),
    (
      0x37, "06080400050303202aba0c8ad7d3e335482c7fdfdd20f31b0f52d7dbf03219f4b697e5203aba0c6287f57910f97d768100",
      " The quick brown fox jumped over the lazy dog. "
    ),
    (
      0xA0,
      "050003860201" + "94f5391dc40ebbc9653228ed0631df6ef2db1d0205efe1343ded3e83d0e5301d2d7fdf41e3fa9cfe6ecf5d2e17e8"
        + "9a66b341e6b49b0c0acee96f39c89a1e83e8e8b21bf4369b41e6b71c1406ddc3ec75ab8c87b3dff232083546d7e5637479bee99ddff6"
        + "131d740fb3d72077392c07d1d1e176799e0235d367341d747e83e86f10354c2fbb40",
      "Just landed in London! Awaiting heathrow customs... Will find Astor Vic then off for a walk-explore (churches~gov"
        + "'t walk near thames) Might go to Tate. "
    ),
  ]

  @Test("Packed parts with a header are read and written as a public suite has them", arguments: packed)
  func packedParts(septets: Int, hex userData: String, text: String) throws {
    let (header, body) = try #require(UserDataHeader.parse(octets(userData)))
    let headerOctets = try #require(header.octets)
    let fillBits = Septets.fillBits(afterHeaderOctets: headerOctets.count)
    let count = septets - Septets.septets(forHeaderOctets: headerOctets.count)
    let unpacked = Septets.unpacked(body, count: count, fillBits: fillBits)
    #expect(GSMAlphabet.decode(unpacked) == text)
    let written = try #require(GSMAlphabet.septets(for: text))
    #expect(hex(headerOctets + Septets.packed(written, fillBits: fillBits)) == userData)
  }
}
