package import Contract

extension AccountID {
  /// The exchange itself, as the sender of sign-up codes. There is no such row among the accounts: nobody signs in as it,
  /// nobody has a key of it, and so nobody reads what it sent.
  package static let exchange = AccountID(ID128(high: 0, low: 1))
}
