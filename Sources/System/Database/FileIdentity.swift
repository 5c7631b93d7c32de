import Foundation

/// Which file stands at a path: it changes when the file is removed or another is put in its place.
struct FileIdentity: Sendable, Equatable {
  private let device: dev_t
  private let number: ino_t

  /// Nil where nothing is there, or nobody can say.
  init?(path: String) {
    var information = stat()
    guard stat(path, &information) == 0 else { return nil }
    device = information.st_dev
    number = information.st_ino
  }
}
