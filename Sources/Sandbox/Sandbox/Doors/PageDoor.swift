import CSandboxPage
import Formats
import Network

/// What is in the sandbox, for people: phones to type into, and carriers with their faults. The page asks `/page.json`
/// again and again, and does through `/sandbox` what programs do.
struct PageDoor: Sendable {
  let core: SandboxCore

  private static let shownPhones = 50
  private static let shownMessages = 100
  private static let openPhones = 6

  func routes(_ router: inout Router) {
    let files: [(path: String, type: String, piece: sandbox_page_piece)] = [
      ("/", "text/html; charset=utf-8", sandbox_page()),
      ("/page.css", "text/css; charset=utf-8", sandbox_page_style()),
      ("/page.js", "text/javascript; charset=utf-8", sandbox_page_script()),
      ("/icon.svg", "image/svg+xml", sandbox_page_icon()),
    ]
    for (path, type, piece) in files {
      let response = Self.file(type, Array(UnsafeBufferPointer(start: piece.bytes, count: piece.count)))
      router.on("GET", path) { _ in response }
    }
    router.on("GET", "/page.json") { request in
      do throws(SandboxRefusal) {
        return try world(request)
      } catch {
        return ControlDoor.response(error)
      }
    }
  }

  /// The phones that had the newest texts, those that lie open (`?phones=`, digits with commas between), the carriers.
  private func world(_ request: HTTPRequest) throws(SandboxRefusal) -> HTTPResponse {
    guard let items = request.queryItems(), items.allSatisfy({ $0.name == "phones" }) else {
      throw .invalidField("query", "may have phones only")
    }
    let open = items.flatMap { $0.value.split(separator: ",") }.prefix(Self.openPhones).map { PhoneNumber($0) }
    guard open.allSatisfy({ $0 != nil }) else { throw .invalidField("phones", "must be phone numbers") }
    let now = core.clock.now
    return core.change { world, _ in
      ControlDoor.json(200) { json in
        json.field("now", now)
        json.field("phones", world.phones.newest(Self.shownPhones)) { json, phone in
          json.object { json in
            json.field("number", phone.0.description)
            if let last = phone.1 {
              json.object("last") { json in last.writeShown(to: &json) }
            } else {
              json.field("last", nil as String?)
            }
          }
        }
        json.field("open", open.compactMap(\.self)) { json, number in
          json.object { json in
            world.write(phone: number, to: &json)
            let messages = world.phones[number]?.messages.suffix(Self.shownMessages).map(\.message) ?? []
            json.field("texts", messages) { json, message in json.object { json in message.writeShown(to: &json) } }
          }
        }
        json.field("carriers", world.carriers.indices) { json, index in
          json.object { json in world.write(carrier: index, to: &json) }
        }
      }
    }
  }

  private static func file(_ type: String, _ bytes: [UInt8]) -> HTTPResponse {
    HTTPResponse(
      headers: [
        "Content-Type": type, "Cache-Control": "no-cache", "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer", "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Content-Security-Policy":
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
          + "form-action 'none'; frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'; "
          + "trusted-types 'none'",
      ], body: .bytes(bytes))
  }
}

extension PhoneMessage {
  fileprivate func writeShown(to json: inout JSONWriter) {
    write(to: &json)
    json.field("sent", isSent)
  }
}
