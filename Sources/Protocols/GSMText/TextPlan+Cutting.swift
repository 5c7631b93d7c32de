extension TextPlan {
  /// Where the parts of a GSM text end, in septets.
  static func ends(ofSeptets septets: [UInt8], _ limits: PartLimits) -> [Int] {
    if septets.count <= limits.gsm7Single { return [septets.count] }
    var ends: [Int] = []
    var start = 0
    while septets.count - start > limits.gsm7Part {
      var end = start + limits.gsm7Part
      // An escape is always the first of its pair, since nothing is encoded as two escapes.
      let last = septets[end - 1]
      if last == GSMAlphabet.escape
        || (last == GSMAlphabet.carriageReturn && septets[end] == GSMAlphabet.lineFeed)
      {
        end -= 1
      }
      ends.append(end)
      start = end
    }
    ends.append(septets.count)
    return ends
  }

  /// Where the parts of a UCS-2 text end, in octets. `count` is the number of its UTF-16 units.
  static func ends(ofUnitsIn text: String, count: Int, _ limits: PartLimits) -> [Int] {
    if count <= limits.ucs2Single { return [count * 2] }
    var cutter = Cutter(limit: limits.ucs2Part)
    var index = text.startIndex
    while index < text.endIndex {
      let next = text.index(after: index)
      let scalars = text.unicodeScalars[index..<next]
      let width = scalars.reduce(0) { $0 + UTF16.width($1) }
      if width <= limits.ucs2Part {
        cutter.add(width)
      } else {
        for scalar in scalars { cutter.add(UTF16.width(scalar)) }
      }
      index = next
    }
    return cutter.finished().map { $0 * 2 }
  }

  /// Puts pieces that stay whole into parts, one after another.
  private struct Cutter {
    let limit: Int
    private var ends: [Int] = []
    private var start = 0
    private var end = 0

    init(limit: Int) { self.limit = limit }

    mutating func add(_ width: Int) {
      if end - start + width > limit {
        ends.append(end)
        start = end
      }
      end += width
    }

    func finished() -> [Int] { ends + [end] }
  }
}
