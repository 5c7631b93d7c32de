import Accounts
import Database
import Exchange
import Texts

/// Every table of the program, component by component.
enum DatabaseSchema {
  static let migrations: [Migration] =
    ExchangeSchema.migrations + TextsSchema.migrations + AccountsSchema.migrations
}
