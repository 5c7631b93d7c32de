import Doors
import Network
import Testing

@Suite struct TrustedProxiesTests {
  private let proxies = TrustedProxies(["127.0.0.1", "10.0.0.2"])

  private func request(from address: String, _ headers: HTTPHeaders) -> HTTPRequest {
    HTTPRequest(method: "GET", target: "/", headers: headers, remoteAddress: address)
  }

  @Test("A trusted proxy's word on who asks is taken")
  func proxied() {
    let seen = proxies.seenThrough(
      request(from: "127.0.0.1", ["X-Forwarded-For": "198.51.100.7", "X-Forwarded-Proto": "https"]))
    #expect(seen.remoteAddress == "198.51.100.7")
    #expect(seen.isSecure)
  }

  @Test("Anybody else's is not")
  func direct() {
    let seen = proxies.seenThrough(
      request(from: "203.0.113.9", ["X-Forwarded-For": "198.51.100.7", "X-Forwarded-Proto": "https"]))
    #expect(seen.remoteAddress == "203.0.113.9")
    #expect(!seen.isSecure)
  }

  @Test("What a client wrote itself stands before what the proxies add, and is not believed")
  func forged() {
    let seen = proxies.seenThrough(
      request(from: "127.0.0.1", ["X-Forwarded-For": "192.0.2.1, 198.51.100.7, 10.0.0.2"]))
    #expect(seen.remoteAddress == "198.51.100.7")
  }

  @Test("A header that is no address does not become one", arguments: ["", " , ", "127.0.0.1"])
  func empty(header: String) {
    #expect(proxies.seenThrough(request(from: "127.0.0.1", ["X-Forwarded-For": header])).remoteAddress == "127.0.0.1")
  }
}
