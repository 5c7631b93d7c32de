package import Exchange

/// What the conversations keep of an account, for when it is erased.
package enum TextsErasure {
  package static let step: AccountEraser.Step = { account, limit, tx in
    try ConversationIndex.eraseConversations(of: account, atMost: limit, tx: tx)
  }
}
