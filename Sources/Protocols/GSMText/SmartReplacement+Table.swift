// The families are those of Twilio's "Smart Encoding" character list and of Sinch's page on automatic encoding.

extension SmartReplacement {
  static let lookalikes: [Unicode.Scalar: String] = {
    var table: [Unicode.Scalar: String] = [:]
    for (plain, scalars) in characters { for scalar in scalars.unicodeScalars { table[scalar] = plain } }
    for (plain, ranges) in ranges {
      for value in ranges.joined() { if let scalar = Unicode.Scalar(value) { table[scalar] = plain } }
    }
    for (scalar, plain) in pairs { table[scalar] = plain }
    return table
  }()

  /// Characters, each for any of a family.
  private static let characters: [(plain: String, family: String)] = [
    ("\"", "«»“”„‟″‶〝〞〟❝❞\u{2BA}\u{2EE}\u{2DD}"),
    ("'", "‘’‚‛′‵‹›´`❛❜\u{2B9}\u{2BB}\u{2BC}\u{2BD}\u{2C8}\u{2CA}\u{2CB}"),
    ("-", "‐‑‒–—―−⁃•‣﹘﹣⸺⸻\u{2D7}"),
    (".", "。｡﹒․"), (",", "、､﹐﹑"), (":", "﹕︓ː꞉"), (";", "﹔︔⁏"),
    ("!", "﹗︕ǃ"), ("?", "﹖︖"), ("*", "∗⁎﹡"), ("+", "﹢˖"), ("=", "﹦꞊"), ("#", "﹟"), ("&", "﹠"), ("%", "﹪"), ("@", "﹫"),
    ("$", "﹩"), ("(", "﹙❨⟮"), (")", "﹚❩⟯"), ("{", "﹛❴"), ("}", "﹜❵"), ("<", "﹤"), (">", "﹥"),
    ("/", "÷⁄∕⧸"), ("\\", "﹨∖⧵⧹"), ("|", "¦∣￤"), ("~", "˜∼˷"), ("^", "ˆ"), ("_", "‗"), ("x", "×"),
    ("£", "￡"), ("¥", "￥"),
  ]

  /// Whole ranges by value: exotic spaces, line separators, and what shows nothing.
  private static let ranges: [(plain: String, values: [ClosedRange<UInt32>])] = [
    (
      " ",
      [0x09...0x09, 0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A, 0x202F...0x202F, 0x205F...0x205F, 0x3000...0x3000]
    ),
    ("\n", [0x0B...0x0B, 0x85...0x85, 0x2028...0x2029]),
    // Controls, soft hyphen, zero-width characters, marks of writing direction, variation selectors, byte order mark.
    (
      "",
      [
        0x00...0x08, 0x0E...0x1F, 0x7F...0x84, 0x86...0x9F, 0xAD...0xAD, 0x34F...0x34F, 0x61C...0x61C, 0x180E...0x180E,
        0x200B...0x200F, 0x202A...0x202E, 0x2060...0x2064, 0x2066...0x206F, 0xFE00...0xFE0F, 0xFEFF...0xFEFF,
      ]
    ),
  ]

  /// One for one: Greek capitals that look Latin, signs that look Greek, and characters that stand for several.
  private static let pairs: [(Unicode.Scalar, String)] = [
    ("Α", "A"), ("Β", "B"), ("Ε", "E"), ("Ζ", "Z"), ("Η", "H"), ("Ι", "I"), ("Κ", "K"), ("Μ", "M"), ("Ν", "N"),
    ("Ο", "O"), ("Ρ", "P"), ("Τ", "T"), ("Υ", "Y"), ("Χ", "X"),
    ("∆", "Δ"), ("∑", "Σ"), ("∏", "Π"),
    ("…", "..."), ("⋯", "..."), ("‥", ".."), ("‼", "!!"), ("⁇", "??"), ("⁈", "?!"), ("⁉", "!?"),
    ("ﬀ", "ff"), ("ﬁ", "fi"), ("ﬂ", "fl"), ("ﬃ", "ffi"), ("ﬄ", "ffl"),
  ]
}
