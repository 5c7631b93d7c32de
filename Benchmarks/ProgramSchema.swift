import Accounts
import Database
import Exchange
import Texts

/// Every table of the program, for databases that it opens as well.
enum ProgramSchema {
  static let migrations: [Migration] =
    ExchangeSchema.migrations + TextsSchema.migrations + AccountsSchema.migrations
}
