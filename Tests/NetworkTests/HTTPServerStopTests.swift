import Foundation
import Network
import Runtime
import Testing

@Suite struct HTTPServerStopTests {
  @Test func whatIsInHandIsFinishedAndNothingNewIsTaken() async throws {
    let arrived = Gate()
    let finish = Gate()
    var router = sampleRouter()
    router.on("POST", "/work") { request in
      await arrived.open()
      await finish.pass()
      return HTTPResponse(text: "done")
    }
    let loops = try EventLoopGroup()
    let server = HTTPServer(configuration: .init(), loops: loops, router: router)
    let (_, port) = try await server.start()
    let service: any Service = server
    let running = Task { try await service.run() }

    let idle = try RawClient(port: port)
    try await blocking { () throws in #expect(try idle.get("/hello").status == 200) }
    let working = try RawClient(port: port)
    working.send("POST /work HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx")
    #expect(await arrived.passes())
    let partial = try RawClient(port: port)
    partial.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nab")
    try await blocking { () throws in #expect(try RawClient(port: port).get("/hello").status == 200) }

    running.cancel()
    try await blocking {
      // An idle connection ends at once.
      #expect(try idle.readToEnd().isEmpty)
      #expect(throws: (any Error).self) { try RawClient(port: port) }
      partial.send("cd")
      let answer = try partial.answer()
      #expect(answer.body == "abcd")
      #expect(answer.header("Connection") == "close")
    }
    await finish.open()
    try await blocking {
      let answer = try working.answer()
      #expect(answer.body == "done")
      #expect(answer.header("Connection") == "close")
      #expect(try working.readToEnd().isEmpty)
      partial.close()
      working.close()
    }
    try await running.value
    loops.stop()
  }

  @Test func eventStreamsEndAtOnce() async throws {
    var router = Router()
    router.on("GET", "/events") { _ in
      HTTPResponse(eventStream: { writer in
        while true {
          try await writer.write(ServerSentEvent.comment("here"))
          try await Task.sleep(for: .seconds(3600))
        }
      })
    }
    var configuration = HTTPServer.Configuration()
    // Should the stream not be ended, the test would wait for this.
    configuration.stopTimeout = .seconds(3600)
    let loops = try EventLoopGroup()
    let server = HTTPServer(configuration: configuration, loops: loops, router: router)
    let (_, port) = try await server.start()
    let running = Task { try await server.run() }
    let client = try RawClient(port: port)
    try await blocking {
      client.send("GET /events HTTP/1.1\r\nHost: a\r\n\r\n")
      _ = try client.read(upTo: ": here\n\n\r\n")
    }
    running.cancel()
    try await blocking { () throws in
      #expect(try client.readToEnd().isEmpty)
      client.close()
    }
    try await running.value
    loops.stop()
  }

  @Test func whatDoesNotEndIsCutOffWhenTheTimeIsOver() async throws {
    let arrived = Gate()
    let cancelled = Gate()
    let reports = Lock<[String]>([])
    var router = Router()
    router.on("GET", "/forever") { _ in
      await arrived.open()
      try? await Task.sleep(for: .seconds(3600))
      await cancelled.open()
      return HTTPResponse()
    }
    var configuration = HTTPServer.Configuration()
    configuration.stopTimeout = .milliseconds(50)
    configuration.report = { sentence, _ in reports.withLock { $0.append(sentence) } }
    let loops = try EventLoopGroup()
    let server = HTTPServer(configuration: configuration, loops: loops, router: router)
    let (_, port) = try await server.start()
    let running = Task { try await server.run() }
    let client = try RawClient(port: port)
    client.send("GET /forever HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(await arrived.passes())
    running.cancel()
    try await running.value
    #expect(await cancelled.passes())
    try await blocking { () throws in #expect(try client.readToEnd().isEmpty) }
    #expect(reports.withLock { $0 } == ["requests were cut off, as the time to stop was over"])
    loops.stop()
  }
}
