import CarrierProfiles
import Contract
import Cryptography
import Database
import Exchange
import Formats
import Foundation

enum DoctorCommand: Command {
  static let name = "doctor"
  static let summary = "look at everything, change nothing, and say what is wrong"
  static let help = """
    switchboard doctor [--data DIR] [--json]

    Checks the data folder, the master key, the configuration, the whole database, the carriers and the disk. Works
    beside a running server. Ends with 1 when something is wrong.

    Example: switchboard doctor --data /var/lib/switchboard
    """

  private struct Finding {
    let what: String
    let problem: String?
  }

  static func run(_ arguments: inout Arguments) async throws -> ExitStatus {
    let folder = try DataFolder(&arguments)
    let isJSON = arguments.flag("--json")
    try arguments.finish()
    guard folder.exists else { throw CommandError("There is no exchange in \(folder.path).") }
    var findings = [
      check("master key") { _ = try folder.loadKey() },
      check("configuration") { _ = try ServerSettings.load(folder: folder) },
      check("disk") { try checkDisk(folder) },
    ]
    findings += checkDatabase(folder)
    findings += checkCarriers(folder)
    if isJSON {
      Output.bytes(
        JSONWriter.object { json in
          json.field("items", findings) { json, finding in
            json.object { json in
              json.field("what", finding.what)
              json.field("problem", finding.problem)
            }
          }
        })
    } else {
      for finding in findings {
        Output.line(
          "\(finding.problem == nil ? "good " : "WRONG")  \(finding.what)\(finding.problem.map { ": \($0)" } ?? "")")
      }
    }
    return findings.allSatisfy { $0.problem == nil } ? .done : .failed
  }

  private static func check(_ what: String, _ body: () throws -> Void) -> Finding {
    do {
      try body()
      return Finding(what: what, problem: nil)
    } catch {
      return Finding(what: what, problem: "\(error)")
    }
  }

  private static func checkDisk(_ folder: DataFolder) throws {
    guard access(folder.path, W_OK) == 0, access(folder.database, W_OK) == 0 else {
      throw CommandError("the data folder or its database can not be written by this user")
    }
    var status = statvfs()
    guard statvfs(folder.path, &status) == 0 else { throw CommandError("the data folder can not be looked at") }
    let free = UInt64(status.f_bavail) * UInt64(status.f_frsize)
    if free < 256 << 20 { throw CommandError("only \(free >> 20) MB are free") }
  }

  private static let remedy = "Stop the server and run `switchboard restore` with the last good backup."

  private static func checkDatabase(_ folder: DataFolder) -> [Finding] {
    do {
      let connection = try SQLiteConnection(.file(folder.database), access: .readOnly)
      defer { connection.finish() }
      try connection.checkStart()
      let problems = try connection.integrityCheck()
      if problems.isEmpty { return [Finding(what: "database", problem: nil)] }
      return problems.map { Finding(what: "database", problem: $0) } + [Finding(what: "database", problem: remedy)]
    } catch {
      return [Finding(what: "database", problem: "\(error)")]
    }
  }

  private static func checkCarriers(_ folder: DataFolder) -> [Finding] {
    do {
      let key = try folder.loadKey()
      let connection = try SQLiteConnection(.file(folder.database), access: .readOnly)
      defer { connection.finish() }
      let carriers = try CarrierStore(key: key).carriers(tx: connection).filter(\.isEnabled)
      if carriers.isEmpty {
        return [Finding(what: "carriers", problem: "none is in service; `switchboard carrier create` sets one up")]
      }
      return carriers.map { carrier in
        check("carrier \(carrier.name)") {
          guard carrier.isReadable else { throw CommandError(CarrierLoader.unreadable) }
          let profile = try ProfileLibrary(folder).profile(carrier.profile)
          let problems =
            profile.problems(withSettings: carrier.settings) + profile.examplesProblems().map { "\($0)" }
          if !problems.isEmpty { throw CommandError(problems.joined(separator: " ")) }
        }
      }
    } catch {
      return [Finding(what: "carriers", problem: "\(error)")]
    }
  }
}
