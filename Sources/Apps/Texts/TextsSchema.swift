package import Database

/// The tables of conversations. They say nothing that deliveries and the inbox do not say, and can be built again from
/// those; states, errors and texts are read there.
package enum TextsSchema {
  package static let migrations: [Migration] = [
    Migration(
      component: "texts", number: 1,
      [
        // Of the accounts that look at conversations: how far their messages have been gone through.
        """
        CREATE TABLE conversation_marks (account {id} PRIMARY KEY, outgoing {id} NOT NULL, incoming {id} NOT NULL)
        {table}
        """,
        """
        CREATE TABLE conversations (
          account {id} NOT NULL, peer {text} NOT NULL, folded_peer {text} NOT NULL, last_id {id} NOT NULL,
          last_kind {integer} NOT NULL, last_outgoing {id}, PRIMARY KEY (account, peer)
        ) {table}
        """,
        "CREATE INDEX conversations_last ON conversations (account, last_id)",
        """
        CREATE TABLE conversation_entries (
          account {id} NOT NULL, peer {text} NOT NULL, id {id} NOT NULL, kind {integer} NOT NULL,
          PRIMARY KEY (account, peer, id)
        ) {table}
        """,
        // Searched from end to end: dense, and nothing in it but what a search needs.
        """
        CREATE TABLE conversation_texts (
          account {id} NOT NULL, id {id} NOT NULL, kind {integer} NOT NULL, peer {text} NOT NULL,
          folded {text} NOT NULL, PRIMARY KEY (account, id)
        ) {table}
        """,
      ])
  ]
}
