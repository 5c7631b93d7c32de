import Contract
import SMSGlobal
import Testing

struct SMSGlobalAnswerTests {
  /// The ids are those of dwilkie/action_sms_gateways' test.
  let one = SMSGlobalAnswer.Result.sent(queueID: 0x86b1_a945_3707_34f4, messageID: 6_942_744_494_999_745)

  @Test func aTakenMessageHasTwoIDs() {
    #expect(
      SMSGlobalAnswer.sent([one]).body
        == "OK: 0; Sent queued message ID: 86b1a945370734f4\nSMSGlobalMsgID:6942744494999745\r\n")
    #expect(
      SMSGlobalAnswer.sent([.sent(queueID: 1, messageID: 2)]).body
        == "OK: 0; Sent queued message ID: 0000000000000001\nSMSGlobalMsgID:0000000000000002\r\n")
  }

  @Test func everyRecipientHasARecord() {
    let answer = SMSGlobalAnswer.sent([one, .failed(code: 11), one])
    #expect(answer.body.contains("\r\nERROR: 11 SMSGlobalMsgID:\r\nOK: 0;"))
    #expect(SMSGlobalAnswer(reading: answer.body) == answer)
  }

  @Test(arguments: [
    ("SMSGLOBAL DELAY MSGID:49936728", SMSGlobalAnswer.delayed([49_936_728])),
    ("ERROR: 88", .refused("88")), ("ERROR: Missing parameter: from", .refused("Missing parameter: from")),
    ("ERROR: 11 SMSGlobalMsgID:", .sent([.failed(code: 11)])),
    (
      "OK: 0; Sent queued message ID: 86b1a945370734f4 SMSGlobalMsgID:6942744494999745",
      .sent([.sent(queueID: 0x86b1_a945_3707_34f4, messageID: 6_942_744_494_999_745)])
    ),
  ])
  func formsSeenInClientsAreRead(body: String, answer: SMSGlobalAnswer) {
    #expect(SMSGlobalAnswer(reading: body) == answer)
    #expect(SMSGlobalAnswer(reading: answer.body) == answer)
  }

  @Test(arguments: [
    "", "OK: 0;", "OK: 1; Sent queued message ID: 86b1a945370734f4 SMSGlobalMsgID:6942744494999745", "ERROR:",
    "OK: 0; Sent queued message ID: x SMSGlobalMsgID:6942744494999745", "<html>OK</html>",
    "OK: 0; Sent queued message ID: 86b1a945370734f4 SMSGlobalMsgID:",
  ])
  func isNotReadWhenItHasNotTheForm(body: String) {
    #expect(SMSGlobalAnswer(reading: body) == nil)
  }

  @Test func everyCodeHasASentenceOfItsOwn() {
    #expect(SMSGlobalCode.allCases.count == 17)
    #expect(Set(SMSGlobalCode.allCases.map(\.sentence)).count >= 16)
  }
}

struct SMSGlobalCallbackTests {
  let noon = Instant(milliseconds: 1_273_755_180_000)  // 2010-05-13T12:53:00Z

  @Test func anIncomingMessageComesThrough() throws {
    let message = SMSGlobalIncoming(
      to: "61447100308", from: "61447100310", text: "Hyvää 😀", userfield: "in_7",
      date: SMSGlobalTime(noon, offset: .seconds(36_000)))
    #expect(message.fields.map { $0.0 } == ["to", "from", "msg", "userfield", "date"])
    #expect(message.date.text == "2010-05-13 22:53:00")
    #expect(SMSGlobalIncoming(fields: message.fields.map { ($0, Array($1.utf8)) }) == message)
    #expect(SMSGlobalIncoming(fields: message.fields.dropLast().map { ($0, Array($1.utf8)) }) == nil)
  }

  @Test func aReceiptComesThrough() throws {
    let receipt = SMSGlobalReceipt(
      messageID: 6_942_744_494_999_745, status: .delivered, done: SMSGlobalTime(noon, offset: .seconds(36_000)))
    #expect(receipt.fields.map { $0.1 } == ["6942744494999745", "DELIVRD", "000", "1005132253"])
    let read = try #require(SMSGlobalReceipt(fields: receipt.fields.map { ($0, Array($1.utf8)) }))
    #expect(read == receipt)
    #expect(read.done.instant(offset: .seconds(36_000)) == noon)
  }

  @Test(arguments: ["2010-02-30 00:00:00", "2010-05-13T00:00:00", "2010-05-13 24:00:00", "", "2010-05-13 00:00"])
  func aTimeThatIsNoneIsNotRead(text: String) {
    #expect(SMSGlobalTime(text) == nil)
  }
}
