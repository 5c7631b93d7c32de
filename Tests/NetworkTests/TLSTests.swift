import Foundation
import Network
import Testing

@Suite struct TLSTests {
  /// A key and a self-signed certificate for localhost, made by the openssl program.
  private func makeCertificate(in folder: URL) throws -> TLSFiles {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let files = TLSFiles(
      certificate: folder.appending(path: "certificate.pem").path, key: folder.appending(path: "key.pem").path)
    _ = try run([
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
      "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
      "-out", files.certificate, "-keyout", files.key,
    ])
    return files
  }

  /// Runs openssl and returns what it wrote.
  private func run(_ arguments: [String], input: String = "", mayFail: Bool = false) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/openssl")
    process.arguments = arguments
    let (input, text) = (Pipe(), input)
    let output = Pipe()
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    input.fileHandleForWriting.write(Data(text.utf8))
    // Open until the peer closes: s_client ends with its input.
    let data = output.fileHandleForReading.readDataToEndOfFile()
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
    if !mayFail, process.terminationStatus != 0 { throw RawClient.Failure(description: "openssl \(arguments)") }
    return String(decoding: data, as: UTF8.self)
  }

  private func withFolder(_ body: (URL) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "tls-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder)
  }

  @Test func servesOverTLS() async throws {
    try await withFolder { folder in
      let files = try makeCertificate(in: folder)
      var router = sampleRouter()
      router.on("GET", "/secure") { HTTPResponse(text: "\($0.isSecure) \($0.remoteAddress)") }
      router.on("GET", "/large") { _ in
        HTTPResponse(contentType: "text/plain", bytes: [UInt8](repeating: 0x61, count: 5_000_000))
      }
      let routes = router
      try await withServer(routes, .init(tls: files)) { port in
        try await blocking {
          for version in ["-tls1_2", "-tls1_3"] {
            let text = try run(
              [
                "s_client", "-connect", "127.0.0.1:\(port)", "-quiet", "-verify_return_error", "-CAfile",
                files.certificate, "-verify_hostname", "localhost", version,
              ],
              input: "GET /secure HTTP/1.1\r\nHost: a\r\n\r\n"
                + "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 30000\r\n\r\n\(String(repeating: "x", count: 30_000))"
                + "GET /large HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            #expect(text.contains("true 127.0.0.1"), "\(version)")
            #expect(text.contains("\r\n\r\n\(String(repeating: "x", count: 30_000))HTTP/1.1 200"))
            #expect(text.hasSuffix(String(repeating: "a", count: 5_000_000)))
          }
          let protocols = try run(
            ["s_client", "-connect", "127.0.0.1:\(port)", "-alpn", "h2,http/1.1"],
            input: "GET /hello HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
          #expect(protocols.contains("ALPN protocol: http/1.1"))
          let old = try run(
            ["s_client", "-connect", "127.0.0.1:\(port)", "-quiet", "-tls1_1", "-cipher", "ALL:@SECLEVEL=0"],
            mayFail: true)
          #expect(old.isEmpty)
          // A client without TLS hurts nobody.
          #expect(
            try RawClient(port: port).sendAndReadToEnd("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n").contains("200")
              == false)
        }
      }
    }
  }

  @Test func aHandshakeThatNeverComesIsGivenUp() async throws {
    try await withFolder { folder in
      var configuration = HTTPServer.Configuration(tls: try makeCertificate(in: folder))
      configuration.headTimeout = .milliseconds(100)
      try await withServer(sampleRouter(), configuration) { port in
        try await blocking { () throws in #expect(try RawClient(port: port).readToEnd().isEmpty) }
      }
    }
  }

  @Test func filesThatCanNotBeUsedAreNamed() async throws {
    try await withFolder { folder in
      let files = try makeCertificate(in: folder)
      let other = try makeCertificate(in: folder.appending(path: "other"))
      let loops = try EventLoopGroup()
      let wrong = [
        TLSFiles(certificate: "/nowhere.pem", key: files.key),
        TLSFiles(certificate: files.certificate, key: "/nowhere.pem"),
        TLSFiles(certificate: files.certificate, key: other.key),
      ]
      for files in wrong {
        let server = HTTPServer(configuration: .init(tls: files), loops: loops, router: sampleRouter())
        let error = await #expect(throws: TLSError.self) { _ = try await server.start() }
        #expect(error?.description.contains(".pem") == true)
      }
      loops.stop()
    }
  }
}

extension RawClient {
  func sendAndReadToEnd(_ text: String) throws -> String {
    send(text)
    return try readToEnd()
  }
}
