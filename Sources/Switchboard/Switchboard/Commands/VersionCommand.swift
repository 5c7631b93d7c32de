import Formats

enum VersionCommand: Command {
  static let name = "version"
  static let summary = "which program this is"
  static let help = """
    switchboard version [--json]

    Example: switchboard version
    """

  static func run(_ arguments: inout Arguments) async throws -> ExitStatus {
    let isJSON = arguments.flag("--json")
    try arguments.finish()
    if isJSON {
      Output.bytes(JSONWriter.object { json in json.field("version", Version.number) })
    } else {
      Output.line("switchboard \(Version.number)")
    }
    return .done
  }
}
