/// Something that lives as long as the program: started once, ended by a graceful stop.
///
/// `run()` returns when its task is cancelled and whatever was in hand has been finished. It throws when it can not go
/// on, and the program then stops.
package protocol Service: Sendable {
  func run() async throws
}
