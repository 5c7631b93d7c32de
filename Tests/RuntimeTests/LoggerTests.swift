import Contract
import Foundation
import Runtime
import Testing

@Suite("Logger") struct LoggerTests {
  private let log = CapturedLog()
  private let clock = ManualClock(now: Instant(milliseconds: 0))

  private func logger(_ level: LogLevel = .debug) -> Logger {
    Logger("exchange", level: level, sink: log, clock: clock)
  }

  @Test func aLineHasTimeLevelLabelSentenceAndSortedData() throws {
    logger().info(
      "Message accepted.",
      [
        "parts": 2, "id": .id(MessageID(ID128(high: 1, low: 2))), "flash": true, "class": "code",
        "took": .duration(.microseconds(12_345)), "why": .text("two \"words\""), "to": .phone("+358401234567"),
        "due": .instant(Instant(milliseconds: 1)), "share": .init(0.5), "count": .init(7 as UInt32),
      ])
    let record = try #require(log.records.first)
    #expect(
      record.rendered(as: .text)
        == "1970-01-01T00:00:00.000Z INFO    exchange: Message accepted. class=code count=7 "
        + "due=1970-01-01T00:00:00.001Z flash=true id=msg_00000000000000010000000000000002 parts=2 share=0.5 "
        + "to=+3584012••567 took=12.345ms why=\"two \\\"words\\\"\"\n")
    #expect(
      record.rendered(as: .json)
        == #"{"at":"1970-01-01T00:00:00.000Z","level":"info","label":"exchange","message":"Message accepted.","#
        + #""class":"code","count":7,"due":"1970-01-01T00:00:00.001Z","flash":true,"#
        + #""id":"msg_00000000000000010000000000000002","parts":2,"share":0.5,"to":"+3584012••567","#
        + #""took":"12.345ms","why":"two \"words\""}"# + "\n")
  }

  @Test func levelsBelowTheLoggersAreNotWritten() {
    let logger = logger(.warning)
    logger.debug("Debug.")
    logger.info("Info.")
    logger.warning("Warning.")
    logger.error("Error.")
    #expect(log.sentences == ["Warning.", "Error."])
  }

  @Test func fixedDataStandsOnEveryLineAndTheLineMayReplaceIt() {
    let child = logger().with(["request": "r1", "try": 1], label: "http")
    child.info("Answered.", ["try": 2])
    #expect(log.records.first?.label == "http")
    #expect(log.records.first?["request"] == .text("r1"))
    #expect(log.records.first?["try"] == 2)
  }

  @Test(arguments: LogFormat.allCases)
  func noValueCanBreakOrPaintALine(format: LogFormat) throws {
    let nasty = "a\nb\r\u{1B}[31m\u{9B}0m\u{2028}\u{202E}\u{0}\u{7F}\u{200F}"
    logger().info("Refused.", ["detail": .text(nasty), nasty: 1])
    let line = try #require(log.records.first).rendered(as: format)
    #expect(line.hasSuffix("\n"))
    for scalar in line.dropLast().unicodeScalars {
      #expect(scalar.properties.generalCategory != .control, "U+\(String(scalar.value, radix: 16))")
      #expect(scalar.properties.generalCategory != .format)
      #expect(scalar != "\u{2028}")
    }
    #expect(line.contains("a"))
  }

  @Test func longTextIsCut() throws {
    logger().info("Refused.", ["detail": .text(String(repeating: "x", count: 1_000_000))])
    #expect(try #require(log.records.first).rendered(as: .json).utf8.count < 2200)
  }

  @Test(
    arguments: [
      ("+358401234567", "+3584012••567"), ("0401234567", "04012••567"), ("12345678", "123••678"), ("1234567", "•••"),
      ("Posti", "•••"), ("not a number", "•••"), ("", "•••"), ("+35840123456٧", "•••"),
    ])
  func phoneNumbersAreMasked(number: String, shown: String) {
    #expect(LogValue.phone(number) == .text(shown))
  }

  @Test func linesReachADescriptorWhole() throws {
    let (reader, writer) = try pipe()
    defer {
      close(reader)
      close(writer)
    }
    let logger = Logger("x", sink: DescriptorSink(writer, format: .json), clock: clock)
    for _ in 0..<3 { logger.info("One.") }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(reader, &bytes, bytes.count)
    let line = #"{"at":"1970-01-01T00:00:00.000Z","level":"info","label":"x","message":"One."}"# + "\n"
    #expect(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self) == line + line + line)
  }

  @Test func aReaderThatStandsStillHoldsUpNobodyAndIsToldWhatItMissed() throws {
    let (reader, writer) = try pipe()
    defer {
      close(reader)
      close(writer)
    }
    let logger = Logger("x", sink: DescriptorSink(writer, format: .text, patience: 1), clock: clock)
    // A pipe holds 64 KiB: far less than this.
    for _ in 0..<5000 { logger.info("A line that nobody reads.") }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    #expect(read(reader, &bytes, bytes.count) < 5000 * 40)
    logger.info("Read again.")
    let count = read(reader, &bytes, bytes.count)
    let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    #expect(text.contains("log: Log lines were dropped, as nobody read them. count="))
    #expect(text.hasSuffix("Read again.\n"))
  }

  private func pipe() throws -> (Int32, Int32) {
    var ends: [Int32] = [0, 0]
    try #require(Foundation.pipe(&ends) == 0)
    return (ends[0], ends[1])
  }
}
