import Foundation
import Network
import Testing

@Suite struct HTTPServerTests {
  @Test func keepsAConnectionForManyRequests() async throws {
    try await withServer(sampleRouter()) { port in
      try await blocking {
        let client = try RawClient(port: port)
        for _ in 0..<20 {
          let answer = try client.get("/hello")
          #expect(answer.status == 200)
          #expect(answer.body == "hello")
          #expect(answer.header("Content-Length") == "5")
          #expect(answer.header("Date")?.hasSuffix(" GMT") == true)
          #expect(answer.header("Connection") == nil)
        }
        client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nback")
        #expect(try client.answer().body == "back")
        client.send("GET /hello HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        #expect(try client.answer().header("Connection") == "close")
        #expect(try client.readToEnd().isEmpty)
      }
    }
  }

  @Test func pipelinedRequestsAreAnsweredInOrderOneAtATime() async throws {
    let inHand = Counter()
    var router = sampleRouter()
    router.on("GET", "/{number}") { request in
      let together = await inHand.begin()
      // The earlier the request, the longer it takes.
      for _ in 0..<(10 - (Int(request.parameters["number"] ?? "") ?? 0)) { await Task.yield() }
      await inHand.end()
      return HTTPResponse(text: "\(request.parameters["number"] ?? "") \(together)")
    }
    try await withServer(router) { port in
      try await blocking {
        let client = try RawClient(port: port)
        client.send((0..<10).map { "GET /\($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined())
        for number in 0..<10 { #expect(try client.answer().body == "\(number) 1") }
        client.send("POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n")
        client.send("GET /7 HTTP/1.1\r\nHost: a\r\n\r\n")
        client.endOutput()
        #expect(try client.answer().body == "abc")
        #expect(try client.answer().body == "7 1")
        #expect(try client.readToEnd().isEmpty)
      }
    }
  }

  @Test func manyLargePipelinedRequestsAreAllAnswered() async throws {
    try await withServer(sampleRouter()) { port in
      let client = try RawClient(port: port)
      let body = String(repeating: "x", count: 100_000)
      async let sent: Void = blocking {
        for _ in 0..<40 {
          client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n\(body)")
        }
      }
      try await blocking { () throws in
        for _ in 0..<40 { #expect(try client.answer().body == body) }
      }
      try await sent
    }
  }

  @Test func http10ClosesUnlessAskedNotTo() async throws {
    try await withServer(sampleRouter()) { port in
      try await blocking {
        let one = try RawClient(port: port)
        one.send("GET /hello HTTP/1.0\r\n\r\n")
        let text = try one.readToEnd()
        #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(text.contains("Connection: close\r\n"))
        #expect(text.hasSuffix("\r\n\r\nhello"))
        let two = try RawClient(port: port)
        for _ in 0..<2 {
          two.send("GET /hello HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
          #expect(try two.answer().header("Connection") == "keep-alive")
        }
      }
    }
  }

  @Test func headIsAnsweredWithoutABody() async throws {
    try await withServer(sampleRouter()) { port in
      try await blocking {
        let client = try RawClient(port: port)
        client.send("HEAD /hello HTTP/1.1\r\nHost: a\r\n\r\n")
        let answer = try client.answer(hasBody: false)
        #expect(answer.status == 200)
        #expect(answer.header("Content-Length") == "5")
        #expect(try client.get("/hello").body == "hello")
      }
    }
  }

  @Test func chunkedBodiesAreRead() async throws {
    try await withServer(sampleRouter()) { port in
      try await blocking {
        let client = try RawClient(port: port)
        let head = "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
        for byte in Array("\(head)5;x=y\r\nhello\r\n1\r\n!\r\n0\r\nA: b\r\n\r\n".utf8) { client.send([byte]) }
        #expect(try client.answer().body == "hello!")
        #expect(try client.get("/hello").body == "hello")
      }
    }
  }

  @Test func theClientIsToldToGoOnWithItsBody() async throws {
    try await withServer(sampleRouter()) { port in
      try await blocking {
        let client = try RawClient(port: port)
        client.send("POST /echo HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n")
        #expect(try client.answer().head == "HTTP/1.1 100 Continue\r\n\r\n")
        client.send("abc")
        #expect(try client.answer().body == "abc")
        client.send("POST /echo HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2000000\r\n\r\n")
        #expect(try client.answer().status == 413)
        #expect(try client.readToEnd().isEmpty)
      }
    }
  }

  @Test func aBodyThatIsTooLargeIsRefusedBeforeItIsRead() async throws {
    try await withServer(sampleRouter()) { port in
      try await blocking {
        let declared = try RawClient(port: port)
        declared.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1048577\r\n\r\n")
        let answer = try declared.answer()
        #expect(answer.status == 413)
        #expect(answer.header("Connection") == "close")
        #expect(try declared.readToEnd().isEmpty)

        // The refusal arrives although the client goes on sending.
        let chunked = try RawClient(port: port)
        chunked.send("POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
        let chunk = "10000\r\n\(String(repeating: "x", count: 65_536))\r\n"
        for _ in 0..<20 { chunked.send(chunk) }
        #expect(try chunked.answer().status == 413)
      }
    }
  }

  @Test func aRouteMayTakeMore() async throws {
    try await withServer(sampleRouter()) { port in
      try await blocking {
        let client = try RawClient(port: port)
        client.send("POST /photo HTTP/1.1\r\nHost: a\r\nContent-Length: 3000000\r\n\r\n")
        client.send([UInt8](repeating: 7, count: 3_000_000))
        #expect(try client.answer().body == "3000000")
        client.send("POST /photo HTTP/1.1\r\nHost: a\r\nContent-Length: 5000000\r\n\r\n")
        #expect(try client.answer().status == 413)
      }
    }
  }

  @Test func bodiesOfAllConnectionsTogetherHaveALimit() async throws {
    let arrived = Gate()
    let finish = Gate()
    var router = sampleRouter()
    router.on("POST", "/hold") { request in
      await arrived.open()
      await finish.pass()
      return HTTPResponse(text: String(request.body.count))
    }
    var configuration = HTTPServer.Configuration()
    configuration.maximumBodiesTogether = 500_000
    let routes = router
    try await withServer(routes, configuration) { port in
      let body = "Host: a\r\nContent-Length: 400000\r\n\r\n" + String(repeating: "x", count: 400_000)
      let holder = try RawClient(port: port)
      try await blocking { _ = holder.send("POST /hold HTTP/1.1\r\n\(body)") }
      #expect(await arrived.passes())
      let client = try RawClient(port: port)
      try await blocking { () throws in
        client.send("POST /echo HTTP/1.1\r\n\(body)")
        #expect(try client.answer().status == 503)
      }
      await finish.open()
      let next = try RawClient(port: port)
      try await blocking { () throws in
        #expect(try holder.answer().body == "400000")
        next.send("POST /echo HTTP/1.1\r\n\(body)")
        #expect(try next.answer().status == 200)
      }
    }
  }

  @Test func afterARefusalNothingMoreIsRead() async throws {
    try await withServer(sampleRouter()) { port in
      try await blocking {
        let client = try RawClient(port: port)
        client.send(
          "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n"
            + "0\r\n\r\nGET /hello HTTP/1.1\r\nHost: a\r\n\r\n")
        let text = try client.readToEnd()
        #expect(text.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
        #expect(text.contains("Connection: close\r\n"))
        #expect(text.hasSuffix(HTTPViolation.contentLengthWithTransferEncoding.sentence + "\n"))
        #expect(!text.contains("hello"))
      }
    }
  }

  @Test func refusalsMayHaveTheOwnersForm() async throws {
    var configuration = HTTPServer.Configuration()
    configuration.refusal = {
      HTTPResponse(status: $0.status, contentType: "application/json", bytes: Array("{}".utf8))
    }
    try await withServer(sampleRouter(), configuration) { port in
      try await blocking {
        let client = try RawClient(port: port)
        client.send("GET / HTTP/3.0\r\n\r\n")
        let answer = try client.answer()
        #expect(answer.status == 505)
        #expect(answer.header("Content-Type") == "application/json")
      }
    }
  }

  @Test func aFieldWithALineBreakIsNotSent() async throws {
    var router = sampleRouter()
    router.on("GET", "/value") { _ in HTTPResponse(headers: ["Location": "/a\r\nSet-Cookie: b=c"]) }
    router.on("GET", "/name") { _ in HTTPResponse(headers: ["A: b\r\nC": "d"]) }
    router.on("GET", "/status") { _ in HTTPResponse(status: 99) }
    router.on("GET", "/stream") { _ in HTTPResponse(contentType: "a\nb") { try await $0.write([1]) } }
    router.on("GET", "/framing") { _ in
      HTTPResponse(headers: ["Content-Length": "99", "Transfer-Encoding": "chunked"], body: .bytes([0x61]))
    }
    let routes = router
    try await withServer(routes) { port in
      try await blocking {
        for target in ["/value", "/name", "/status", "/stream"] {
          let answer = try RawClient(port: port).get(target)
          #expect(answer.status == 500, "\(target)")
          #expect(answer.header("Set-Cookie") == nil)
        }
        let client = try RawClient(port: port)
        let answer = try client.get("/framing")
        #expect(answer.body == "a")
        #expect(answer.header("Transfer-Encoding") == nil)
        #expect(try client.get("/hello").body == "hello")
      }
    }
  }

  @Test func aClientThatHasEndedItsSideStillGetsItsAnswer() async throws {
    var router = Router()
    router.on("GET", "/slow") { _ in
      for _ in 0..<100 { await Task.yield() }
      return HTTPResponse(text: "done")
    }
    try await withServer(router) { port in
      try await blocking {
        let client = try RawClient(port: port)
        client.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n")
        client.endOutput()
        #expect(try client.answer().body == "done")
        #expect(try client.readToEnd().isEmpty)
      }
    }
  }

  @Test func aLargeAnswerArrivesWhole() async throws {
    var router = sampleRouter()
    router.on("GET", "/large") { _ in
      HTTPResponse(contentType: "text/plain", bytes: [UInt8](repeating: 0x61, count: 20_000_000))
    }
    try await withServer(router) { port in
      try await blocking {
        let client = try RawClient(port: port)
        let answer = try client.get("/large")
        #expect(answer.body.utf8.count == 20_000_000)
        #expect(try client.get("/hello").body == "hello")
      }
    }
  }

  @Test func severalLoopsShareTheConnections() async throws {
    let threads = Counter()
    var router = Router()
    router.on("GET", "/thread") { _ in
      await threads.note(UInt64(pthread_self()))
      return HTTPResponse(text: "ok")
    }
    try await withServer(router, loops: 3) { port in
      try await blocking { () throws in
        for _ in 0..<9 { #expect(try RawClient(port: port).get("/thread").body == "ok") }
      }
    }
    #expect(await threads.noted.count == 3)
  }

  @Test func aPortThatIsTakenIsSaid() async throws {
    try await withServer(sampleRouter()) { port in
      let loops = try EventLoopGroup()
      let other = HTTPServer(configuration: .init(port: port), loops: loops, router: sampleRouter())
      await #expect(throws: SystemError("bind", code: EADDRINUSE)) { _ = try await other.start() }
      loops.stop()
    }
  }
}

/// Counts what happens at one time, and remembers numbers.
actor Counter {
  private var count = 0
  private(set) var noted: Set<UInt64> = []

  func begin() -> Int {
    count += 1
    return count
  }

  func end() { count -= 1 }

  func note(_ number: UInt64) { noted.insert(number) }
}
