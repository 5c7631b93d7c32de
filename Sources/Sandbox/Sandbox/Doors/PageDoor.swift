import Contract
import Network

/// What is in the sandbox, for people: pages without scripts that look again every few seconds.
struct PageDoor: Sendable {
  let core: SandboxCore

  private static let shownPhones = 100
  private static let shownMessages = 200

  func routes(_ router: inout Router) {
    router.on("GET", "/") { _ in Self.page("Sandbox", world()) }
    router.on("GET", "/phones/{number}") { request in
      guard let number = PhoneNumber(request.parameters["number"] ?? "") else {
        return ControlDoor.response(.notFound("phone"))
      }
      return Self.page(number.description, phone(number))
    }
    router.on("GET", "/style.css") { _ in
      HTTPResponse(contentType: "text/css; charset=utf-8", bytes: Array(Self.style.utf8))
    }
  }

  private func world() -> String {
    let now = core.clock.now
    return core.change { world, _ in
      let carriers = world.carriers.enumerated().map { index, carrier in
        [
          carrier.name, carrier.kind.rawValue, "\(carrier.counts.accepted)", "\(carrier.counts.refused)",
          "\(carrier.counts.told)", "\(world.lanes.count(ofCarrier: index) + carrier.polled.count)",
          carrier.faults.isOff ? "no" : "yes",
        ].map(Self.escape)
      }
      let phones = world.phones.newest(Self.shownPhones).map { number, message in
        [
          "<a href=\"/phones/\(number.digits)\">\(number)</a>", Self.escape(message?.at.description ?? ""),
          Self.escape(message?.text ?? ""),
        ]
      }
      return """
        <p>Carriers and phones that are not real. Their time is \(now). The interface is at <code>/sandbox/…</code></p>
        <h2>Carriers</h2>
        \(Self.table(["Name", "Kind", "Accepted", "Refused", "Told", "Still to tell", "Faults"], carriers))
        <h2>Phones</h2>
        \(Self.table(["Number", "Last at", "Last message"], phones))
        """
    }
  }

  private func phone(_ number: PhoneNumber) -> String {
    let messages = core.change { world, _ in world.phones[number]?.messages.suffix(Self.shownMessages) ?? [] }
    let rows = messages.map(\.message).map { message in
      [
        message.at.description, message.isSent ? "to \(message.to)" : "from \(message.from)",
        message.binary ?? message.text, "\(message.parts)",
      ].map(Self.escape)
    }
    return "<p><a href=\"/\">All phones</a></p>\n" + Self.table(["At", "", "Text", "Parts"], rows)
  }

  // MARK: - HTML

  /// - Parameter rows: cells in HTML.
  private static func table(_ head: [String], _ rows: [[String]]) -> String {
    let lines = rows.map { "<tr>" + $0.map { "<td>\($0)</td>" }.joined() + "</tr>" }
    let heads = head.map { "<th scope=\"col\">\($0)</th>" }.joined()
    return "<table><thead><tr>\(heads)</tr></thead>\n<tbody>\n\(lines.joined(separator: "\n"))\n</tbody></table>"
  }

  private static func escape(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  private static func page(_ title: String, _ body: String) -> HTTPResponse {
    let html = """
      <!doctype html>
      <html lang="en"><head><meta charset="utf-8"><title>\(title)</title>
      <meta name="viewport" content="width=device-width, initial-scale=1"><meta http-equiv="refresh" content="3">
      <link rel="stylesheet" href="/style.css"></head>
      <body><h1>\(title)</h1>
      \(body)
      </body></html>

      """
    return HTTPResponse(
      headers: [
        "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
        "Content-Security-Policy": "default-src 'none'; style-src 'self'; frame-ancestors 'none'; base-uri 'none'",
      ], body: .bytes(Array(html.utf8)))
  }

  private static let style = """
    :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
    body { margin: 1rem auto; max-width: 64rem; padding: 0 1rem; }
    table { border-collapse: collapse; width: 100%; }
    th, td { text-align: start; padding: .3rem .6rem; border-bottom: 1px solid #8886; vertical-align: top;
      overflow-wrap: anywhere; white-space: pre-wrap; }

    """
}
