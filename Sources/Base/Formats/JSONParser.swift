/// The grammar of RFC 8259, over bytes. Every read is preceded by a check against the end.
struct JSONParser {
  struct Fault: Error {
    var reason: JSONError.Reason
    var offset: Int
  }

  /// Longer numbers say nothing that a `Double` could keep.
  private static let longestNumber = 400

  private let bytes: UnsafeBufferPointer<UInt8>
  private let depthLimit: Int
  private var position = 0
  private var depth = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>, depth: Int) {
    self.bytes = bytes
    depthLimit = depth
  }

  mutating func document() throws(Fault) -> JSONValue {
    skipSpace()
    let value = try self.value()
    skipSpace()
    guard position == bytes.count else { throw fault(.textAfterValue) }
    return value
  }

  private func fault(_ reason: JSONError.Reason) -> Fault { Fault(reason: reason, offset: position) }

  /// The byte at the place, or zero, which no JSON text has outside its strings, at the end.
  private var current: UInt8 { position < bytes.count ? bytes[position] : 0 }

  private func expected(_ reason: JSONError.Reason) -> Fault {
    fault(position < bytes.count ? reason : .unexpectedEnd)
  }

  private mutating func skipSpace() {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x0A, 0x0D, 0x09: position += 1
      default: return
      }
    }
  }

  private mutating func value() throws(Fault) -> JSONValue {
    switch current {
    case UInt8(ascii: "\""):
      position += 1
      return JSONValue(.string(try string()))
    case UInt8(ascii: "{"): return try object()
    case UInt8(ascii: "["): return try array()
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case UInt8(ascii: "-"), 0x30...0x39: return JSONValue(try number())
    default: throw expected(.expectedValue)
    }
  }

  private mutating func word(_ word: StaticString, _ kind: JSONValue.Kind) throws(Fault) -> JSONValue {
    guard bytes.count - position >= word.utf8CodeUnitCount else { throw fault(.expectedValue) }
    for index in 0..<word.utf8CodeUnitCount where bytes[position + index] != word.utf8Start[index] {
      throw fault(.expectedValue)
    }
    position += word.utf8CodeUnitCount
    return JSONValue(kind)
  }

  private mutating func enter() throws(Fault) {
    depth += 1
    guard depth <= depthLimit else { throw fault(.tooDeep(limit: depthLimit)) }
    position += 1
    skipSpace()
  }

  private mutating func array() throws(Fault) -> JSONValue {
    try enter()
    defer { depth -= 1 }
    var elements: [JSONValue] = []
    if current == UInt8(ascii: "]") {
      position += 1
      return JSONValue(.array(elements))
    }
    while true {
      elements.append(try value())
      skipSpace()
      switch current {
      case UInt8(ascii: ","):
        position += 1
        skipSpace()
      case UInt8(ascii: "]"):
        position += 1
        return JSONValue(.array(elements))
      default: throw expected(.expectedCommaOrEnd)
      }
    }
  }

  private mutating func object() throws(Fault) -> JSONValue {
    try enter()
    defer { depth -= 1 }
    var members: [JSONValue.Member] = []
    var keys = KeySet()
    if current == UInt8(ascii: "}") {
      position += 1
      return JSONValue(.object(members))
    }
    members.reserveCapacity(4)
    while true {
      guard current == UInt8(ascii: "\"") else { throw expected(.expectedKey) }
      let start = position
      position += 1
      let key = try string()
      guard keys.insert(key, into: members) else { throw Fault(reason: .doubledKey(key), offset: start) }
      skipSpace()
      guard current == UInt8(ascii: ":") else { throw expected(.expectedColon) }
      position += 1
      skipSpace()
      members.append(JSONValue.Member(key, try value()))
      skipSpace()
      switch current {
      case UInt8(ascii: ","):
        position += 1
        skipSpace()
      case UInt8(ascii: "}"):
        position += 1
        return JSONValue(.object(members))
      default: throw expected(.expectedCommaOrEnd)
      }
    }
  }

  // MARK: Strings

  /// Reads on from behind the opening quote.
  private mutating func string() throws(Fault) -> String {
    let start = position
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\""):
        let slice = UnsafeBufferPointer(rebasing: bytes[start..<position])
        position += 1
        guard let text = String(validating: slice, as: UTF8.self) else {
          throw Fault(reason: .notUTF8, offset: start - 1)
        }
        return text
      case UInt8(ascii: "\\"): return try stringWithEscapes(from: start)
      case 0..<0x20: throw fault(.controlCharacter)
      default: position += 1
      }
    }
    throw fault(.unexpectedEnd)
  }

  private mutating func stringWithEscapes(from start: Int) throws(Fault) -> String {
    var decoded = Array(bytes[start..<position])
    while position < bytes.count {
      let byte = bytes[position]
      switch byte {
      case UInt8(ascii: "\""):
        position += 1
        guard let text = String(validating: decoded, as: UTF8.self) else {
          throw Fault(reason: .notUTF8, offset: start - 1)
        }
        return text
      case UInt8(ascii: "\\"): try escape(into: &decoded)
      case 0..<0x20: throw fault(.controlCharacter)
      default:
        decoded.append(byte)
        position += 1
      }
    }
    throw fault(.unexpectedEnd)
  }

  private mutating func escape(into decoded: inout [UInt8]) throws(Fault) {
    guard position + 1 < bytes.count else { throw Fault(reason: .unexpectedEnd, offset: bytes.count) }
    switch bytes[position + 1] {
    case UInt8(ascii: "\""): decoded.append(0x22)
    case UInt8(ascii: "\\"): decoded.append(0x5C)
    case UInt8(ascii: "/"): decoded.append(0x2F)
    case UInt8(ascii: "b"): decoded.append(0x08)
    case UInt8(ascii: "f"): decoded.append(0x0C)
    case UInt8(ascii: "n"): decoded.append(0x0A)
    case UInt8(ascii: "r"): decoded.append(0x0D)
    case UInt8(ascii: "t"): decoded.append(0x09)
    case UInt8(ascii: "u"):
      let scalar = try unicodeEscape()
      decoded.append(contentsOf: scalar.utf8)
      return
    default: throw fault(.badEscape)
    }
    position += 2
  }

  /// Reads `\uXXXX`, or two of them where the first is the high half of a pair.
  private mutating func unicodeEscape() throws(Fault) -> Unicode.Scalar {
    guard let first = codeUnit(at: position) else { throw fault(.badEscape) }
    if let scalar = Unicode.Scalar(first) {
      position += 6
      return scalar
    }
    guard first < 0xDC00, let second = codeUnit(at: position + 6), (0xDC00..<0xE000).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else { throw fault(.loneSurrogate) }
    position += 12
    return scalar
  }

  private func codeUnit(at start: Int) -> UInt32? {
    guard start + 6 <= bytes.count, bytes[start] == UInt8(ascii: "\\"), bytes[start + 1] == UInt8(ascii: "u") else {
      return nil
    }
    var unit: UInt32 = 0
    for index in start + 2..<start + 6 {
      guard let digit = hexDigit(bytes[index]) else { return nil }
      unit = unit << 4 | UInt32(digit)
    }
    return unit
  }

  // MARK: Numbers

  private mutating func number() throws(Fault) -> JSONValue.Kind {
    let start = position
    let isNegative = current == UInt8(ascii: "-")
    if isNegative { position += 1 }
    let firstDigit = position
    // The sum is kept negative, which has room for Int64.min too.
    var sum: Int64 = 0
    var fits = true
    while let digit = currentDigit {
      if fits {
        let (product, overflow) = sum.multipliedReportingOverflow(by: 10)
        let (difference, underflow) = product.subtractingReportingOverflow(Int64(digit))
        fits = !overflow && !underflow
        sum = difference
      }
      position += 1
    }
    guard position > firstDigit, bytes[firstDigit] != UInt8(ascii: "0") || position == firstDigit + 1 else {
      throw Fault(reason: .badNumber, offset: start)
    }
    let isWhole = try !fractionAndExponent(from: start)
    if isWhole, fits, isNegative || sum > .min { return .integer(isNegative ? sum : -sum) }
    guard position - start <= Self.longestNumber else { throw Fault(reason: .numberTooLarge, offset: start) }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    guard let value = Double(text), value.isFinite else { throw Fault(reason: .numberTooLarge, offset: start) }
    return .number(value)
  }

  /// - Returns: whether there was a fraction or an exponent.
  private mutating func fractionAndExponent(from start: Int) throws(Fault) -> Bool {
    var found = false
    if current == UInt8(ascii: ".") {
      position += 1
      try digits(from: start)
      found = true
    }
    if current | 0x20 == UInt8(ascii: "e") {
      position += 1
      if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { position += 1 }
      try digits(from: start)
      found = true
    }
    return found
  }

  private mutating func digits(from start: Int) throws(Fault) {
    guard currentDigit != nil else { throw Fault(reason: .badNumber, offset: start) }
    while currentDigit != nil { position += 1 }
  }

  private var currentDigit: UInt8? {
    let byte = current
    return byte >= 0x30 && byte <= 0x39 ? byte - 0x30 : nil
  }
}
