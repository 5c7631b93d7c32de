import CCurl
import Foundation

/// Which sockets epoll watches, and for what. Belongs to the loop's thread.
///
/// libcurl lets go of a connection's socket after every answer and takes it up again for the next request. That costs no
/// system call here: the socket stays in epoll, and leaves it only if it speaks up while nobody listens.
final class SocketWatch {
  private struct Entry {
    /// CURL_POLL_ bits: what libcurl wants now, and what epoll was told.
    var wanted: Int32 = 0
    var watched: Int32 = 0
    /// Opened and closed by way of our callbacks, so that we hear when its number becomes free.
    var isOurs = false
  }

  let poll: Int32
  private var entries: [Entry] = []

  init?(bell: Int32) {
    poll = ccurl_poll_open()
    guard poll >= 0 else { return nil }
    guard ccurl_poll_set(poll, bell, CURL_POLL_IN) == 0 else {
      close(poll)
      return nil
    }
  }

  deinit { close(poll) }

  func opened(_ socket: Int32) { with(socket) { $0 = Entry(isOurs: true) } }

  /// Its close takes it out of epoll as well.
  func closing(_ socket: Int32) { with(socket) { $0 = Entry() } }

  /// - Parameter wanted: CURL_POLL_ bits; 0 when libcurl lets go of it.
  func want(_ socket: Int32, _ wanted: Int32) {
    with(socket) { entry in
      entry.wanted = wanted
      if wanted == entry.watched || (wanted == 0 && entry.isOurs && entry.watched == CURL_POLL_IN) { return }
      entry.watched = ccurl_poll_set(poll, socket, wanted) == 0 ? wanted : 0
    }
  }

  /// - Returns: false when nobody wants to know of it; it is then watched no longer.
  func isWanted(_ socket: Int32) -> Bool {
    with(socket) { entry in
      if entry.wanted != 0 { return true }
      ccurl_poll_set(poll, socket, 0)
      entry.watched = 0
      return false
    }
  }

  private func with<Result>(_ socket: Int32, _ body: (inout Entry) -> Result) -> Result {
    let index = Int(max(0, socket))
    while entries.count <= index { entries.append(Entry()) }
    return body(&entries[index])
  }
}
