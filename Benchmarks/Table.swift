import Foundation

/// A table for a terminal: the first column to the left, the others to the right.
struct Table {
  private var rows: [[String]]

  init(_ heading: [String]) { rows = [heading] }

  mutating func add(_ row: [String]) { rows.append(row) }

  func print() {
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0 }
    for (number, row) in rows.enumerated() {
      let cells = row.enumerated().map { index, cell in
        let space = String(repeating: " ", count: widths[index] - cell.count)
        return index == 0 ? cell + space : space + cell
      }
      Output.line("  " + cells.joined(separator: "   "))
      if number == 0 { Output.line("  " + widths.map { String(repeating: "-", count: $0) }.joined(separator: "   ")) }
    }
    Output.line("")
  }
}

extension Double {
  /// With thousands apart and `digits` after the point.
  func text(_ digits: Int = 0) -> String {
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    let scaled = (self * scale).rounded()
    guard scaled.isFinite, scaled.magnitude < 9e15 else { return "-" }
    let whole = Int(scaled.magnitude) / Int(scale)
    let rest = Int(scaled.magnitude) % Int(scale)
    var groups: [String] = []
    var left = whole
    repeat {
      let group = String(left % 1000)
      left /= 1000
      groups.insert(left > 0 ? String(repeating: "0", count: 3 - group.count) + group : group, at: 0)
    } while left > 0
    let fraction = String(rest)
    let tail = digits == 0 ? "" : "." + String(repeating: "0", count: digits - fraction.count) + fraction
    return (self < 0 && scaled != 0 ? "-" : "") + groups.joined(separator: ",") + tail
  }
}

enum Output {
  /// Written at once, so that a reader of a pipe sees each table as it comes.
  static func line(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }
}
