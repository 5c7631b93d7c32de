import Testing

@testable import WebApp

/// Foreign decoders read whole pages in BuiltArchiveTests; here are the bytes that the standards give.
@Suite struct StoredBlocksTests {
  @Test func crcIsThatOfTheStandard() {
    // The check value of CRC-32/ISO-HDLC.
    var sum = CRC32()
    sum.update(Array("12345".utf8))
    sum.update(Array("6789".utf8))
    #expect(sum.value == 0xCBF4_3926)
  }

  @Test func blocksHoldWhatTheyAreGiven() {
    #expect(StoredBlocks.deflate([]) == [1, 0, 0, 0xFF, 0xFF])
    #expect(StoredBlocks.deflate([7, 8]) == [1, 2, 0, 0xFD, 0xFF, 7, 8])
    #expect(StoredBlocks.brotli([]) == [3])
    #expect(StoredBlocks.brotli([7]) == [0, 0, 8, 7, 3])
  }

  @Test func whatIsLongerThanABlockBecomesSeveral() {
    let bytes = [UInt8](repeating: 9, count: 65_537)
    let deflated = StoredBlocks.deflate(bytes)
    #expect(deflated.count == bytes.count + 10)
    #expect(deflated[0] == 0)
    #expect(Array(deflated[65_540...65_544]) == [1, 2, 0, 0xFD, 0xFF])
    #expect(StoredBlocks.deflate(Array(bytes.dropLast(2))).count == 65_535 + 5)
    #expect(StoredBlocks.brotli(bytes).count == bytes.count + 7)
  }
}
