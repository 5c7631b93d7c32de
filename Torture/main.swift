import Foundation

setvbuf(stdout, nil, _IOLBF, 0)
do {
  let options = try Options(Array(CommandLine.arguments.dropFirst()))
  exit(await Torture(options).run() ? 0 : 1)
} catch {
  FileHandle.standardError.write(Data("torture: \(error)\n".utf8))
  exit(2)
}
