package import Contract
package import Exchange

/// Who a request is from, and what it may do.
package struct Caller: Sendable {
  package let account: AccountRecord
  package let way: Way

  package enum Way: Sendable {
    case key(KeyRecord)
    case session(SessionID)
  }

  package init(account: AccountRecord, way: Way) {
    self.account = account
    self.way = way
  }

  /// A person's session may do what the person may; a key may do what it says.
  package func require(_ scope: Scope) throws(APIError) {
    switch way {
    case .session: if scope != .admin || account.role == .admin { return }
    case .key(let key):
      let isAllowed = key.scopes.contains(scope) || key.scopes.contains(.all)
      if isAllowed, scope != .admin || account.role == .admin { return }
    }
    throw APIError(.scopeMissing, detail: scope.rawValue)
  }
}
