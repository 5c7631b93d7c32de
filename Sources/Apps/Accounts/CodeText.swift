import GSMText

/// The text that brings a code.
///
/// Its last line is as browsers look for it ("Origin-bound one-time codes delivered via SMS", WICG): the host that may
/// read it, and the code. Always one part: an unusually long host costs the sentence before it.
struct CodeText: Sendable {
  let code: SignUpCode
  let host: String
  /// `en`, `fi` or `zh-Hans`.
  let locale: String

  private var lastLine: String { "@\(host) #\(code.digits)" }

  private var sentence: String {
    switch locale {
    case "fi": "\(code.digits) on Switchboard-koodisi. Älä kerro sitä kenellekään."
    case "zh-Hans": "Switchboard 验证码 \(code.digits)，请勿告诉他人。"
    default: "\(code.digits) is your Switchboard code. Tell it to nobody."
    }
  }

  /// The text, and how it goes out.
  var plan: TextPlan? {
    let whole = try? TextPlan("\(sentence)\n\n\(lastLine)", maximumParts: 1)
    return whole ?? (try? TextPlan(lastLine))
  }
}
