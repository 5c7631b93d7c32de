import Contract
import Network
import Testing

@Suite struct HTTPValuesTests {
  @Test func headersAreFoundInAnyCaseAndKeepTheirOrder() {
    var headers: HTTPHeaders = ["Accept": "a", "X-One": "1", "accept": "b"]
    #expect(headers["ACCEPT"] == "a")
    #expect(headers.all("Accept") == ["a", "b"])
    headers.set("Accept", "c")
    #expect(headers.map { "\($0.name): \($0.value)" } == ["X-One: 1", "Accept: c"])
    headers.add("Set-Cookie", "a=b")
    headers.add("Set-Cookie", "c=d")
    #expect(headers.all("set-cookie") == ["a=b", "c=d"])
    headers.remove("set-cookie")
    #expect(headers.count == 2)
    #expect(headers == ["x-one": "1", "ACCEPT": "c"])
  }

  @Test func headersKnowTheMembersOfAList() {
    let headers: HTTPHeaders = ["Connection": "keep-alive , Close", "Vary": ""]
    #expect(headers.hasToken("connection", "close"))
    #expect(headers.hasToken("connection", "keep-alive"))
    #expect(!headers.hasToken("connection", "keep"))
    #expect(!headers.hasToken("vary", "close"))
  }

  @Test func eventsAreEncodedAsTheStandardSays() {
    #expect(String(decoding: ServerSentEvent(data: "a").encoded, as: UTF8.self) == "data: a\n\n")
    #expect(
      String(decoding: ServerSentEvent(id: "7", event: "message", data: "{}").encoded, as: UTF8.self)
        == "id: 7\nevent: message\ndata: {}\n\n")
    #expect(
      String(decoding: ServerSentEvent(data: "a\nb\r\nc\rd\n").encoded, as: UTF8.self)
        == "data: a\ndata: b\ndata: c\ndata: d\ndata: \n\n")
    #expect(String(decoding: ServerSentEvent(data: "").encoded, as: UTF8.self) == "data: \n\n")
    #expect(String(decoding: ServerSentEvent.comment("still here"), as: UTF8.self) == ": still here\n\n")
  }

  @Test func anEventCanNotBeginAnotherField() {
    let event = ServerSentEvent(id: "1\nevent: x", event: "a\r\ndata: y\0", data: "b\nid: 9")
    #expect(
      String(decoding: event.encoded, as: UTF8.self) == "id: 1event: x\nevent: adata: y\ndata: b\ndata: id: 9\n\n")
    #expect(String(decoding: ServerSentEvent.comment("a\ndata: b"), as: UTF8.self) == ": a\n: data: b\n\n")
  }

  @Test func datesHaveTheFormOfTheStandard() {
    // RFC 9110 section 5.6.7.
    #expect(HTTPDate.text(Instant(milliseconds: 784_111_777_000)) == "Sun, 06 Nov 1994 08:49:37 GMT")
    #expect(HTTPDate.text(Instant(milliseconds: 0)) == "Thu, 01 Jan 1970 00:00:00 GMT")
    #expect(HTTPDate.text(Instant(milliseconds: 1_709_210_096_999)) == "Thu, 29 Feb 2024 12:34:56 GMT")
    #expect(HTTPDate.text(Instant(milliseconds: .max)) == "Fri, 31 Dec 9999 23:59:59 GMT")
  }
}
