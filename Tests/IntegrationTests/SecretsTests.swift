import Formats
import Foundation
import Testing

/// No text, code, password or key reaches the log, an error, an event or a figure.
@Suite(.demo("--log-level", "debug"))
struct SecretsTests {
  @Test("What people write and what they sign in with is not in the log, in errors or in the metrics")
  func nothingLeaks() async throws {
    let demo = try Demo.current()
    let text = "Unwritten-4711"
    let password = "Unspoken-password-4712"
    let account = try await demo.createAccount("+358401110888", password: password)
    let key = try await demo.createKey("*", of: account).key
    let callback = try await demo.callback(of: "global")
    let secret = try #require(callback.split(separator: "/").last).description
    var answers: [RawCall.Answer] = []

    // Good ones: sent, with a code, answered by the phone, by a carrier of ours.
    for (number, more) in [
      (Demo.phone, ""), ("+358401234701", #","class":"code""#), ("+358401234702", #","from":"Cabin""#),
    ] {
      let body = #"{"to":"\#(number)","text":"\#(text)"\#(more)}"#
      let sent = try await demo.raw("POST", "/api/v1/messages", body, key: key)
      let id = try #require(sent.json["id"]?.string)
      try await demo.wait(until: "\(number) has it") {
        try await demo.call("GET", "/api/v1/messages/\(id)", key: key).json["state"]?.string == "delivered"
      }
    }
    // Refused by a carrier, for a reason of its own.
    try await demo.faults("fast", #"{"refuse":{"code":-25,"share":1}}"#)
    _ = try await demo.raw("POST", "/api/v1/messages", #"{"to":"+358401234703","text":"\#(text)"}"#, key: key)

    // Bad ones, each with something in it that nobody else may see.
    let long = String(repeating: text, count: 120)
    for body in [
      #"{"to":"+358401234701","text":"\#(text)"#, #"{"to":"+358401234701","text":"\#(text)","text":"\#(text)"}"#,
      #"{"to":"+358401234701","text":"\#(text)\u0000"}"#, #"{"to":"\#(text)","text":"\#(text)"}"#,
      #"{"to":"+358401234701","text":"\#(long)"}"#, #"{"to":"+358401234701","text":"\#(text)","from":"\#(text)"}"#,
      #"{"to":"+358401234701","text":"\#(text)","notBefore":"\#(text)"}"#, #"["\#(text)"]"#, text,
      #"{"to":"+358401234701","text":"\#(text)","carrier":"\#(text)"}"#,
    ] {
      answers.append(try await demo.raw("POST", "/api/v1/messages", body, key: key))
    }
    for (phone, guess) in [("+358401110888", password), ("+358401110888", password + "x"), ("nobody", password)] {
      answers.append(try await demo.raw("POST", "/api/v1/sessions", #"{"phone":"\#(phone)","password":"\#(guess)"}"#))
    }
    answers.append(try await demo.raw("GET", "/api/v1/messages", key: key + "x"))
    answers.append(try await demo.raw("POST", callback, "\(text)=\(text)"))
    answers.append(try await demo.raw("POST", callback + "x", text))
    answers.append(
      try await RawCall(
        method: "POST", path: callback, headers: [("Content-Type", "application/x-www-form-urlencoded")],
        body: Array("from=358401234701&to=1&msg=\(text)&date=2026-11-30+12:00:00".utf8)
      ).send(to: demo.address))
    answers.append(
      try await RawCall.exchange(
        Array("GET /\(text) HTTP/9\r\nX-\(text): \(text)\r\n\r\n".utf8), RawConnection(demo.address)))

    let metrics = try await demo.raw("GET", "/metrics").text
    let log = demo.program.printed
    #expect(log.contains("DEBUG"), "nothing is proved by a log that says nothing")
    for (what, word) in [("text", text), ("password", password), ("key", key), ("callback's secret", secret)] {
      #expect(!log.contains(word), "the \(what) is in the log")
      #expect(!metrics.contains(word), "the \(what) is in the metrics")
      for answer in answers { #expect(!answer.text.contains(word), "the \(what) is in \(answer.text.prefix(300))") }
    }
  }
}
