import Testing

/// Runs one exchange with its sandbox for all tests of a suite, and ends it with them.
struct DemoTrait: SuiteTrait, TestScoping {
  let words: [String]

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let demo = try await Demo(words)
    try await Demo.$running.withValue(demo) { try await function() }
  }
}

extension Trait where Self == DemoTrait {
  /// - Parameter words: further words for `serve`.
  static func demo(_ words: String...) -> Self { DemoTrait(words: words) }
}

extension Demo {
  @TaskLocal static var running: Demo?

  /// The exchange of this suite.
  static func current() throws -> Demo {
    guard let running else { throw Failure("the suite has no trait .demo") }
    return running
  }
}
