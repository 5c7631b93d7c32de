package import Contract

/// What an entry of a conversation is. The raw values are stored.
package enum EntryKind: Int, Sendable {
  case outgoing = 0
  case incoming = 1

  /// The word of the API.
  var name: String {
    switch self {
    case .outgoing: "out"
    case .incoming: "in"
    }
  }
}

/// A place in a list of conversations, or in one of them: the id of the message that stands there.
package enum ConversationPlaceKind: IdentifierKind {
  package static let prefix = "at"
}

package typealias ConversationPlace = Identifier<ConversationPlaceKind>

extension ConversationPlace {
  /// After everything.
  static let end = ConversationPlace(ID128(high: .max, low: .max))
}

/// One conversation as it stands in its table.
struct ConversationRow: Sendable, Equatable {
  let peer: String
  let last: ID128
  let lastKind: EntryKind
  let lastOutgoing: DeliveryID?
}

/// A text that a search found.
struct ConversationMatch: Sendable, Equatable {
  let id: ID128
  let kind: EntryKind
}
