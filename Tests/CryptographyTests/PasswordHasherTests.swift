import Testing

@testable import Cryptography

@Suite("Password hasher") struct PasswordHasherTests {
  /// Cheap, so that the tests are quick; the parameters in use have a test of their own.
  private let hasher = PasswordHasher(passes: 1, memory: 64 << 10)

  @Test func theRightPasswordIsRecognised() async throws {
    let hash = try await hasher.hash("hyvää yötä")
    #expect(hash.hasPrefix("$argon2id$v=19$m=64,t=1,p=1$"))
    #expect(try await hasher.verify("hyvää yötä", against: hash))
    #expect(try await !hasher.verify("hyvää yötä ", against: hash))
    #expect(try await hash != hasher.hash("hyvää yötä"), "each has its own salt")
  }

  @Test func newHashesHaveTheAdvisedParameters() async throws {
    let hasher = PasswordHasher()
    let hash = try await hasher.hash("x")
    #expect(hash.hasPrefix("$argon2id$v=19$m=19456,t=2,p=1$"))
    #expect(!hasher.needsRehash(hash))
    #expect(try await hasher.verify("x", against: hash))
  }

  @Test func aHashOfOtherParametersStillCountsAndAsksForANewOne() async throws {
    let old = try await hasher.hash("x")
    let raised = PasswordHasher(passes: 2, memory: 128 << 10)
    #expect(try await raised.verify("x", against: old))
    #expect(raised.needsRehash(old))
    #expect(!hasher.needsRehash(old))
    #expect(raised.needsRehash("nonsense"))
  }

  @Test func withoutAnAccountTheWorkIsDoneAndTheAnswerIsNo() async throws {
    #expect(try await !hasher.verify("x", against: nil))
    #expect(!hasher.needsRehash(hasher.nobody), "the stand-in costs what a real hash costs")
  }

  @Test(
    arguments: [
      "", "nonsense", "$argon2id$v=19$m=64,t=1,p=1$$", "$argon2id$v=19$m=99999999,t=1,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAA",
      "$argon2id$v=19$m=64,t=999999,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAA", "$2b$10$abcdefghijklmnopqrstuv", "\0", "$$$$$",
    ])
  func aHashThatIsNoneOrTooDearIsNeverRight(hash: String) async throws {
    #expect(try await !hasher.verify("x", against: hash))
  }

  @Test func emptyAndEndlessPasswordsAreRefused() async {
    for password in ["", String(repeating: "x", count: 1025)] {
      await #expect(throws: PasswordHasher.Failure.badLength) { try await hasher.hash(password) }
      await #expect(throws: PasswordHasher.Failure.badLength) { try await hasher.verify(password, against: nil) }
    }
  }

  @Test func whoComesWhenTooManyWaitIsRefusedAtOnce() async throws {
    let full = PasswordHasher(waitingLimit: 0, passes: 1, memory: 64 << 10)
    await #expect(throws: PasswordHasher.Failure.busy) { try await full.hash("x") }
    await #expect(throws: PasswordHasher.Failure.busy) { try await full.hash("x") }
    // Whoever was let in leaves the queue again.
    let narrow = PasswordHasher(waitingLimit: 1, passes: 1, memory: 64 << 10)
    for _ in 0..<3 { _ = try await narrow.hash("x") }
  }
}
