import Contract
import Formats
import Foundation

/// One request on a connection of its own, and the answer with its header fields.
struct RawCall {
  var method: String
  var path: String
  /// May hold a name twice.
  var headers: [(name: String, value: String)] = []
  var body: [UInt8]?

  struct Answer {
    let status: Int
    let headers: [(name: String, value: String)]
    let body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }
    var json: JSONValue { (try? JSON.parse(body)) ?? .null }
    /// The parts of `{"error": …}`.
    var code: String? { json["error"]?["code"]?.string }
    var message: String { json["error"]?["message"]?.string ?? "" }
    var detail: String { json["error"]?["detail"]?.string ?? "" }

    func all(_ name: String) -> [String] {
      headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }
  }

  func send(to address: String, within limit: Duration = .seconds(30)) async throws -> Answer {
    let connection = try RawConnection(address)
    var head = "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(connection.port)\r\nConnection: close\r\n"
    for (name, value) in headers { head += "\(name): \(value)\r\n" }
    if let body { head += "Content-Length: \(body.count)\r\n" }
    return try await Self.exchange(Array("\(head)\r\n".utf8) + (body ?? []), connection, within: limit)
  }

  /// Sends bytes as they are, and reads the answer to its end.
  static func exchange(
    _ bytes: [UInt8], _ connection: RawConnection, within limit: Duration = .seconds(30)
  ) async throws -> Answer {
    connection.send(bytes)
    let end = ContinuousClock.now + limit
    var answer: [UInt8] = []
    while ContinuousClock.now < end {
      guard let more = connection.read() else { return try read(answer) }
      answer += more
      // Whoever refuses a request early may keep the connection to read on for a moment.
      if let whole = try? read(answer), whole.isComplete { return whole }
      if more.isEmpty { await Task.yield() }
    }
    throw Failure("no whole answer: \(String(decoding: answer.prefix(500), as: UTF8.self))")
  }

  private static func read(_ bytes: [UInt8]) throws -> Answer {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let end = text.range(of: "\r\n\r\n") else { throw Failure("no answer: \(text.prefix(500))") }
    let lines = text[..<end.lowerBound].components(separatedBy: "\r\n")
    let status = lines[0].split(separator: " ").dropFirst().first.flatMap { Int($0) }
    guard let status else { throw Failure("no status: \(lines[0])") }
    let headers = lines.dropFirst().compactMap { line in
      line.firstIndex(of: ":").map { colon in
        (name: String(line[..<colon]), value: line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces))
      }
    }
    return Answer(status: status, headers: headers, body: Array(text[end.upperBound...].utf8))
  }
}

extension RawCall.Answer {
  fileprivate var isComplete: Bool {
    all("content-length").first.flatMap { Int($0) }.map { body.count >= $0 } ?? (status == 204)
  }
}
