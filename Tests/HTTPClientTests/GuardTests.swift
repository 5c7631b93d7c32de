import Foundation
import HTTPClient
import Testing

@Suite("Where requests may go", .timeLimit(.minutes(1)))
struct GuardTests {
  @Test(
    "Public addresses",
    arguments: [
      "1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255",
      "128.0.0.1", "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.0.1.1", "192.167.255.255",
      "192.169.0.0", "198.17.255.255", "198.20.0.0", "203.0.112.255", "203.0.114.0", "223.255.255.255",
      "2001:4860:4860::8888", "2001:200::1", "2a00:1450::1", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8",
      "2002:808:808::1",
    ])
  func publicAddresses(address: String) throws {
    #expect(AddressGuard.isPublic(try bytes(address)))
  }

  @Test(
    "Private, local and reserved addresses",
    arguments: [
      "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.0", "100.127.255.255", "127.0.0.1",
      "127.255.255.255", "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.2.1", "192.88.99.1",
      "192.168.0.1", "192.168.255.255", "198.18.0.1", "198.19.255.255", "198.51.100.1", "203.0.113.1", "224.0.0.1",
      "239.255.255.255", "240.0.0.1", "255.255.255.255",
      "::", "::1", "::127.0.0.1", "::8.8.8.8", "::ffff:127.0.0.1", "::ffff:10.1.2.3", "::ffff:169.254.169.254",
      "64:ff9b::127.0.0.1", "64:ff9b::192.168.1.1", "64:ff9b:1::8.8.8.8", "100::1", "2001::1", "2001:2::1",
      "2001:10::1", "2001:20::1", "2001:1ff::1", "2001:db8::1", "2002:7f00:1::1", "2002:a00:1::", "2002:c0a8:101::1",
      "3fff::1", "3fff:fff::1", "5f00::1", "fc00::1", "fd12:3456::1", "fe80::1", "febf::1", "fec0::1", "ff02::1",
      "4000::1",
    ])
  func reservedAddresses(address: String) throws {
    #expect(!AddressGuard.isPublic(try bytes(address)))
  }

  @Test("What is no address is refused")
  func noAddress() {
    for count in [0, 3, 5, 15, 17] { #expect(!AddressGuard.isPublic([UInt8](repeating: 8, count: count))) }
  }

  @Test(
    "This machine is refused however it is spelled, and hears nothing of it",
    arguments: [
      "127.0.0.1", "127.1", "0x7f.1", "0177.0.0.1", "2130706433", "0x7f000001", "0", "0.0.0.0", "localhost",
      "LOCALHOST.",
      "[::1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "127.0.0.1.", "%31%32%37.0.0.1", "user:pw@127.0.0.1",
      "１２７.0.0.1",
    ])
  func spellings(host: String) async throws {
    let server = try ScriptedServer()
    try await withClient(server) { client async throws in
      var request = OutgoingRequest(method: "GET", url: server.url(host: host))
      let error = await client.failure(request)
      #expect(
        error == .refusedAddress || error == .notSent(.nameNotFound)
          || error == .invalidRequest("the URL is malformed"))
      if !["[", "%", "１"].contains(host.prefix(1)), !host.hasSuffix(".") {
        #expect(error == .refusedAddress)
        request.allowsPrivateAddresses = true
        #expect(try await client.send(request).status == 200)
      }
    }
    #expect(server.requests.count <= 1)
  }

  @Test("A connection opened by a request that was allowed to is of no use to one that is not")
  func pooledConnection() async throws {
    let server = try ScriptedServer()
    try await withClient(server) { client async throws in
      for host in ["127.0.0.1", "localhost"] {
        for _ in 0..<2 {
          #expect(try await client.send(local(server.url("/allowed", host: host))).status == 200)
          let request = OutgoingRequest(method: "POST", url: server.url("/refused", host: host), body: [1])
          #expect(await client.failure(request) == .refusedAddress)
        }
      }
    }
    #expect(server.requests.count == 4)
    #expect(server.requests.allSatisfy { $0.contains("/allowed") })
  }

  @Test(
    "Only http and https, and only whole URLs",
    arguments: [
      "", "http:", "http://", "https:///x", "ftp://example.com/", "file:///etc/passwd", "gopher://example.com",
      "example.com", "//example.com/", "http//x", "javascript:1", "http://exa mple.com/", "http://example.com/\r\nX: y",
      "http://example.com/\0", "http://example.com:99999/", "http://[::1/", "http://a{b}c/",
    ])
  func badURLs(url: String) async throws {
    try await withClient { client async throws in
      guard case .invalidRequest = await client.failure(local(url)) else {
        Issue.record("\(url) is no good URL.")
        return
      }
    }
  }

  @Test("Nothing can be smuggled into a request")
  func injection() async throws {
    let server = try ScriptedServer()
    try await withClient(server) { client async throws in
      let headers: [(name: String, value: String)] = [
        ("X-A", "1\r\nX-B: 2"), ("X-A", "1\nX-B: 2"), ("X-A", "1\r"), ("X-A", "\0"), ("X-A", "\u{7f}"),
        ("X-A: 1\r\nX-B", "2"), ("X A", "1"), ("", "1"), ("X-A:", "1"), ("Ä", "1"),
        ("Content-Length", "5"), ("transfer-encoding", "chunked"), ("Connection", "close"), ("EXPECT", "100-continue"),
      ]
      for header in headers {
        guard case .invalidRequest = await client.failure(local(server.url(), method: "POST", headers: [header])) else {
          Issue.record("The header \(header) was taken.")
          continue
        }
      }
      for method in ["", "GET / HTTP/1.1\r\nX: y", "GE T", "CONNECT", "G\u{e4}T"] {
        guard case .invalidRequest = await client.failure(local(server.url(), method: method)) else {
          Issue.record("The method \(method) was taken.")
          continue
        }
      }
      // And a semicolon at the end of a name, which means something to libcurl, is no token either.
      guard case .invalidRequest = await client.failure(local(server.url(), headers: [("X-A;", "")])) else {
        Issue.record("It was taken.")
        return
      }
    }
    #expect(server.requests.isEmpty)
  }

  private func bytes(_ address: String) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 16)
    if inet_pton(AF_INET, address, &bytes) == 1 { return Array(bytes[..<4]) }
    try #require(inet_pton(AF_INET6, address, &bytes) == 1)
    return bytes
  }
}
