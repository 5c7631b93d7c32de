import Foundation

/// What the command line asks for.
struct Options {
  static let usage = "usage: Torture KILLS [--seed N] [--program PATH]"

  var kills = 20
  /// Everything that is drawn comes from it; the machine's own timing does not.
  var seed = UInt64.random(in: 0...UInt64(UInt32.max))
  var program = ".build/release/switchboard"

  init(_ words: [String]) throws {
    var words = words[...]
    while let word = words.popFirst() {
      switch word {
      case "--seed":
        guard let seed = words.popFirst().flatMap({ UInt64($0) }) else { throw Failure(Self.usage) }
        self.seed = seed
      case "--program":
        guard let program = words.popFirst() else { throw Failure(Self.usage) }
        self.program = program
      default:
        guard let kills = Int(word), (1...10_000).contains(kills) else { throw Failure(Self.usage) }
        self.kills = kills
      }
    }
  }
}

struct Failure: Error, CustomStringConvertible {
  let description: String

  init(_ what: String) { description = what }
}
