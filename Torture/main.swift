import Foundation

do {
  let options = try Options(Array(CommandLine.arguments.dropFirst()))
  exit(try await Torture(options).run() ? 0 : 1)
} catch {
  FileHandle.standardError.write(Data("torture: \(error)\n".utf8))
  exit(2)
}
