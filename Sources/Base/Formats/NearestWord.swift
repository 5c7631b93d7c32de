/// The word that `text` was most likely meant to be; nil where none is close.
package func nearestWord(to text: String, among words: [String]) -> String? {
  guard text.utf8.count <= 64 else { return nil }
  let wanted = Array(text.lowercased().utf8)
  var best: (word: String, distance: Int)?
  for word in words {
    let distance = editDistance(wanted, Array(word.lowercased().utf8))
    if distance < best?.distance ?? .max { best = (word, distance) }
  }
  guard let best, best.distance <= max(1, min(wanted.count, best.word.utf8.count) / 3) else { return nil }
  return best.word
}

/// How many letters must be put in, left out, changed or swapped with a neighbour (Damerau's distance, each place edited
/// once).
private func editDistance(_ left: [UInt8], _ right: [UInt8]) -> Int {
  var before: [Int] = []
  var last = Array(0...right.count)
  for (row, letter) in left.enumerated() {
    var current = [row + 1]
    for (column, other) in right.enumerated() {
      var cost = min(last[column] + (letter == other ? 0 : 1), last[column + 1] + 1, current[column] + 1)
      if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other {
        cost = min(cost, before[column - 1] + 1)
      }
      current.append(cost)
    }
    before = last
    last = current
  }
  return last.last ?? 0
}
