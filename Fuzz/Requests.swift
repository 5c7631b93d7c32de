import CarrierProfiles
import Contract
import Formats
import GSMText
import HTTPSMS
import SMSGlobal

/// Messages and settings of any kind made into requests: nothing in them adds a field, a line or another address, and
/// the carrier's side reads the text that was written.
enum Requests {
  static func run(_ input: inout Input) {
    let flags = input.byte()
    let from = String(decoding: input.line(), as: UTF8.self)
    let reference = String(decoding: input.line(), as: UTF8.self)
    let setting = String(decoding: input.line(), as: UTF8.self)
    guard let plan = try? TextPlan(input.text) else { return }
    var submission = Submission(
      id: ID128(high: 1, low: UInt64(flags)), reference: reference, to: "+358401234567",
      from: from.isEmpty ? nil : from, plan: plan, flash: flags & 1 != 0,
      validity: flags & 2 != 0 ? .milliseconds(Int64(flags) * 1_000_000) : nil,
      callbackURL: flags & 4 != 0 ? setting : nil, wantsReceipt: flags & 8 == 0)
    for profile in CarriersHarness.all {
      let settings = [
        "user": setting, "password": setting, "account": setting, "token": setting, "sender": "Info",
      ]
      guard let call = request(profile, submission, settings) else { continue }
      check(call)
      switch profile.name {
      case "httpsms": httpsms(call, plan, setting)
      case "smsglobal": smsglobal(call, plan, setting)
      default:
        require(call.url.hasPrefix("https://api.telecom.example/v2/"), "another address")
        let text = (try? JSON.parse(call.body))?["message"]?["text"]?.string
        require(text == plan.text, "the body is not JSON with the text")
      }
    }
    submission.to = from
    for profile in CarriersHarness.all { _ = request(profile, submission, ["user": "u", "password": "p"]) }
  }

  private static func request(
    _ profile: CarrierProfile, _ submission: Submission, _ settings: [String: String]
  ) -> CarrierCall? {
    let known = Set(profile.settings.map(\.name))
    do throws(SubmissionRefusal) {
      return try profile.request(for: submission, settings: settings.filter { known.contains($0.key) })
    } catch {
      require(!error.sentence.isEmpty && error.sentence.isOneLine, "a refusal that can not be shown")
      return nil
    }
  }

  static func check(_ call: CarrierCall) {
    require(!call.url.isEmpty && call.url.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }, "an address that is none")
    for header in call.headers {
      require(header.name.isOneLine && header.value.isOneLine, "a header with a line end")
    }
    require(!call.description.contains(CarriersHarness.secret), "a description shows the message")
  }

  private static func httpsms(_ call: CarrierCall, _ plan: TextPlan, _ setting: String) {
    require(call.url == "https://sms1.cardboardfish.com:9444/HTTPSMS", "another address")
    let fields = FormField.decode(call.body)
    let names = ["S", "UN", "P", "DA", "SA", "ST", "M", "DC", "DR", "UR", "V"]
    require(
      Set(fields.map(\.name)).isSubset(of: names) && Set(fields.map(\.name)).count == fields.count, "other fields")
    require(fields.first { $0.name == "P" }.map { $0.value.elementsEqual(setting.utf8) } ?? false, "another password")
    do throws(HTTPSMSRefusal) {
      let submit = try HTTPSMSSubmit(fields: fields.map { ($0.name, $0.value) })
      HTTPSMSDoor.check(submit)
      require(submit.content.text == plan.text, "the carrier reads another text")
      require(submit.parts <= plan.partCount, "the carrier counts more parts")
      require(submit.destinations.map(\.number) == ["358401234567"], "the carrier reads another number")
    } catch {
      // What the profile can not know beforehand: an empty text, and what operators set in vain.
      let isExcused = plan.text.isEmpty || ["UR", "SA", "ST", "UN"].contains { error.reason.hasPrefix($0) }
      require(isExcused, "the carrier's side refuses: \(error.reason)")
    }
  }

  private static func smsglobal(_ call: CarrierCall, _ plan: TextPlan, _ setting: String) {
    require(call.url == "https://api.smsglobal.com/http-api.php", "another address")
    let fields = FormField.decode(call.body)
    let names = [
      "action", "user", "password", "from", "to", "text", "clientcharset", "maxsplit", "api", "userfield",
    ]
    require(
      Set(fields.map(\.name)).isSubset(of: names) && Set(fields.map(\.name)).count == fields.count, "other fields")
    guard let submit = try? SMSGlobalSubmit(fields: fields.map { ($0.name, $0.value) }) else { return }
    SMSGlobalDoor.check(submit)
    require(submit.to == ["358401234567"] && submit.partLimit == plan.partCount, "the carrier reads another number")
    // A text that is itself url-encoded may be decoded once more, as the vendor asks.
    if !plan.text.contains("%") { require(submit.text == plan.text, "the carrier reads another text") }
  }
}
