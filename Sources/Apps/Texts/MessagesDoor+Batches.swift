import Contract
import Cryptography
import Delivery
import Doors
import Exchange
import Formats
import Network
import Runtime

extension MessagesDoor {
  /// One message of a batch: a delivery, or why it can be none.
  private struct Composed {
    var key: String?
    var hash: [UInt8]?
    var result: Result<NewDelivery, APIError>
  }

  /// Each message of a batch is judged by itself; an answer stands for each, in order.
  func sendBatch(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
    let key = try Self.idempotencyKey(request)
    let routes = dispatcher.routes
    let composed = try request.jsonObject { fields throws(APIError) in
      guard let messages = try fields.array("messages") else { throw fields.invalid("messages", "is missing") }
      guard (1...Self.mostInBatch).contains(messages.count) else {
        throw fields.invalid("messages", "has from 1 to \(Self.mostInBatch) entries")
      }
      return messages.enumerated().map { compose($1, $0, key, caller, routes) }
    }
    var answers = try await acceptor.accept(composed.compactMap { try? $0.result.get() })[...]
    var views: [Result<MessageView, APIError>] = []
    for message in composed {
      switch message.result {
      case .success(let delivery): views.append(try await view(answers.removeFirst(), delivery))
      case .failure(let error):
        if let before = try await earlier(message.key, message.hash, caller) {
          views.append(try await repeated(before))
        } else {
          views.append(.failure(error))
        }
      }
    }
    return .json(202, Self.items(views))
  }

  private static func items(_ views: [Result<MessageView, APIError>]) -> [UInt8] {
    JSONWriter.object { json in
      json.field("items", views) { json, view in
        switch view {
        case .success(let view): view.write(&json)
        case .failure(let error):
          json.object { json in
            json.object("error") { json in
              json.field("code", error.code)
              json.field("message", error.message)
              json.field("detail", error.detail)
            }
          }
        }
      }
    }
  }

  private func compose(
    _ value: JSONValue, _ index: Int, _ key: String?, _ caller: Caller, _ routes: RouteTable
  ) -> Composed {
    // A space is in no key that somebody sends, so that no message of a batch has the key of another request.
    var composed = Composed(key: key.map { "\($0) \(index)" }, result: .failure(APIError(.internalError)))
    composed.result = Result { () throws(APIError) in
      guard let members = value.object else {
        throw APIError(.invalidField, detail: "messages[\(index)] must be an object")
      }
      var fields = JSONFields(members, path: "messages[\(index)].")
      let asked = try TextRequest(&fields)
      try fields.finish()
      if key != nil { composed.hash = SHA256.hash(Array("\(asked)".utf8)) }
      var delivery = try composer.compose(asked, for: caller.account, routes: routes, at: clock.now)
      delivery.idempotencyKey = composed.key
      delivery.requestHash = composed.hash
      return delivery
    }
    return composed
  }

  private func view(_ acceptance: Acceptance, _ delivery: NewDelivery) async throws -> Result<MessageView, APIError> {
    switch acceptance {
    case .accepted(let id, let state, let at):
      return .success(view(DeliveryRecord(accepted: delivery, id: id, state: state, at: at)))
    case .repeated(let id): return try await repeated(id)
    case .keyReused: return .failure(APIError(.idempotencyKeyReused))
    case .overCap(let spent, let cap): return .failure(Self.overCap(spent, cap))
    }
  }

  private func repeated(_ id: MessageID) async throws -> Result<MessageView, APIError> {
    try await firstAnswer(id).map { .success(view($0)) } ?? .failure(APIError(.notFound))
  }
}
