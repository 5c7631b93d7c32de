import Formats

/// A command line: flags that settings declare, and the words beside them.
package struct Flags: Sendable {
  var texts: [String: String] = [:]
  /// Words that are no flags, in order; everything behind `--`.
  package private(set) var words: [String] = []

  package static let none = Flags()

  private init() {}

  /// Reads `--name value`, `--name=value`, and `--name` alone for what is true or false. `--` ends the flags.
  /// - Parameter arguments: without the program's name.
  package init(_ arguments: [String], settings: [any AnySetting]) throws(ConfigurationError) {
    let known = settings.filter { $0.places.contains(.flag) }
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--" {
        words += rest
        return
      }
      guard argument.hasPrefix("--") else {
        words.append(argument)
        continue
      }
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0])
      guard let setting = known.first(where: { $0.flag == name }) else {
        let nearest = nearestWord(to: name, among: known.map(\.flag))
        throw ConfigurationError(.unknown(nearest: nearest), name: printable(name))
      }
      let text: String
      if parts.count == 2 {
        text = String(parts[1])
      } else if setting.isSwitch {
        text = "true"
      } else if let next = rest.first, !next.hasPrefix("--") {
        text = next
        rest.removeFirst()
      } else {
        throw ConfigurationError(.valueMissing(setting.accepts), name: name)
      }
      if let before = texts[setting.key] {
        guard setting.isList else { throw ConfigurationError(.twice, name: name) }
        texts[setting.key] = before + "," + text
      } else {
        texts[setting.key] = text
      }
    }
  }

  /// The text that was given for a setting, before anything else is read; a program finds its configuration file so.
  package func text(for setting: any AnySetting) -> String? { texts[setting.key] }
}

/// A name from outside as an error may show it.
func printable(_ name: String) -> String {
  let isPlain = name.utf8.count <= 60 && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x22 }
  return isPlain ? name : quoted(name)
}
