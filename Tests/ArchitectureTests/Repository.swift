import Foundation
import Testing

/// The files of this repository, as text. Build output and what only this machine has is left out.
struct Repository: Sendable {
  struct File: Sendable, CustomTestStringConvertible {
    /// From the root, such as `Sources/Contract/Contract/Instant.swift`.
    let path: String
    let text: String

    var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }
    var name: Substring { path.split(separator: "/").last ?? "" }
    var testDescription: String { path }
  }

  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

  static let files: [File] = read("").sorted { $0.path < $1.path }

  static let sources = files.filter { $0.path.hasPrefix("Sources/") && $0.path.hasSuffix(".swift") }
  static let documents = files.filter { $0.path.hasSuffix(".md") }

  static func text(_ path: String) throws -> String {
    try String(contentsOfFile: "\(root)/\(path)", encoding: .utf8)
  }

  static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: "\(root)/\(path)") }

  static func isExecutable(_ path: String) -> Bool {
    FileManager.default.isExecutableFile(atPath: "\(root)/\(path)")
  }

  /// What .gitignore leaves out, and what is no text.
  private static func isLeftOut(_ name: String, in folder: String) -> Bool {
    if name.hasPrefix("."), ![".ci", ".gitignore", ".swift-format"].contains(name) { return true }
    if ["__pycache__", "Package.resolved", "node_modules"].contains(name) { return true }
    return folder.isEmpty && name == "data"
  }

  private static func read(_ folder: String) -> [File] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(root)/\(folder)")) ?? []
    return names.filter { !isLeftOut($0, in: folder) }.flatMap { name -> [File] in
      let path = folder.isEmpty ? name : "\(folder)/\(name)"
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: "\(root)/\(path)", isDirectory: &isFolder) else { return [] }
      if isFolder.boolValue { return read(path) }
      return (try? text(path)).map { [File(path: path, text: $0)] } ?? []
    }
  }
}
