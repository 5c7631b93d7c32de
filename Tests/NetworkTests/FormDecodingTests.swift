import Network
import Testing

@Suite struct FormDecodingTests {
  private func pairs(_ text: String) -> [String]? {
    FormDecoding().parse(Array(text.utf8))?.map { "\($0.name)=\($0.value)" }
  }

  @Test func readsPairsInTheirOrder() {
    #expect(pairs("a=1&b=2&a=3") == ["a=1", "b=2", "a=3"])
    #expect(pairs("") == [])
    #expect(pairs("a") == ["a="])
    #expect(pairs("a=&=b&&c==d") == ["a=", "=b", "c==d"])
  }

  @Test func decodesPlusAndEscapes() {
    #expect(pairs("to=%2B358+40&text=p%C3%A4iv%c3%a4%0D%0A") == ["to=+358 40", "text=päivä\r\n"])
    #expect(pairs("a%26b=c%3Dd") == ["a&b=c=d"])
  }

  @Test(arguments: ["a=%", "a=%4", "a=%zz", "%=a", "a=%+1", "a=1&b=%C3", "a=%ED%A0%80"])
  func aBrokenEscapeOrWrongUTF8SpoilsTheWhole(_ text: String) {
    #expect(pairs(text) == nil)
  }

  @Test func rawValuesKeepOtherCharacterSets() throws {
    let raw = try #require(FormDecoding().parseRaw(Array("text=p%E4iv%E4&b=".utf8) + [0xE4]))
    #expect(raw.map(\.name) == ["text", "b"])
    #expect(raw.map(\.value) == [[0x70, 0xE4, 0x69, 0x76, 0xE4], [0xE4]])
  }

  @Test func tooManyPairsAreRefused() {
    #expect(pairs(Array(repeating: "a=b", count: 1000).joined(separator: "&"))?.count == 1000)
    #expect(pairs(Array(repeating: "a=b", count: 1001).joined(separator: "&")) == nil)
  }

  @Test func requestsReadTheirQueryAndCookies() {
    let request = HTTPRequest(
      method: "GET", target: "/a?b=c+d&e", headers: ["Cookie": "x=1; session=a=b;y=", "cookie": "z=2"])
    #expect(request.path == "/a")
    #expect(request.queryItems()?.map(\.value) == ["c d", ""])
    #expect(request.cookie("session") == "a=b")
    #expect(request.cookie("x") == "1")
    #expect(request.cookie("y")?.isEmpty == true)
    #expect(request.cookie("z") == "2")
    #expect(request.cookie("Session") == nil)
    #expect(HTTPRequest(method: "GET", target: "/?a=%").queryItems() == nil)
    #expect(HTTPRequest(method: "GET", target: "/").queryItems()?.isEmpty == true)
  }
}
