import Foundation

extension MasterKey {
  /// Why the program can not start with this key.
  package enum LoadError: Error, Equatable, CustomStringConvertible {
    case readableByOthers(path: String, mode: String)
    case belongsToAnother(path: String)
    case notAKey(path: String)
    case badValue(name: String)
    case notReadable(path: String, reason: String)
    case notWritable(path: String, reason: String)

    package var description: String {
      switch self {
      case .readableByOthers(let path, let mode):
        "Others can read the master key \(path) (its mode is \(mode)), so nothing was started. "
          + "Run `chmod 600 \(path)`; if somebody may have read it, replace the key and the secrets under it."
      case .belongsToAnother(let path):
        "The master key \(path) belongs to another user, so nothing was started. "
          + "Give the file to the user that runs the exchange."
      case .notAKey(let path):
        "The master key \(path) is not 64 hexadecimal digits, so nothing was started. "
          + "Put the right file back; without it the stored secrets can not be read."
      case .badValue(let name):
        "\(name) is not 64 hexadecimal digits, so nothing was started. "
          + "A new key can be made with `openssl rand -hex 32`."
      case .notReadable(let path, let reason):
        "The master key \(path) can not be read (\(reason)), so nothing was started."
      case .notWritable(let path, let reason):
        "A new master key can not be written to \(path) (\(reason)), so nothing was started."
      }
    }
  }

  /// - Parameters:
  ///   - value: what stands in the variable; never shown.
  ///   - name: the variable's name, for the error.
  package init(environmentValue value: String, name: String) throws(LoadError) {
    guard let key = MasterKey(hex: value) else { throw .badValue(name: name) }
    self = key
  }

  /// Reads the file, or makes it with a new random key where there is none.
  ///
  /// A new file appears whole and on disk, or not at all; of two programs that make it at once, one wins and both use
  /// its key. One is refused that others than its owner can read, or that belongs to neither this user nor root.
  package static func load(file path: String) throws(LoadError) -> MasterKey {
    if let key = try read(path) { return key }
    try create(path)
    guard let key = try read(path) else { throw .notReadable(path: path, reason: "it vanished") }
    return key
  }

  /// - Returns: nil where there is no such file.
  private static func read(_ path: String) throws(LoadError) -> MasterKey? {
    let descriptor = Foundation.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw .notReadable(path: path, reason: reason(errno))
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .notReadable(path: path, reason: reason(errno)) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notReadable(path: path, reason: "it is not a file") }
    guard status.st_mode & 0o077 == 0 else {
      throw .readableByOthers(path: path, mode: "0" + String(status.st_mode & 0o7777, radix: 8))
    }
    guard status.st_uid == geteuid() || status.st_uid == 0 else { throw .belongsToAnother(path: path) }
    // One byte more than any good file has: a longer one is not cut into a good one.
    var bytes = [UInt8](repeating: 0, count: 256)
    defer { wipe(&bytes) }
    let count = Foundation.read(descriptor, &bytes, bytes.count)
    guard count >= 0 else { throw .notReadable(path: path, reason: reason(errno)) }
    guard count < bytes.count, let key = MasterKey(hex: String(decoding: bytes.prefix(count), as: UTF8.self)) else {
      throw .notAKey(path: path)
    }
    return key
  }

  private static func create(_ path: String) throws(LoadError) {
    let draft = "\(path).\(Hex.encode(randomBytes(8)))"
    let descriptor = Foundation.open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .notWritable(path: path, reason: reason(errno)) }
    defer { unlink(draft) }
    var text = Array((Hex.encode(randomBytes(length)) + "\n").utf8)
    defer { wipe(&text) }
    let isWritten = write(descriptor, text, text.count) == text.count && fsync(descriptor) == 0
    let failure = errno
    close(descriptor)
    guard isWritten else { throw .notWritable(path: path, reason: reason(failure)) }
    // A link, unlike a rename, never replaces a key that another program made meanwhile.
    guard link(draft, path) == 0 || errno == EEXIST else { throw .notWritable(path: path, reason: reason(errno)) }
    let folder = Foundation.open(Self.folder(of: path), O_RDONLY | O_CLOEXEC)
    guard folder >= 0 else { throw .notWritable(path: path, reason: reason(errno)) }
    defer { close(folder) }
    guard fsync(folder) == 0 else { throw .notWritable(path: path, reason: reason(errno)) }
  }

  private static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  private static func reason(_ code: Int32) -> String { String(cString: strerror(code)) }
}
