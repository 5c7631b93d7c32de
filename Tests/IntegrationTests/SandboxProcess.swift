import Foundation

/// `switchboard sandbox`: the outside world in a process of its own, as it is for an exchange at work.
struct SandboxProcess {
  let program: RunningProgram
  let address: String

  init(folder: TemporaryFolder) async throws {
    program = try RunningProgram(
      ["sandbox", "--listen", "127.0.0.1:0", "--data", folder.path + "/world"], folder: folder)
    address = try await program.waitUntilPrinted { printed in
      printed.firstMatch(of: /The sandbox runs at (http:\S+)\.\n/).map { String($0.1) }
    }
  }
}
