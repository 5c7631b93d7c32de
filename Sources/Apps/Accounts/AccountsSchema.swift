package import Database

/// The tables of signing up and of leaving.
package enum AccountsSchema {
  package static let migrations: [Migration] = [
    Migration(
      component: "accounts", number: 1,
      [
        // One for each number that waits for its code; gone when the code is used or over.
        """
        CREATE TABLE sign_ups (
          id {id} PRIMARY KEY, phone {text} NOT NULL, nonce {bytes} NOT NULL, guesses {integer} NOT NULL,
          expires {integer} NOT NULL
        ) {table}
        """,
        "CREATE UNIQUE INDEX sign_ups_phone ON sign_ups (phone)",
        "CREATE INDEX sign_ups_expires ON sign_ups (expires)",
        // When something happened lately to a number or an address, whose keyed hash is the subject.
        """
        CREATE TABLE sign_up_limits (
          kind {integer} NOT NULL, subject {bytes} NOT NULL, times {bytes} NOT NULL, until {integer} NOT NULL,
          PRIMARY KEY (kind, subject)
        ) {table}
        """,
        "CREATE INDEX sign_up_limits_until ON sign_up_limits (until)",
        """
        CREATE TABLE sign_up_days (
          day {integer} PRIMARY KEY, codes {integer} NOT NULL, requests {integer} NOT NULL
        ) {table}
        """,
        """
        CREATE TABLE account_terms (
          account {id} NOT NULL, version {text} NOT NULL, accepted {integer} NOT NULL, PRIMARY KEY (account, version)
        ) {table}
        """,
        """
        CREATE TABLE account_erasures (
          account {id} PRIMARY KEY, asked {integer} NOT NULL, erases {integer} NOT NULL, begun {integer} NOT NULL
        ) {table}
        """,
      ])
  ]
}
