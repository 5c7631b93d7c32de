import CLinux
import Foundation

/// Addresses as text: numeric host, without the port.
enum SocketAddress {
  /// The addresses that a host name or a numeric address stands for, ready for bind(2). Asks the resolver, so it may
  /// take a while.
  static func resolve(host: String, port: Int) throws(SystemError) -> [[UInt8]] {
    guard (0...65_535).contains(port) else { throw SystemError("bind to port \(port)", code: EINVAL) }
    var hints = addrinfo()
    hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(host.isEmpty ? nil : host, String(port), &hints, &list)
    guard code == 0, let list else {
      throw SystemError("getaddrinfo for \(host)", code: code == EAI_SYSTEM ? errno : EADDRNOTAVAIL)
    }
    defer { freeaddrinfo(list) }
    var addresses: [[UInt8]] = []
    var next: UnsafeMutablePointer<addrinfo>? = list
    while let info = next?.pointee {
      if let address = info.ai_addr {
        addresses.append(Array(UnsafeRawBufferPointer(start: address, count: Int(info.ai_addrlen))))
      }
      next = info.ai_next
    }
    return addresses
  }

  /// The numeric host; an IPv4 address that came in over IPv6 is written as IPv4.
  static func host(of address: UnsafePointer<sockaddr>, length: socklen_t) -> String {
    let text = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer -> String in
      guard getnameinfo(address, length, buffer.baseAddress, 64, nil, 0, NI_NUMERICHOST) == 0,
        let start = buffer.baseAddress
      else { return "" }
      return String(cString: start)
    }
    return text.hasPrefix("::ffff:") && text.contains(".") ? String(text.dropFirst(7)) : text
  }

  /// The port that a bound socket got.
  static func port(of descriptor: Int32) -> Int {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutablePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        guard getsockname(descriptor, address, &length) == 0 else { return 0 }
        switch Int32(address.pointee.sa_family) {
        case AF_INET:
          return pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { Int($0.pointee.sin_port.bigEndian) }
        case AF_INET6:
          return pointer.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { Int($0.pointee.sin6_port.bigEndian) }
        default: return 0
        }
      }
    }
  }
}
