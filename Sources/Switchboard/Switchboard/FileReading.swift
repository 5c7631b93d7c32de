import Foundation

enum FileReading {
  /// The bytes of a file; nil where it can not be read or is larger than `limit`.
  static func bytes(of path: String, limit: Int) -> [UInt8]? {
    guard let handle = FileHandle(forReadingAtPath: path) else { return nil }
    defer { try? handle.close() }
    guard let data = try? handle.read(upToCount: limit + 1) else { return [] }
    return data.count > limit ? nil : Array(data)
  }
}
