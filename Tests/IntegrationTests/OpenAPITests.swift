import Contract
import Formats
import Foundation
import Testing

/// The document says what the server does: its addresses here, its answers by `Scripts/openapi`.
@Suite(.demo("--log-level", "debug"))
struct OpenAPITests {
  private static let methods: Set = ["get", "put", "post", "delete", "options", "head", "patch", "trace"]

  /// What is for programs; the rest are the pages and the files of the web app.
  private static let programs = ["/api/", "/hooks/", "/health/", "/metrics", "/openapi.json", "/docs/"]

  @Test("The document has every address of the server with its methods, and no other")
  func sameAddresses() async throws {
    let demo = try Demo.current()
    let served = demo.program.printed.matches(of: /An address is served\. method=(\S+) path=(\S+)/)
      .filter { match in Self.programs.contains { match.2.hasPrefix($0) } }.map { "\($0.1) \($0.2)" }
    #expect(served.count > 10)
    let document = try await demo.raw("GET", "/openapi.json").json
    var described: [String] = []
    for path in try #require(document["paths"]?.object) {
      for member in path.value.object ?? [] where Self.methods.contains(member.key) {
        described.append("\(member.key.uppercased()) \(path.key)")
      }
    }
    #expect(Set(described) == Set(served))
  }

  @Test("Every code of an error is in the document, and every code of the document is one")
  func sameCodes() async throws {
    let demo = try Demo.current()
    let document = try await demo.raw("GET", "/openapi.json").json
    var codes: Set<String> = []
    for response in try #require(document["components"]?["responses"]?.object).map(\.value) + operations(document) {
      for example in response["content"]?["application/json"]?["examples"]?.object ?? [] {
        guard let code = example.value["value"]?["error"]?["code"]?.string else { continue }
        codes.insert(code)
        let row = APIError.Row.all.first { $0.code == code }
        #expect(row?.message == example.value["value"]?["error"]?["message"]?.string, "\(code) says something else")
      }
    }
    #expect(codes == Set(APIError.Row.all.map(\.code)))
  }

  /// The answers that stand at the operations themselves.
  private func operations(_ document: JSONValue) -> [JSONValue] {
    (document["paths"]?.object ?? []).flatMap { path in
      (path.value.object ?? []).flatMap { method in method.value["responses"]?.object?.map(\.value) ?? [] }
    }
  }

  @Test("Every code is explained where an error points to")
  func explained() async throws {
    let demo = try Demo.current()
    let answer = try await demo.raw("GET", "/docs/errors")
    #expect(answer.status == 200)
    for row in APIError.Row.all { #expect(answer.text.contains(row.code), "\(row.code)") }
  }
}
