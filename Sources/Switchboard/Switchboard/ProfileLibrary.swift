import CResources
import CarrierProfiles
import Foundation
import SMSChannel

/// The carrier profiles: those in the program, and the operator's own in the data folder, which come first.
struct ProfileLibrary {
  private let folder: DataFolder?

  init(_ folder: DataFolder?) { self.folder = folder }

  /// The names of all profiles, own ones included.
  var names: [String] { Set(own.keys).union(shipped.keys).sorted() }

  /// - Throws: `ProfileError` with file, line and reason, or a `CommandError` where there is none of this name.
  func profile(_ name: String) throws -> CarrierProfile {
    if let path = own[name] {
      return try CarrierProfile(json5: Array(try Data(contentsOf: URL(fileURLWithPath: path))), file: path)
    }
    guard let bytes = shipped[name] else {
      throw CommandError("There is no carrier profile '\(name)'; there are \(names.joined(separator: ", ")).")
    }
    return try CarrierProfile(json5: bytes, file: "\(name).json5")
  }

  private var own: [String: String] {
    guard let folder, let files = try? FileManager.default.contentsOfDirectory(atPath: folder.carrierProfiles) else {
      return [:]
    }
    let profiles = files.filter { $0.hasSuffix(".json5") }
    return Dictionary(
      profiles.map { (String($0.dropLast(6)), "\(folder.carrierProfiles)/\($0)") }, uniquingKeysWith: { $1 })
  }

  private var shipped: [String: [UInt8]] {
    var found: [String: [UInt8]] = [:]
    for file in Resource.all where file.name.hasPrefix("Profiles/carriers/") && file.name.hasSuffix(".json5") {
      found[String(file.name.dropFirst("Profiles/carriers/".count).dropLast(".json5".count))] = file.bytes
    }
    return found
  }
}

/// A file that was put into the program when it was built.
struct Resource {
  let name: String
  let bytes: [UInt8]

  static let all: [Resource] = (0..<Int(switchboard_resource_count)).map { index in
    let resource = switchboard_resource(index)
    return Resource(
      name: String(cString: resource.name),
      bytes: Array(UnsafeBufferPointer(start: resource.bytes, count: resource.count)))
  }

  static func named(_ name: String) -> [UInt8]? { all.first { $0.name == name }?.bytes }
}
