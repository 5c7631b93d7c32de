import CarrierProfiles
import Foundation
import Testing

/// The profiles beside the sources and beside these tests.
enum Files {
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  static let shipped = root.appending(path: "Profiles/carriers")
  static let made = root.appending(path: "Tests/Profiles")

  static func bytes(_ folder: URL, _ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: folder.appending(path: name + ".json5")))
  }

  static func names(in folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path()).filter { $0.hasSuffix(".json5") }
      .map { String($0.dropLast(6)) }.sorted()
  }

  static func profile(_ name: String) throws -> CarrierProfile {
    let folder = name == "example-telecom" ? made : shipped
    return try CarrierProfile(json5: bytes(folder, name), file: "\(name).json5")
  }
}

struct ShippedProfileTests {
  @Test func everyShippedProfileDoesWhatItsExamplesSay() throws {
    let names = try Files.names(in: Files.shipped)
    #expect(names.contains("httpsms"))
    #expect(names.contains("smsglobal"))
    for name in names {
      let problems = CarrierProfile.check(json5: try Files.bytes(Files.shipped, name), file: "\(name).json5")
      #expect(problems.isEmpty, "\(problems.map(\.description).joined(separator: "\n"))")
      #expect(try Files.profile(name).name == name)
    }
  }

  @Test func aCarrierThatNobodyKnowsTakesAFileAndNoSwift() throws {
    let problems = CarrierProfile.check(
      json5: try Files.bytes(Files.made, "example-telecom"), file: "example-telecom.json5")
    #expect(problems.isEmpty, "\(problems.map(\.description).joined(separator: "\n"))")
  }

  @Test func theGuidesProfileDoesWhatItsExamplesSay() throws {
    let guide = String(
      decoding: try Data(contentsOf: Files.root.appending(path: "Docs/CarrierProfiles.md")), as: UTF8.self)
    let start = try #require(guide.range(of: "```json5\n"))
    let end = try #require(guide.range(of: "\n```", range: start.upperBound..<guide.endIndex))
    let profile = guide[start.upperBound..<end.lowerBound]
    #expect(CarrierProfile.check(json5: Array(profile.utf8), file: "guide") == [])
  }
}
