import Foundation

/// Gives inputs from outside to the readers and holds them to what must be true of every input.
///
/// Built by `Scripts/fuzz` it is libFuzzer's target: `Fuzz HARNESS libFuzzer's own arguments`. Built without `FUZZING` it
/// runs given files once, which needs no sanitizer and shows a find in a debugger: `Fuzz HARNESS file…`.
enum Harness: String, CaseIterable {
  case http, json, gsm, carriers

  /// Ends the process when something does not hold.
  var run: (_ input: [UInt8]) -> Void {
    switch self {
    case .http: HTTPHarness.run
    case .json: JSONHarness.run
    case .gsm: GSMHarness.run
    case .carriers: CarriersHarness.run
    }
  }

  /// Reads the first argument; says what there is when it is no harness.
  init?(argument: String?) {
    guard let argument, let harness = Harness(rawValue: argument) else {
      report("Fuzz HARNESS …, where HARNESS is one of \(Harness.allCases.map(\.rawValue).joined(separator: ", ")).")
      return nil
    }
    self = harness
  }
}

/// Ends the process when `condition` does not hold: that is how libFuzzer learns of a find.
func require(_ condition: @autoclosure () -> Bool, _ sentence: @autoclosure () -> String, line: Int = #line) {
  guard !condition() else { return }
  report("Broken in line \(line): \(sentence())")
  abort()
}

func report(_ sentence: String) { FileHandle.standardError.write(Data((sentence + "\n").utf8)) }

#if FUZZING
  @_silgen_name("LLVMFuzzerRunDriver")
  private func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
    _ body: @convention(c) (_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt
  ) -> CInt

  /// Set once, before the first input.
  nonisolated(unsafe) private var body: (_ input: [UInt8]) -> Void = { _ in }

  /// The name that the package manager gives to the entry of an executable.
  @_cdecl("Fuzz_main")
  func main(
    _ count: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  ) -> CInt {
    guard let harness = Harness(argument: count > 1 ? arguments[1].map { String(cString: $0) } : nil) else { return 2 }
    body = harness.run
    // libFuzzer reads its arguments behind the program's name.
    arguments[1] = arguments[0]
    var rest = count - 1
    var pointer: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = arguments + 1
    return runDriver(&rest, &pointer) { bytes, count in
      body(Array(UnsafeBufferPointer(start: bytes, count: count)))
      return 0
    }
  }
#else
  @main struct Replay {
    static func main() throws {
      guard let harness = Harness(argument: CommandLine.arguments.dropFirst().first) else { exit(2) }
      for file in CommandLine.arguments.dropFirst(2) {
        report(file)
        harness.run(Array(try Data(contentsOf: URL(filePath: file))))
      }
    }
  }
#endif
