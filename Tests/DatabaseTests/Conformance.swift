import Contract
import Database
import Testing

/// What every driver must do alike.
@Suite struct Conformance {
  @Test(arguments: Driver.all)
  func whatWasCommittedIsThereWhenOpenedAgain(driver: Driver) async throws {
    let scratch = try Scratch()
    try await driver.with(scratch) { database in
      for number in 1...20 as ClosedRange<UInt64> {
        try await database.transaction { try $0.insert(number, label: "row \(number)") }
      }
    }
    try await driver.with(scratch) { database in
      try await database.expect(Array(1...20))
    }
  }

  @Test(arguments: Driver.all)
  func aReadSeesWhatATransactionReturnedBefore(driver: Driver) async throws {
    try await driver.with { database in
      for number in 1...50 as ClosedRange<UInt64> {
        try await database.transaction { try $0.insert(number) }
        let last = try await database.read { try $0.first("SELECT max(id) FROM items") { $0.id(0).low } }
        #expect(last == number)
      }
    }
  }

  @Test(arguments: Driver.all)
  func whatThrowsRollsBackItsOwnWorkOnly(driver: Driver) async throws {
    try await driver.with { database in
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<90 as Range<UInt64> {
          group.addTask {
            do {
              try await database.transaction {
                try $0.insert(number)
                if number % 3 == 0 { throw Refusal() }
                try $0.insert(number + 1000)
              }
              #expect(number % 3 != 0)
            } catch {
              #expect(error is Refusal && number % 3 == 0)
            }
          }
        }
      }
      let expected = (0..<90 as Range<UInt64>).filter { $0 % 3 != 0 }
      try await database.expect(expected + expected.map { $0 + 1000 })
    }
  }

  @Test(arguments: Driver.all)
  func aTakenKeyIsAUniqueViolation(driver: Driver) async throws {
    try await driver.with { database in
      try await database.transaction { try $0.insert(1, label: "secret value") }
      for (number, label) in [(1, "other"), (2, "secret value")] as [(UInt64, String)] {
        do {
          try await database.transaction { try $0.insert(number, label: label) }
          Issue.record("the second row was taken")
        } catch DatabaseError.uniqueViolation(let key) {
          #expect(key.contains("items"))
          #expect(!key.contains("secret value"))
        }
      }
      try await database.expect([1])
    }
  }

  @Test(arguments: Driver.all)
  func runSaysHowManyRowsItTouched(driver: Driver) async throws {
    try await driver.with { database in
      try await database.transaction { transaction in
        for number in 1...5 as ClosedRange<UInt64> { try transaction.insert(number, label: "\(number)") }
        #expect(try transaction.run("UPDATE items SET number = 1 WHERE label > $1", [.text("2")]) == 3)
        #expect(try transaction.run("UPDATE items SET number = 1 WHERE label = $1", [.text("none")]) == 0)
        #expect(
          try transaction.run(
            "INSERT INTO items (id, label) VALUES ($1, $2) ON CONFLICT (label) DO NOTHING",
            [.id(id(9)), .text("1")]) == 0)
        #expect(try transaction.run("DELETE FROM items WHERE number = 1") == 3)
        #expect(try transaction.run("DELETE FROM items WHERE number = 1") == 0)
      }
    }
  }

  @Test(arguments: Driver.all)
  func idsSortByTimeAndComeBackWhole(driver: Driver) async throws {
    try await driver.with { database in
      var random = SystemRandomNumberGenerator()
      let times: [Int64] = [0, 1, 255, 256, 1_790_000_000_000, 1_790_000_000_001, 281_474_976_710_655]
      let ids = times.map { ID128(at: Instant(milliseconds: $0), using: &random) }
      let edges = [ID128(high: 0, low: 0), ID128(high: .max, low: .max), ID128(high: 1 << 63, low: 1 << 63)]
      try await database.transaction { transaction in
        for id in (ids + edges).shuffled() {
          try transaction.run("INSERT INTO items (id) VALUES ($1)", [.id(id)])
        }
      }
      let sorted = try await database.read { try $0.all("SELECT id FROM items ORDER BY id LIMIT 100") { $0.id(0) } }
      #expect(sorted == (ids + edges).sorted())
      for id in ids + edges {
        let found = try await database.read {
          try $0.first("SELECT id FROM items WHERE id = $1", [.id(id)]) { $0.id(0) }
        }
        #expect(found == id)
      }
    }
  }

  @Test(arguments: Driver.all)
  func nullIsNotTheEmptyValue(driver: Driver) async throws {
    try await driver.with { database in
      try await database.transaction {
        try $0.insert(1)
        try $0.insert(2, label: "", count: 0, data: [])
      }
      let rows = try await database.read {
        try $0.all("SELECT label, number, data, id FROM items ORDER BY id LIMIT 10") { row in
          (row.textIfPresent(0), row.integerIfPresent(1), row.bytesIfPresent(2), row.idIfPresent(3))
        }
      }
      #expect(rows[0] == (nil, nil, nil, id(1)))
      #expect(rows[1] == ("", 0, [], id(2)))
      let count = try await database.read {
        try $0.first("SELECT count(*) FROM items WHERE label IS NULL AND data IS NULL") { $0.int(0) }
      }
      #expect(count == 1)
    }
  }

  @Test(arguments: Driver.all)
  func integersHaveSixtyFourBits(driver: Driver) async throws {
    try await driver.with { database in
      let values: [Int64] = [.min, -1, 0, 1, 1 << 32, .max]
      try await database.transaction { transaction in
        for (index, value) in values.enumerated() { try transaction.insert(UInt64(index), count: value) }
      }
      let found = try await database.read {
        try $0.all("SELECT number FROM items ORDER BY number LIMIT 10") { $0.integer(0) }
      }
      #expect(found == values)
    }
  }

  @Test(
    arguments: Driver.all,
    ["", "a", "äöå €", "👩‍👩‍👧‍👦 e\u{301}", "\u{FEFF}x", "\u{FFFD}", "'; DROP TABLE items; --", "$1", "{text}"])
  func textComesBackAsItWas(driver: Driver, text: String) async throws {
    try await driver.with { database in
      try await database.transaction { try $0.insert(1, label: text) }
      let found = try await database.read { transaction in
        try transaction.first("SELECT label FROM items WHERE label = $1", [.text(text)]) { Array($0.text(0).utf8) }
      }
      #expect(found == Array(text.utf8))
    }
  }

  @Test(arguments: Driver.all)
  func aTextWithAZeroIsKeptWholeOrRefused(driver: Driver) async throws {
    try await driver.with { database in
      do {
        try await database.transaction { try $0.insert(1, label: "before\0after") }
      } catch DatabaseError.misuse {
        return
      }
      #expect(try await database.read { try $0.first("SELECT label FROM items") { $0.text(0) } } == "before\0after")
    }
  }

  @Test(arguments: Driver.all)
  func bytesComeBackAsTheyWere(driver: Driver) async throws {
    try await driver.with { database in
      let all = (0...255).map { UInt8($0) }
      let large = [UInt8](repeating: 0xA5, count: 300_000)
      try await database.transaction {
        try $0.insert(1, data: all)
        try $0.insert(2, data: large)
      }
      let found = try await database.read { try $0.all("SELECT data FROM items ORDER BY id LIMIT 2") { $0.bytes(0) } }
      #expect(found == [all, large])
    }
  }

  @Test(arguments: Driver.all)
  func noUpdateIsLost(driver: Driver) async throws {
    try await driver.with { database in
      try await database.transaction { try $0.run("INSERT INTO counters (name, value) VALUES ('all', 0)") }
      let seen = try await withThrowingTaskGroup(of: Int64.self) { group in
        for _ in 0..<200 {
          group.addTask {
            try await database.transaction { transaction in
              let value = try transaction.first(
                "UPDATE counters SET value = value + 1 WHERE name = $1 RETURNING value", [.text("all")]
              ) { $0.integer(0) }
              return value ?? -1
            }
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(seen.sorted() == Array(1...200))
    }
  }

  @Test(arguments: Driver.all)
  func aReadIsOneSnapshot(driver: Driver) async throws {
    try await driver.with { database in
      try await database.transaction { transaction in
        for name in ["left", "right"] {
          try transaction.run("INSERT INTO counters (name, value) VALUES ($1, 0)", [.text(name)])
        }
      }
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          for _ in 0..<100 {
            try await database.transaction { transaction in
              try transaction.run("UPDATE counters SET value = value + 1 WHERE name = 'left'")
              try transaction.run("UPDATE counters SET value = value - 1 WHERE name = 'right'")
            }
          }
        }
        for _ in 0..<3 {
          group.addTask {
            for _ in 0..<100 {
              let (left, right) = try await database.read { transaction in
                (
                  try transaction.first("SELECT value FROM counters WHERE name = 'left'") { $0.integer(0) } ?? 0,
                  try transaction.first("SELECT value FROM counters WHERE name = 'right'") { $0.integer(0) } ?? 0
                )
              }
              #expect(left == -right)
            }
          }
        }
        try await group.waitForAll()
      }
    }
  }

  @Test(arguments: Driver.all)
  func aReadCanNotWrite(driver: Driver) async throws {
    try await driver.with { database in
      do {
        try await database.read { try $0.insert(1) }
        Issue.record("a read has written")
      } catch DatabaseError.misuse {}
      try await database.expect([])
    }
  }

  @Test(arguments: Driver.all)
  func parametersComeInAnyOrderAndRepeat(driver: Driver) async throws {
    try await driver.with { database in
      try await database.transaction { transaction in
        try transaction.run(
          "INSERT INTO items (label, number, id) VALUES ($3, $2, $1)", [.id(id(7)), .integer(70), .text("seven")])
        let found = try transaction.first(
          "SELECT number FROM items WHERE (label = $2 AND id = $1) OR label = $2 OR id = $1",
          [.id(id(7)), .text("seven")]
        ) { $0.integer(0) }
        #expect(found == 70)
        for index in 0..<12 as Range<Int64> {
          let sum = try transaction.first(
            """
            SELECT $12 + $1 * 0 + $2 * 0 + $3 * 0 + $4 * 0 + $5 * 0 + $6 * 0 + $7 * 0 + $8 * 0 + $9 * 0 + $10 * 0
              + $11 * 0 + $12
            """, Array(repeating: .integer(5), count: 11) + [.integer(index)]
          ) { $0.integer(0) }
          #expect(sum == index * 2)
        }
      }
    }
  }

  @Test(arguments: Driver.all)
  func aWrongNumberOfValuesIsMisuse(driver: Driver) async throws {
    try await driver.with { database in
      for values in [[], [.integer(1)], [.integer(1), .integer(2), .integer(3)]] as [[Value]] {
        do {
          try await database.transaction { try $0.run("DELETE FROM items WHERE number = $1 OR number = $2", values) }
          Issue.record("\(values.count) values were taken for two")
        } catch DatabaseError.misuse {}
      }
      do {
        try await database.transaction { try $0.run("DELETE FROM items WHERE number = $2", [.null, .null]) }
        Issue.record("a value was not used")
      } catch DatabaseError.misuse {}
    }
  }

  @Test(arguments: Driver.all)
  func aStatementMayRunInsideItsOwnRows(driver: Driver) async throws {
    try await driver.with { database in
      try await database.transaction { transaction in
        for number in 1...4 as ClosedRange<UInt64> { try transaction.insert(number, count: Int64(number)) }
        func greater(than number: Int64) throws -> [Int64] {
          var found: [Int64] = []
          try transaction.rows("SELECT number FROM items WHERE number > $1 ORDER BY number", [.integer(number)]) {
            found.append($0.integer(0))
            found += try greater(than: $0.integer(0))
          }
          return found
        }
        #expect(try greater(than: 2) == [3, 4, 4])
        #expect(try greater(than: 0).count == 15)
      }
    }
  }

  @Test(arguments: Driver.all)
  func whatARowsBodyThrowsEndsTheReading(driver: Driver) async throws {
    try await driver.with { database in
      try await database.transaction { for number in 1...4 as ClosedRange<UInt64> { try $0.insert(number) } }
      await #expect(throws: Refusal.self) {
        try await database.read { try $0.rows("SELECT id FROM items LIMIT 4", []) { _ in throw Refusal() } }
      }
      try await database.expect([1, 2, 3, 4])
    }
  }

  @Test(arguments: Driver.all)
  func aBrokenForeignKeyFailsItsOwnCaller(driver: Driver) async throws {
    try await driver.with { database in
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<60 as Range<UInt64> {
          group.addTask {
            do {
              try await database.transaction { transaction in
                // The key is checked at the end: the part may come before its item.
                try transaction.run(
                  "INSERT INTO parts (id, item) VALUES ($1, $2)", [.id(id(number + 1000)), .id(id(number))])
                if number % 2 == 0 { try transaction.insert(number) }
              }
              #expect(number % 2 == 0)
            } catch {
              #expect(error is DatabaseError && number % 2 == 1)
            }
          }
        }
      }
      try await database.expect((0..<60).filter { $0 % 2 == 0 })
    }
  }

  @Test(arguments: Driver.all)
  func aCancelledCallerStillLearnsTheOutcome(driver: Driver) async throws {
    try await driver.with { database in
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        try await database.transaction { try $0.insert(1) }
      }
      try await task.value
      try await database.expect([1])
    }
  }
}
