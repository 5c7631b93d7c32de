package import Database

/// The tables that every room relies on. Row writes of one text message with a receipt: insert, lease, attempt,
/// answer, receipt; Docs/DeliveryLife.md says which is which.
package enum ExchangeSchema {
  package static let migrations: [Migration] = [
    Migration(
      component: "exchange", number: 1,
      [
        """
        CREATE TABLE accounts (
          id {id} PRIMARY KEY, phone {text}, name {text}, role {text} NOT NULL, password {text},
          locale {text} NOT NULL, zone {text} NOT NULL, region {text}, currency {text},
          daily_cap {integer}, created {integer} NOT NULL, updated {integer} NOT NULL
        ) {table}
        """,
        "CREATE UNIQUE INDEX accounts_phone ON accounts (phone) WHERE phone IS NOT NULL",
        """
        CREATE TABLE api_keys (
          id {id} PRIMARY KEY, account {id} NOT NULL, name {text}, hash {bytes} NOT NULL, scopes {text} NOT NULL,
          created {integer} NOT NULL
        ) {table}
        """,
        "CREATE UNIQUE INDEX api_keys_hash ON api_keys (hash)",
        "CREATE INDEX api_keys_account ON api_keys (account)",
        """
        CREATE TABLE sessions (
          id {id} PRIMARY KEY, account {id} NOT NULL, hash {bytes} NOT NULL, agent {text},
          created {integer} NOT NULL, expires {integer} NOT NULL
        ) {table}
        """,
        "CREATE UNIQUE INDEX sessions_hash ON sessions (hash)",
        "CREATE INDEX sessions_account ON sessions (account)",
        "CREATE INDEX sessions_expires ON sessions (expires)",

        """
        CREATE TABLE carriers (
          number {integer} PRIMARY KEY, name {text} NOT NULL, profile {text} NOT NULL, channel {integer} NOT NULL,
          settings {bytes} NOT NULL, enabled {integer} NOT NULL,
          rank {integer} NOT NULL, prefixes {text} NOT NULL, allows_private {integer} NOT NULL,
          polled {integer} NOT NULL, parts_per_second {integer}, window {integer}, created {integer} NOT NULL, updated {integer} NOT NULL
        ) {table}
        """,
        "CREATE UNIQUE INDEX carriers_name ON carriers (name)",
        """
        CREATE TABLE carrier_numbers (
          address {text} PRIMARY KEY, carrier {integer} NOT NULL, account {id}
        ) {table}
        """,

        """
        CREATE TABLE deliveries (
          id {id} PRIMARY KEY, account {id} NOT NULL, channel {integer} NOT NULL, lane {integer} NOT NULL,
          address {text} NOT NULL, class {integer} NOT NULL, state {integer} NOT NULL, carrier {integer} NOT NULL,
          fixed_carrier {integer}, due {integer}, ready {integer} NOT NULL, attempt {integer} NOT NULL,
          leased {integer}, instead_of {text}, not_before {integer}, expires {integer} NOT NULL,
          created {integer} NOT NULL, updated {integer} NOT NULL, body {bytes}, sealed {integer} NOT NULL,
          events {integer} NOT NULL, idempotency_key {text}, request_hash {bytes}, reference {text},
          parts {integer} NOT NULL, price {integer}, currency {text}, error_code {text}, error {text},
          receipt {text}, receipt_at {integer}
        ) {table}
        """,
        // The queue, and every time limit: an unfinished delivery is looked at when it is due.
        "CREATE INDEX deliveries_due ON deliveries (state, carrier, class, due, id) WHERE due IS NOT NULL",
        // Not IN (0, 1, 4): for a list of three SQLite builds a temporary table, in every write of a row.
        "CREATE INDEX deliveries_expires ON deliveries (expires, id) WHERE (state <= 1 OR state = 4)",
        // Order per account, address and class.
        "CREATE INDEX deliveries_order ON deliveries (account, address, class, ready, id) WHERE state IN (1, 2)",
        "CREATE INDEX deliveries_account ON deliveries (account, id)",
        // Who wrote to a number last: what never went out does not count.
        "CREATE INDEX deliveries_address ON deliveries (address, leased) WHERE leased IS NOT NULL",
        """
        CREATE UNIQUE INDEX deliveries_idempotency ON deliveries (account, idempotency_key)
          WHERE idempotency_key IS NOT NULL
        """,
        """
        CREATE TABLE attempts (
          delivery {id} NOT NULL, number {integer} NOT NULL, part {integer} NOT NULL, parts {integer} NOT NULL,
          carrier {integer} NOT NULL, carrier_id {text}, started {integer} NOT NULL, ended {integer} NOT NULL,
          outcome {integer} NOT NULL, carrier_refused {integer} NOT NULL, code {text}, detail {text},
          instead_of {text}, receipt {integer}, PRIMARY KEY (delivery, number, part)
        ) {table}
        """,
        "CREATE INDEX attempts_carrier_id ON attempts (carrier, carrier_id) WHERE carrier_id IS NOT NULL",
        """
        CREATE TABLE receipts (
          id {id} PRIMARY KEY, carrier {integer} NOT NULL, carrier_id {text}, delivery {id}, status {integer} NOT NULL,
          code {text}, detail {text}, at {integer}, received {integer} NOT NULL, raw {text} NOT NULL,
          waiting {integer} NOT NULL
        ) {table}
        """,
        // Reports that came before the answer to their attempt.
        "CREATE INDEX receipts_waiting ON receipts (carrier, carrier_id) WHERE waiting = 1",
        "CREATE INDEX receipts_delivery ON receipts (delivery) WHERE delivery IS NOT NULL",
        """
        CREATE TABLE spending (
          account {id} NOT NULL, day {integer} NOT NULL, amount {integer} NOT NULL, PRIMARY KEY (account, day)
        ) {table}
        """,

        """
        CREATE TABLE inbound (
          id {id} PRIMARY KEY, account {id} NOT NULL, channel {integer} NOT NULL, carrier {integer} NOT NULL,
          sender {text} NOT NULL, recipient {text} NOT NULL, text {text} NOT NULL, raw {bytes} NOT NULL,
          reference {text}, carrier_at {integer}, is_read {integer} NOT NULL, digest {bytes} NOT NULL
        ) {table}
        """,
        "CREATE UNIQUE INDEX inbound_digest ON inbound (carrier, digest)",
        "CREATE INDEX inbound_account ON inbound (account, id)",
        "CREATE INDEX inbound_unread ON inbound (account, id) WHERE is_read = 0",
        """
        CREATE TABLE inbound_parts (
          carrier {integer} NOT NULL, sender {text} NOT NULL, recipient {text} NOT NULL,
          reference {integer} NOT NULL, total {integer} NOT NULL, number {integer} NOT NULL, coding {text} NOT NULL,
          content {bytes} NOT NULL, raw {bytes} NOT NULL, carrier_at {integer}, received {integer} NOT NULL,
          digest {bytes} NOT NULL, joined {integer} NOT NULL,
          PRIMARY KEY (carrier, sender, recipient, reference, total, number)
        ) {table}
        """,
        "CREATE INDEX inbound_parts_received ON inbound_parts (received)",
        // What a carrier sent and nobody could read: kept as it came.
        """
        CREATE TABLE unread_callbacks (
          id {id} PRIMARY KEY, carrier {integer} NOT NULL, reason {text} NOT NULL, raw {bytes} NOT NULL
        ) {table}
        """,

        """
        CREATE TABLE streams (stream {id} PRIMARY KEY, seq {integer} NOT NULL, pruned {integer} NOT NULL) {table}
        """,
        """
        CREATE TABLE events (
          stream {id} NOT NULL, seq {integer} NOT NULL, type {text} NOT NULL, at {integer} NOT NULL,
          data {bytes} NOT NULL, PRIMARY KEY (stream, seq)
        ) {table}
        """,
        """
        CREATE TABLE timers (
          kind {text} NOT NULL, key {text} NOT NULL, due {integer} NOT NULL, PRIMARY KEY (kind, key)
        ) {table}
        """,
        "CREATE INDEX timers_due ON timers (due)",
      ]),
    Migration(
      component: "exchange", number: 2,
      [
        // With the sender, so that unread texts are counted by sender from the index alone; SQLite takes it for that only
        // where `is_read`, which is asked for, stands in it as well.
        "DROP INDEX inbound_unread",
        "CREATE INDEX inbound_unread ON inbound (account, id, sender, is_read) WHERE is_read = 0",
        """
        CREATE TABLE carrier_days (
          carrier {integer} NOT NULL, day {integer} NOT NULL, sent {integer} NOT NULL, failed {integer} NOT NULL,
          error_code {text}, error {text}, error_at {integer}, PRIMARY KEY (carrier, day)
        ) {table}
        """,
        // When it was called back while an attempt was under way.
        "ALTER TABLE deliveries ADD COLUMN cancel_asked {integer}",
      ]),
  ]
}
