import Foundation

/// A tar archive (POSIX.1-1988 ustar, with GNU's binary sizes for large files), so that a backup can be looked into with
/// ordinary tools.
enum ArchiveFile {
  private static let block = 512

  struct Entry {
    let name: String
    let size: Int64
    /// Where its bytes begin in the archive.
    let offset: UInt64
  }

  /// Writes the files whole, or nothing (a name has at most 99 bytes): under another name first, on disk before it gets its own.
  static func write(_ files: [(name: String, path: String)], to target: String) throws {
    let partial = target + ".partial"
    guard FileManager.default.createFile(atPath: partial, contents: nil, attributes: [.posixPermissions: 0o600]),
      let output = FileHandle(forWritingAtPath: partial)
    else { throw CommandError("\(target) can not be written; nothing was made.") }
    do {
      for file in files { try append(file.name, file.path, to: output) }
      try output.write(contentsOf: Data(count: 2 * block))
      try output.synchronize()
      try output.close()
      guard rename(partial, target) == 0 else { throw CommandError("\(target) can not be written.") }
    } catch {
      unlink(partial)
      throw CommandError("The archive could not be written (is the disk full?); nothing was made.")
    }
  }

  private static func append(_ name: String, _ path: String, to output: FileHandle) throws {
    guard let input = FileHandle(forReadingAtPath: path) else { throw CommandError("\(path) can not be read.") }
    defer { try? input.close() }
    let size = try input.seekToEnd()
    try input.seek(toOffset: 0)
    try output.write(contentsOf: Data(header(name, size)))
    while let piece = try input.read(upToCount: 1 << 20), !piece.isEmpty { try output.write(contentsOf: piece) }
    let rest = Int(size % UInt64(block))
    if rest > 0 { try output.write(contentsOf: Data(count: block - rest)) }
  }

  private static func header(_ name: String, _ size: UInt64) -> [UInt8] {
    var header = [UInt8](repeating: 0, count: block)
    func put(_ text: String, at offset: Int) {
      for (index, byte) in text.utf8.enumerated() { header[offset + index] = byte }
    }
    func octal(_ value: UInt64, width: Int) -> String {
      let digits = String(value, radix: 8)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    put(name, at: 0)
    put(octal(0o600, width: 7), at: 100)
    put(octal(0, width: 7), at: 108)
    put(octal(0, width: 7), at: 116)
    if size < 1 << 33 {
      put(octal(size, width: 11), at: 124)
    } else {
      header[124] = 0x80
      for index in 0..<8 { header[128 + index] = UInt8(truncatingIfNeeded: size >> UInt64(56 - index * 8)) }
    }
    put(octal(UInt64(max(0, Date().timeIntervalSince1970)), width: 11), at: 136)
    put("        ", at: 148)
    header[156] = UInt8(ascii: "0")
    put("ustar", at: 257)
    put("00", at: 263)
    let sum = header.reduce(UInt64(0)) { $0 + UInt64($1) }
    put(octal(sum, width: 6) + "\0 ", at: 148)
    return header
  }

  /// What an archive holds; nil where it is none, or damaged.
  static func entries(of path: String) -> [Entry]? {
    guard let input = FileHandle(forReadingAtPath: path), let end = try? input.seekToEnd() else { return nil }
    defer { try? input.close() }
    var entries: [Entry] = []
    var offset: UInt64 = 0
    while offset + UInt64(block) <= end, entries.count < 1000 {
      guard (try? input.seek(toOffset: offset)) != nil, let data = try? input.read(upToCount: block),
        data.count == block
      else { return nil }
      let header = Array(data)
      if header.allSatisfy({ $0 == 0 }) { return entries.isEmpty ? nil : entries }
      guard let entry = entry(header, at: offset), UInt64(entry.size) <= end - entry.offset else { return nil }
      entries.append(entry)
      offset = entry.offset + (UInt64(entry.size) + UInt64(block) - 1) / UInt64(block) * UInt64(block)
    }
    return nil
  }

  private static func entry(_ header: [UInt8], at offset: UInt64) -> Entry? {
    var blank = header
    for index in 148..<156 { blank[index] = 0x20 }
    guard octal(header[148..<156]) == blank.reduce(UInt64(0), { $0 + UInt64($1) }) else { return nil }
    let size: UInt64?
    if header[124] == 0x80 {
      size = header[128..<136].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    } else {
      size = octal(header[124..<136])
    }
    guard let size, size <= UInt64(Int64.max / 2) else { return nil }
    let name = String(decoding: header[0..<100].prefix { $0 != 0 }, as: UTF8.self)
    return Entry(name: name, size: Int64(size), offset: offset + UInt64(block))
  }

  private static func octal(_ field: ArraySlice<UInt8>) -> UInt64? {
    var value: UInt64 = 0
    for byte in field where byte != 0 && byte != 0x20 {
      guard (0x30...0x37).contains(byte), value < 1 << 60 else { return nil }
      value = value << 3 | UInt64(byte - 0x30)
    }
    return value
  }

  /// Copies one entry into a new file, on disk when it returns.
  static func extract(_ entry: Entry, from path: String, to target: String) throws {
    guard let input = FileHandle(forReadingAtPath: path),
      FileManager.default.createFile(atPath: target, contents: nil, attributes: [.posixPermissions: 0o600]),
      let output = FileHandle(forWritingAtPath: target)
    else { throw CommandError("\(target) can not be written.") }
    defer {
      try? input.close()
      try? output.close()
    }
    do {
      try input.seek(toOffset: entry.offset)
      var left = Int(entry.size)
      while left > 0 {
        guard let piece = try input.read(upToCount: min(left, 1 << 20)), !piece.isEmpty else {
          throw CommandError("The archive ends too early.")
        }
        try output.write(contentsOf: piece)
        left -= piece.count
      }
      try output.synchronize()
    } catch let error as CommandError {
      throw error
    } catch {
      throw CommandError("\(target) could not be written (is the disk full?).")
    }
  }
}
