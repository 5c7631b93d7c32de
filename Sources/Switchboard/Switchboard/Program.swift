import Formats
import Foundation
import Network
import Runtime

/// The program: finds the command, runs it, and turns what went wrong into a sentence and an exit status.
enum Program {
  static var commands: [any Command.Type] {
    [
      ServeCommand.self, SandboxCommand.self, AccountCommand.self, KeyCommand.self, CarrierCommand.self,
      SendCommand.self, BackupCommand.self, RestoreCommand.self, DoctorCommand.self, VersionCommand.self,
    ]
  }

  static func main() async {
    exit(await run(Array(CommandLine.arguments.dropFirst())).rawValue)
  }

  /// Run first, on the main thread and before there is any other: threads inherit the mask.
  ///
  /// Whoever started this may have blocked signals; it must be possible to stop it all the same. A service's stop waits
  /// until somebody listens for it, also while it still starts. A peer that goes away is an error of its connection, not
  /// the end of the program.
  static func prepareSignals() {
    signal(SIGPIPE, SIG_IGN)
    let command = CommandLine.arguments.dropFirst().first
    var mask = sigset_t()
    sigemptyset(&mask)
    if command == ServeCommand.name || command == SandboxCommand.name {
      sigaddset(&mask, SIGTERM)
      sigaddset(&mask, SIGINT)
    }
    sigprocmask(SIG_SETMASK, &mask, nil)
  }

  static func run(_ words: [String]) async -> ExitStatus {
    guard let name = words.first, !["--help", "-h", "help"].contains(name) else {
      Output.line(overview)
      return words.isEmpty ? .wrongUsage : .done
    }
    if name == "--version" { return await run(["version"]) }
    guard let command = commands.first(where: { $0.name == name }) else {
      Output.error("There is no command '\(name)'. `switchboard --help` lists them.")
      return .wrongUsage
    }
    var arguments = Arguments(Array(words.dropFirst()))
    if arguments.flag("--help") {
      Output.line(command.help)
      return .done
    }
    do {
      return try await command.run(&arguments)
    } catch let error as UsageError {
      Output.error("\(error.sentence)\n`switchboard \(name) --help` shows how it is used.")
      return .wrongUsage
    } catch let error as ConfigurationError where error.name.hasPrefix("--") {
      Output.error("\(error)\n`switchboard \(name) --help` shows how it is used.")
      return .wrongUsage
    } catch {
      Output.error("\(error)")
      return .failed
    }
  }

  private static var overview: String {
    let width = commands.map { $0.name.count }.max() ?? 0
    let lines = commands.map { command in
      "  \(command.name)\(String(repeating: " ", count: width - command.name.count))  \(command.summary)"
    }
    return """
      switchboard: accept it, write it down, deliver it, prove it.

      \(lines.joined(separator: "\n"))

      `switchboard COMMAND --help` explains one, with an example.
      """
  }
}

/// How a command ended. The numbers are relied upon by scripts.
enum ExitStatus: Int32 {
  case done = 0
  case failed = 1
  case wrongUsage = 2
  /// `send --wait`: the message ended otherwise than delivered.
  case notDelivered = 3
  /// `send --wait`: nothing final is known yet.
  case stillOpen = 4
}

protocol Command {
  static var name: String { get }
  static var summary: String { get }
  /// With an example.
  static var help: String { get }
  static func run(_ arguments: inout Arguments) async throws -> ExitStatus
}

/// Wrong words on the command line.
struct UsageError: Error {
  let sentence: String

  init(_ sentence: String) { self.sentence = sentence }
}

/// What could not be done, as a sentence.
struct CommandError: Error, CustomStringConvertible {
  let description: String

  init(_ sentence: String) { description = sentence }

  /// An address that could not be listened on.
  static func listening(at place: HostPort, flag: String, _ error: SystemError) -> CommandError {
    CommandError(
      "\(place) can not be listened on (\(String(cString: strerror(error.code)))). Stop what uses it, or name another "
        + "with \(flag).")
  }
}

enum Output {
  static func line(_ text: String) { write(text + "\n", to: 1) }

  /// What a command did: a sentence, or for programs an object with it and the fields that `write` adds.
  static func done(_ sentence: String, isJSON: Bool, _ write: (inout JSONWriter) -> Void = { _ in }) {
    guard isJSON else { return line(sentence) }
    bytes(
      JSONWriter.object { json in
        write(&json)
        json.field("message", sentence)
      })
  }

  static func error(_ text: String) { write("switchboard: \(text)\n", to: 2) }

  static func bytes(_ bytes: [UInt8]) { write(String(decoding: bytes, as: UTF8.self) + "\n", to: 1) }

  private static func write(_ text: String, to descriptor: Int32) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { return }
      rest = rest.dropFirst(written)
    }
  }
}
