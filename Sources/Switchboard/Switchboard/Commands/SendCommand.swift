import Contract
import Cryptography
import Database
import Delivery
import Exchange
import Formats
import Foundation
import PhoneNumbers
import Runtime
import Texts

enum SendCommand: Command {
  static let name = "send"
  static let summary = "send one text message, and see what becomes of it"
  static let help = """
    switchboard send --to NUMBER --text TEXT [--from SENDER] [--class normal] [--carrier NAME] [--account ID]
                     [--wait [--seconds 60]] [--data DIR] [--json]

    Writes the message into the exchange's database; the running server sends it. With --wait its life is shown until
    it has ended. It belongs to the first admin account, or to --account.
    Ends with 0 when accepted (with --wait: delivered), 3 when it ended otherwise, 4 when nothing final is known yet.

    Example: switchboard send --to '+358 40 123 4567' --text 'Hello' --wait
    """

  static func run(_ arguments: inout Arguments) async throws -> ExitStatus {
    let folder = try DataFolder(&arguments)
    var request = TextRequest(to: try arguments.required("--to"), text: try arguments.required("--text"))
    request.from = try arguments.value("--from")
    request.carrier = try arguments.value("--carrier")
    if let name = try arguments.value("--class") {
      guard let known = DeliveryClass(name: name) else {
        throw UsageError("--class is one of code, alarm, normal, bulk.")
      }
      request.deliveryClass = known
    }
    let owner = try arguments.value("--account").map { text throws(UsageError) in
      guard let id = AccountID(text) else { throw UsageError("--account is an account's id.") }
      return id
    }
    let waits = arguments.flag("--wait")
    let seconds = try arguments.integer("--seconds", in: 1...86_400) ?? 60
    let isJSON = arguments.flag("--json")
    try arguments.finish()
    return try await folder.open().use { [request] open in
      let id = try await accept(request, owner, open)
      if !waits {
        Output.line(isJSON ? "{\"id\":\"\(id)\"}" : "Accepted as \(id).")
        return .done
      }
      if !isJSON { Output.line("\(id) to \(request.to)") }
      return try await follow(id, for: .seconds(seconds), isJSON, open)
    }
  }

  private static func accept(_ request: TextRequest, _ owner: AccountID?, _ open: OpenFolder) async throws -> MessageID
  {
    let settings = try ServerSettings.load(folder: open.folder)
    let composer = TextComposer(
      numbers: PhoneNumberParser(), prices: settings.prices, defaultDailyCap: settings.dailyCap)
    let now = SystemClock().now
    let acceptance = try await open.database.transaction { tx in
      let account = try owner.map { try open.accounts.account($0, tx: tx) } ?? open.accounts.firstAdmin(tx: tx)
      guard let account else {
        throw CommandError("There is no account to send from; `switchboard account create --role admin` makes one.")
      }
      let routes = RouteTable(try CarrierStore(key: open.key).carriers(tx: tx).map(\.route))
      let delivery: NewDelivery
      do throws(APIError) { delivery = try composer.compose(request, for: account, routes: routes, at: now) } catch {
        throw CommandError(error.description)
      }
      var events = EventBatch()
      let acceptance = try open.outbox.accept(delivery, at: now, events: &events, tx: tx)
      _ = try events.write(in: tx, at: now)
      return acceptance
    }
    switch acceptance {
    case .accepted(let id, _, _), .repeated(let id): return id
    case .keyReused: throw CommandError("This message was accepted before.")
    case .overCap(let spent, let cap):
      let amounts = [spent, cap].map { Price(micros: $0, currency: "").amount }
      throw CommandError("The account's limit for today is reached: \(amounts[0]) of \(amounts[1]). Nothing was kept.")
    }
  }

  private static let answerGrace: Duration = .seconds(2)

  /// Prints each step of the message's life as it comes.
  private static func follow(
    _ id: MessageID, for limit: Duration, _ isJSON: Bool, _ open: OpenFolder
  ) async throws -> ExitStatus {
    let end = SystemClock().now + limit
    var shown = 0
    while true {
      let (view, steps, state, awaitsAnswer) = try await look(at: id, open)
      // A receipt that overtook the answer: the answer comes in a moment, if it comes at all.
      if awaitsAnswer, let last = steps.last, SystemClock().now < min(end, last.at + answerGrace) {
        try await Task.sleep(for: .milliseconds(10))
        continue
      }
      if !isJSON {
        for step in steps.dropFirst(shown) { Output.line(line(step)) }
        shown = max(shown, steps.count)
      }
      if state.isFinal || SystemClock().now >= end {
        if isJSON { Output.bytes(view) }
        if !state.isFinal {
          Output.error(
            "Nothing final is known after \(limit.inMilliseconds / 1000) s; the message is \(state.name). Is the server running?"
          )
          return .stillOpen
        }
        return state == .delivered ? .done : .notDelivered
      }
      try await Task.sleep(for: .milliseconds(50))
    }
  }

  private static func look(
    at id: MessageID, _ open: OpenFolder
  ) async throws -> (view: [UInt8], steps: [MessageView.Step], state: DeliveryState, awaitsAnswer: Bool) {
    try await open.database.read { tx in
      guard let record = try open.outbox.delivery(id, tx: tx) else { throw CommandError("The message is gone.") }
      let attempts = try open.outbox.attempts(of: id, tx: tx)
      let receipts = try open.outbox.receipts(of: id, tx: tx)
      let routes = RouteTable(try CarrierStore(key: open.key).carriers(tx: tx).map(\.route))
      let view = MessageView(
        record, body: open.outbox.openedBody(of: record).flatMap(TextBody.init(bytes:)), routes: routes)
      var json = JSONWriter()
      view.write(&json, attempts: attempts, receipts: receipts)
      return (
        json.bytes, view.timeline(attempts, receipts), record.state, attempts.last?.awaitsAnswer ?? false
      )
    }
  }

  private static func line(_ step: MessageView.Step) -> String {
    var line = "  \(step.at)  \(step.event)"
    if let attempt = step.attempt { line += " \(attempt)" }
    if let carrier = step.carrier { line += " by \(carrier)" }
    if let id = step.carrierID { line += " as \(id)" }
    if let detail = step.detail { line += ": \(detail)" }
    return line
  }
}
