import Foundation

/// Ports of 127.0.0.1 that nobody has, for programs that can not choose one themselves.
enum LoopbackPort {
  static func free(_ count: Int) throws -> [Int] {
    var sockets: [Int32] = []
    defer { for socket in sockets { close(socket) } }
    return try (0..<count).map { _ in
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      guard descriptor >= 0 else { throw BenchmarkError("no socket") }
      sockets.append(descriptor)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let isBound = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
        }
      }
      guard isBound else { throw BenchmarkError("no free port") }
      return Int(UInt16(bigEndian: address.sin_port))
    }
  }

  /// Waits until a program listens there.
  static func wait(for port: Int, of program: ChildProcess, limit: Duration = .seconds(20)) async throws {
    let end = ContinuousClock.now + limit
    while ContinuousClock.now < end, program.isRunning {
      if isOpen(port) { return }
      try await Task.sleep(for: .milliseconds(5))
    }
    throw BenchmarkError("\(program.name) does not listen on port \(port): \(program.lastWords)")
  }

  private static func isOpen(_ port: Int) -> Bool {
    guard let descriptor = connect(to: port) else { return false }
    close(descriptor)
    return true
  }

  /// - Returns: a connected socket that does not block.
  static func connect(to port: Int) -> Int32? {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let isConnected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Foundation.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard isConnected, fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0 else {
      close(descriptor)
      return nil
    }
    return descriptor
  }
}
