import Database
import Foundation
import Testing

@Suite struct DataFolderLockTests {
  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  @Test func aFolderHasOneServer() throws {
    let first = try DataFolderLock(folder: scratch.folder)
    do {
      _ = try DataFolderLock(folder: scratch.folder + "/")
      Issue.record("two servers had one folder")
    } catch {
      #expect(error == .taken(folder: scratch.folder + "/", process: Int(getpid())))
      #expect(error.description.contains(scratch.folder))
      #expect(error.description.contains("process \(getpid())"))
    }
    withExtendedLifetime(first) {}
  }

  @Test func theLockGoesWithItsOwner() throws {
    _ = try DataFolderLock(folder: scratch.folder)
    _ = try DataFolderLock(folder: scratch.folder)
  }

  @Test func aMissingFolderIsNamed() throws {
    do {
      _ = try DataFolderLock(folder: scratch.path("missing"))
      Issue.record("a missing folder was locked")
    } catch {
      #expect(error.description.contains(scratch.path("missing")))
    }
  }
}
