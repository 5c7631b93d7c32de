import Foundation
import HTTPClient
import Testing

@Suite("TLS", .timeLimit(.minutes(1)))
struct TLSTests {
  @Test("A server with an authority of its own is trusted where that is named, and only there")
  func ownAuthority() async throws {
    let server = try TLSServer()
    defer { server.stop() }
    let (port, certificate) = (server.port, server.certificate)
    try await withClient { client async throws in
      var trusting = local("https://127.0.0.1:\(port)/")
      trusting.authoritiesFile = certificate
      for _ in 0..<2 {
        #expect(try await client.send(trusting).status == 200)
        // Neither the connection nor the trust of the request before may help this one.
        #expect(await client.failure(local(trusting.url)) == .notSent(.tlsFailed))
      }
      var otherName = trusting
      otherName.url = "https://localhost:\(port)/"
      #expect(await client.failure(otherName) == .notSent(.tlsFailed))
      var missingFile = trusting
      missingFile.authoritiesFile = certificate + ".missing"
      #expect(await client.failure(missingFile) == .notSent(.tlsFailed))
      #expect(try await client.send(trusting).status == 200)
    }
  }

  @Test("A server that speaks no TLS: not sent")
  func plainServer() async throws {
    let server = try ScriptedServer { connection in
      connection.readByte()
      connection.write("HTTP/1.1 400 Bad Request\r\n\r\n")
    }
    try await withClient(server) { client async throws in
      let url = "https://127.0.0.1:\(server.port)/"
      #expect(await client.failure(local(url, method: "POST", body: "x")) == .notSent(.tlsFailed))
    }
  }

  @Test("A server that closes in the midst of the handshake: not sent")
  func closedHandshake() async throws {
    let server = try ScriptedServer { connection in connection.readByte() }
    try await withClient(server) { client async throws in
      let error = await client.failure(local("https://127.0.0.1:\(server.port)/"))
      #expect(error == .notSent(.tlsFailed) || error == .notSent(.connectFailed))
    }
  }

  @Test("A server that never answers the handshake: not sent, after the time for connecting")
  func silentHandshake() async throws {
    let server = try ScriptedServer { connection in connection.waitForClose() }
    try await withClient(server) { client async throws in
      var request = local("https://127.0.0.1:\(server.port)/")
      request.connectTimeout = .milliseconds(150)
      #expect(await client.failure(request) == .notSent(.connectTimedOut))
    }
  }
}

/// OpenSSL's own test server with a new certificate for 127.0.0.1.
private final class TLSServer {
  let port: Int
  let certificate: String
  private let process = Process()
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "tls-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    certificate = folder.appending(path: "certificate.pem").path
    let key = folder.appending(path: "key.pem").path
    let request = Process()
    request.executableURL = URL(filePath: "/usr/bin/openssl")
    request.arguments = [
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj",
      "/CN=test",
      "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate,
    ]
    request.standardError = FileHandle.nullDevice
    try request.run()
    request.waitUntilExit()

    let output = Pipe()
    process.executableURL = request.executableURL
    process.arguments = ["s_server", "-www", "-accept", "127.0.0.1:0", "-cert", certificate, "-key", key]
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.run()
    // It says "ACCEPT 127.0.0.1:<port>" once it listens.
    var said = ""
    var found: Int?
    while found == nil {
      let data = output.fileHandleForReading.availableData
      if data.isEmpty { break }
      said += String(decoding: data, as: UTF8.self)
      found = said.firstMatch(of: /ACCEPT 127\.0\.0\.1:(\d+)\s/).flatMap { Int($0.1) }
    }
    port = try #require(found)
  }

  func stop() {
    // Not SIGTERM: a process started from a thread of the pool inherits that it is blocked.
    kill(process.processIdentifier, SIGKILL)
    try? FileManager.default.removeItem(at: folder)
  }
}
