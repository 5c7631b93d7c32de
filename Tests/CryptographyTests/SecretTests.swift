import Foundation
import Testing

@testable import Cryptography

@Suite("Secrets") struct SecretTests {
  @Test func equalMeansEveryByteAndTheLength() {
    #expect(constantTimeEqual([], []))
    #expect(constantTimeEqual([1, 2, 3], [1, 2, 3]))
    #expect(!constantTimeEqual([1, 2, 3], [1, 2, 4]))
    #expect(!constantTimeEqual([1, 2, 3], [0, 2, 3]))
    #expect(!constantTimeEqual([1, 2, 3], [1, 2]))
    #expect(!constantTimeEqual([], [0]))
  }

  @Test func randomBytesDiffer() {
    #expect(randomBytes(32) != randomBytes(32))
    #expect(randomBytes(-1) == [])
    var random = SecureRandom()
    #expect(random.next() != random.next())
  }

  @Test func wipingLeavesNothing() {
    var bytes: [UInt8] = [1, 2, 3]
    wipe(&bytes)
    #expect(bytes == [])
    wipe(&bytes)
    var secret: [UInt8] = [1, 2, 3]
    let kept = SecretBytes(wiping: &secret)
    #expect(secret == [])
    #expect(kept.withBytes { $0 } == [1, 2, 3])
    var empty: [UInt8] = []
    #expect(SecretBytes(wiping: &empty).withBytes { $0 } == [])
  }

  /// draft-irtf-cfrg-xchacha-03 section A.3.1.
  @Test func aBoxIsThatOfTheDraft() throws {
    let key = (0x80...0x9F as ClosedRange<UInt8>).map { $0 }
    let nonce = (0x40...0x57 as ClosedRange<UInt8>).map { $0 }
    let context = try #require(Hex.decode("50515253c0c1c2c3c4c5c6c7"))
    let plain =
      "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would be it."
    let box = SealedBox.seal(Array(plain.utf8), key: key, context: context, nonce: nonce)
    #expect(
      Hex.encode(Array(box.dropFirst(24)))
        == "bd6d179d3e83d43b9576579493c0e939572a1700252bfaccbed2902c21396cbb731c7f1b0b4aa6440bf3a82f4eda7e39"
        + "ae64c6708c54c216cb96b72e1213b4522f8c9ba40db5d945b11b69b982c1bb9e3f3fac2bc369488f76b2383565d3fff9"
        + "21f9664c97637da9768812f615c68b13b52e" + "c0875924c1c7987947deafd8780acf49")
    #expect(SealedBox.open(box, key: key, context: context) == Array(plain.utf8))
  }

  @Test func aBoxThatWasTouchedDoesNotOpen() {
    let key = randomBytes(32)
    let box = SealedBox.seal([1, 2, 3], key: key, context: [9])
    #expect(box != SealedBox.seal([1, 2, 3], key: key, context: [9]), "each has its own nonce")
    #expect(SealedBox.open(box, key: key, context: [9]) == [1, 2, 3])
    #expect(SealedBox.open(box, key: key, context: [8]) == nil)
    #expect(SealedBox.open(box, key: randomBytes(32), context: [9]) == nil)
    for index in box.indices {
      var touched = box
      touched[index] ^= 1
      #expect(SealedBox.open(touched, key: key, context: [9]) == nil)
      #expect(SealedBox.open(Array(box.prefix(index)), key: key, context: [9]) == nil)
    }
    #expect(SealedBox.open(SealedBox.seal([], key: key), key: key) == [])
  }
}
