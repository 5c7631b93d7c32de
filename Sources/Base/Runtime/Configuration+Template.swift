extension Configuration {
  /// A file that explains every key and sets none: each stands in a comment with its default, or with an example where
  /// it has none.
  /// - Parameter heading: sentences for the top of the file.
  package static func template(_ settings: [any AnySetting], heading: String) -> String {
    var text = ""
    for line in wrapped(heading, 114) { text += "// \(line)\n" }
    text += "{\n"
    for (index, setting) in settings.filter({ $0.places.contains(.file) }).enumerated() {
      if index > 0 { text += "\n" }
      for line in wrapped(setting.summary, 112) { text += "  // \(line)\n" }
      var rule = "Must be \(setting.accepts)."
      if setting.defaultText == nil { rule += " Not set unless you do." }
      for line in wrapped(rule, 112) { text += "  // \(line)\n" }
      let others = [
        setting.places.contains(.flag) ? setting.flag : nil,
        setting.places.contains(.variable) ? setting.variable : nil,
      ].compactMap { $0 }
      if !others.isEmpty { text += "  // Or: \(others.joined(separator: ", ")).\n" }
      text += "  // \(setting.key): \(setting.defaultText ?? setting.example),\n"
    }
    return text + "}\n"
  }

  private static func wrapped(_ text: String, _ width: Int) -> [String] {
    var lines: [String] = []
    for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
      var line = ""
      for word in paragraph.split(separator: " ") {
        if !line.isEmpty, line.count + 1 + word.count > width {
          lines.append(line)
          line = ""
        }
        line += line.isEmpty ? word : " " + word
      }
      lines.append(line)
    }
    return lines
  }
}
