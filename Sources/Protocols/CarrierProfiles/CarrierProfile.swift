import Formats
package import GSMText

/// A carrier as data: how a message is handed over, what the answers mean, and how receipts and incoming messages are
/// read. One JSON5 file; `Docs/CarrierProfiles.md` explains the language.
///
/// Everything is compiled when the profile is read. Using it touches no clock, no file and no socket.
package struct CarrierProfile: Sendable {
  package let name: String
  package let title: String
  /// What the operator should know, such as traps of this carrier.
  package let about: String
  package let file: String
  /// What the operator gives, in the order in which to ask.
  package let settings: [SettingField]
  package let limits: Limits
  package let rates: Rates
  /// How long an answer is waited for; then the attempt is uncertain.
  package let timeout: Duration
  /// Whether the carrier can send receipts and messages to us.
  package var takesCallbacks: Bool { incoming?.push != nil }
  /// The methods with which the carrier's calls come.
  package var callbackMethods: [String] { incoming?.push?.methods ?? [] }
  /// How often to ask the carrier for receipts and messages; nil when it can not be asked.
  package var pollInterval: Duration? { incoming?.poll?.interval }

  let settingKinds: [String: SettingField.Kind]
  let defaults: [String: String]
  let identifiers: IdentifierStyle
  let submit: RequestTemplate
  let answers: [AnswerRule]
  let incoming: Incoming?
  let examples: Examples

  package struct Limits: Sendable, Equatable {
    /// Numbers in one call. The engine hands over one message a call.
    package var recipients: Int
    /// Parts of one message.
    package var gsm7Parts: Int
    package var ucs2Parts: Int
    /// Characters of a reference; a longer one is not sent.
    package var referenceLength: Int
    /// The longest time that the carrier tries; a longer one is cut to it.
    package var validity: Duration?
    package var sender: Sender

    package struct Sender: Sendable, Equatable {
      package var isRequired: Bool
      /// Most letters of a name; 0 where the carrier takes none.
      package var letters: Int
      /// Most digits of a number; 0 where the carrier takes none.
      package var digits: Int
    }

    package func parts(_ encoding: TextEncoding) -> Int {
      switch encoding {
      case .gsm7: gsm7Parts
      case .ucs2: ucs2Parts
      }
    }
  }

  /// What the carrier takes in a second; nil where it sets no limit.
  package struct Rates: Sendable, Equatable {
    package var messagesPerSecond: Double?
    package var partsPerSecond: Double?
  }

  struct Incoming: Sendable {
    struct Push: Sendable {
      let methods: [String]
      let source: IncomingReader.Source
      let answer: CallbackAnswer
    }

    struct Poll: Sendable {
      let request: RequestTemplate
      let interval: Duration
      let source: IncomingReader.Source
      /// As many records mean that there may be more.
      let full: Int?
    }

    let push: Push?
    let poll: Poll?
    let reader: IncomingReader
  }

  /// What is wrong with settings that an operator gives, a sentence each; empty when all is well.
  package func problems(withSettings given: [String: String]) -> [String] {
    var problems: [String] = []
    for field in settings {
      let value = given[field.name].flatMap { $0.isEmpty ? nil : $0 } ?? field.defaultValue
      if let value {
        if let problem = field.problem(with: value) { problems.append(problem) }
      } else if field.isRequired {
        problems.append("\(field.title) is missing.")
      }
    }
    for name in given.keys.sorted() where settingKinds[name] == nil {
      problems.append("\(Shown.text(name, limit: 40)) is no setting of \(title).")
    }
    return problems
  }

  /// The settings in force: given ones, and defaults for what is missing or empty.
  func effective(_ given: [String: String]) -> [String: String] {
    defaults.isEmpty ? given : defaults.merging(given) { $1.isEmpty ? $0 : $1 }
  }
}
