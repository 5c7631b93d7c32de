import Cryptography
import Testing

@Suite("Hashes") struct HashTests {
  private func hex(_ text: String) throws -> [UInt8] { try #require(Hex.decode(text)) }

  @Test func shaOfTheExamplesOfFIPS180() {
    #expect(
      Hex.encode(SHA256.hash(Array("abc".utf8)))
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(Hex.encode(SHA256.hash([])) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    #expect(Hex.encode(SHA1.hash(Array("abc".utf8))) == "a9993e364706816aba3e25717850c26c9cd0d89d")
    #expect(Hex.encode(SHA1.hash([])) == "da39a3ee5e6b4b0d3255bfef95601890afd80709")
  }

  @Test func shaPieceByPieceIsShaOfTheWhole() {
    var hash = SHA256()
    hash.update(Array("a".utf8))
    #expect(hash.finish() == SHA256.hash(Array("a".utf8)))
    hash.update([])
    hash.update(Array("bc".utf8))
    #expect(hash.finish() == SHA256.hash(Array("abc".utf8)))
    #expect(hash.finish() == SHA256.hash(Array("abc".utf8)), "finishing changes nothing")
  }

  /// RFC 4231 sections 4.2 to 4.8; that of 4.6 is cut to 128 bits there.
  @Test(
    arguments: [
      (
        String(repeating: "0b", count: 20), "4869205468657265",
        "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
      ),
      (
        "4a656665", "7768617420646f2079612077616e7420666f72206e6f7468696e673f",
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
      ),
      (
        String(repeating: "aa", count: 20), String(repeating: "dd", count: 50),
        "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
      ),
      (
        "0102030405060708090a0b0c0d0e0f10111213141516171819", String(repeating: "cd", count: 50),
        "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"
      ),
      (
        String(repeating: "0c", count: 20), "546573742057697468205472756e636174696f6e",
        "a3b6167473100ee06e0c796c2955552b"
      ),
      (
        String(repeating: "aa", count: 131),
        "54657374205573696e67204c6172676572205468616e20426c6f636b2d53697a65204b6579202d2048617368204b6579204669727374",
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
      ),
      (
        String(repeating: "aa", count: 131),
        "5468697320697320612074657374207573696e672061206c6172676572207468616e20626c6f636b2d73697a65206b657920616e6420"
          + "61206c6172676572207468616e20626c6f636b2d73697a6520646174612e20546865206b6579206e6565647320746f2062652068617368"
          + "6564206265666f7265206265696e6720757365642062792074686520484d414320616c676f726974686d2e",
        "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"
      ),
    ])
  func hmacSHA256(key: String, message: String, code: String) throws {
    #expect(Hex.encode(HMAC.sha256(key: try hex(key), try hex(message))).hasPrefix(code))
  }

  /// RFC 2202 section 3, cases 1, 2, 3 and 6.
  @Test(
    arguments: [
      (String(repeating: "0b", count: 20), "4869205468657265", "b617318655057264e28bc0b6fb378c8ef146be00"),
      (
        "4a656665", "7768617420646f2079612077616e7420666f72206e6f7468696e673f",
        "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"
      ),
      (
        String(repeating: "aa", count: 20), String(repeating: "dd", count: 50),
        "125d7342b9ac11cd91a39af48aa17b4f63f175d3"
      ),
      (
        String(repeating: "aa", count: 80),
        "54657374205573696e67204c6172676572205468616e20426c6f636b2d53697a65204b6579202d2048617368204b6579204669727374",
        "aa4ae5e15272d00e95705637ce8a3b55ed402112"
      ),
    ])
  func hmacSHA1(key: String, message: String, code: String) throws {
    #expect(Hex.encode(HMAC.sha1(key: try hex(key), try hex(message))) == code)
  }

  /// RFC 5869 sections A.1 to A.3.
  @Test(
    arguments: [
      (
        String(repeating: "0b", count: 22), "000102030405060708090a0b0c", "f0f1f2f3f4f5f6f7f8f9", 42,
        "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"
      ),
      (
        (0x00...0x4F as ClosedRange<UInt8>).map { Hex.encode([$0]) }.joined(),
        (0x60...0xAF as ClosedRange<UInt8>).map { Hex.encode([$0]) }.joined(),
        (0xB0...0xFF as ClosedRange<UInt8>).map { Hex.encode([$0]) }.joined(), 82,
        "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb41c65e590e09da3275600c2f09"
          + "b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87"
      ),
      (
        String(repeating: "0b", count: 22), "", "", 42,
        "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"
      ),
    ])
  func hkdf(key: String, salt: String, info: String, length: Int, output: String) throws {
    let derived = HKDF.sha256(key: try hex(key), salt: try hex(salt), info: try hex(info), length: length)
    #expect(Hex.encode(derived) == output)
  }

  @Test func hkdfEndsAtItsLongestOutput() {
    #expect(HKDF.sha256(key: [1], info: [], length: 100_000).count == 8160)
    #expect(HKDF.sha256(key: [1], info: [], length: -1) == [])
  }
}
