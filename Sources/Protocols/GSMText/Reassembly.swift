/// Parts put together again.
package enum Reassembly {
  /// The text of `parts`, given in their order and without headers.
  ///
  /// Octets are joined first and read afterwards: other senders cut through surrogate pairs and escape pairs, and a
  /// part read alone would then show a wrong character on either side of the cut.
  package static func join(_ parts: [[UInt8]], as encoding: TextEncoding) -> String {
    parts.count == 1 ? encoding.decode(parts[0]) : encoding.decode(Array(parts.joined()))
  }
}
