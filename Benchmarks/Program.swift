import Foundation

/// `Benchmarks`: each command prints what it measured as a table. `Scripts/bench` runs all of them.
enum Program {
  static let usage = """
    Benchmarks lives [--folder DIR] [--most N]     whole lives through the outbox, beside a three-step job
    Benchmarks exchange [--folder DIR] [--program FILE] [--only kannel|ours] [--part accept|through] [--rounds N] [--seconds N]
                                                  HTTP in, HTTP carrier out, with receipts: beside Kannel
    Benchmarks rest [--folder DIR] [--program FILE] [--most N]
                                                  start, and memory with messages queued
    Benchmarks texts [--folder DIR] [--program FILE] [--messages N] [--peers N]
                                                  conversations of a large account: beside one plain table
    """

  static func main() async {
    signal(SIGPIPE, SIG_IGN)
    var options = Options(CommandLine.arguments.dropFirst())
    let command = options.word()
    do {
      switch command {
      case "lives": try await LivesBenchmark(&options).run()
      case "exchange": try await ExchangeBenchmark(&options).run()
      case "rest": try await RestBenchmark(&options).run()
      case "texts": try await TextsBenchmark(&options).run()
      default:
        Output.line(usage)
        exit(2)
      }
    } catch {
      FileHandle.standardError.write(Data("Benchmarks \(command ?? ""): \(error)\n".utf8))
      exit(1)
    }
  }
}

/// `--name value` pairs after a command's words.
struct Options {
  private var words: [String]

  init(_ words: some Sequence<String>) { self.words = Array(words) }

  mutating func word() -> String? {
    guard let index = words.firstIndex(where: { !$0.hasPrefix("--") }), index == 0 else { return nil }
    return words.removeFirst()
  }

  func value(_ name: String) -> String? {
    guard let index = words.firstIndex(of: name), index + 1 < words.count else { return nil }
    return words[index + 1]
  }

  func integer(_ name: String) -> Int? { value(name).flatMap { Int($0) } }
}

struct BenchmarkError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
