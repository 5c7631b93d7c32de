import GSMText

/// Texts and where they are cut: UTF-16 units of the text of each part (an escaped character counts one here).
enum SplittingVectors {
  static let cuts: [(text: String, encoding: TextEncoding, cuts: [Int])] = [
    // Made with smsutil 1.1.3 of PyPI.
    ("a" * 160, .gsm7, [160]), ("a" * 161, .gsm7, [153, 8]), ("a" * 306, .gsm7, [153, 153]),
    ("a" * 307, .gsm7, [153, 153, 1]), ("a" * 152 + "€" + "b" * 99, .gsm7, [152, 100]),
    ("a" * 152 + "€" * 100, .gsm7, [152, 76, 24]), ("€" * 80, .gsm7, [80]), ("€" * 81, .gsm7, [76, 5]),
    ("[]" * 40, .gsm7, [80]), ("[]" * 41, .gsm7, [76, 6]), ("a[" * 76 + "x" * 10, .gsm7, [102, 60]),
    ("~" * 153, .gsm7, [76, 76, 1]), ("a" * 151 + "~~~" + "b" * 10, .gsm7, [152, 12]), ("é" * 160, .gsm7, [160]),
    ("я" * 70, .ucs2, [70]), ("я" * 71, .ucs2, [67, 4]), ("я" * 134, .ucs2, [67, 67]),
    ("я" * 135, .ucs2, [67, 67, 1]), ("ç" * 70, .ucs2, [70]), ("ç" * 71, .ucs2, [67, 4]),
    ("я" * 66 + "😀" + "я" * 40, .ucs2, [66, 42]), ("😀" * 35, .ucs2, [70]), ("😀" * 36, .ucs2, [66, 6]),
    ("😀" * 100, .ucs2, [66, 66, 66, 2]), ("a" * 66 + "😀😀😀", .ucs2, [66, 6]),
    // TwilioDevEd/message-segment-calculator, tests/index.test.js.
    ("{" + "2345678901" * 15 + "23456789", .gsm7, [159]), ("{" + "2345678901" * 15 + "234567890", .gsm7, [152, 8]),
    ("😜" + "2345678901" * 6 + "23456789", .ucs2, [70]), ("😜" + "2345678901" * 6 + "234567890", .ucs2, [67, 4]),
    // python-smpplib, smpplib/tests/test_gsm.py.
    ("@" * 306, .gsm7, [153, 153]), ("Привет мир!\n" * 10, .ucs2, [67, 53]),
    // linxGnu/gosmpp, data/codings_test.go.
    ("", .gsm7, [0]), ("A" * 68 + "😀", .ucs2, [70]), ("A" * 66 + "😀BBB", .ucs2, [66, 5]),
    (
      "biggest gift của Christmas là có nhiều big/challenging/meaningful problems để sấp mặt làm", .ucs2, [67, 22]
    ),
    ("|}€€|]|€[~€^]€~{~^{|]]|[{|~€^|]^[[{€^]^{€}}^~~]€]~€[€€[]~~[}}]{^}{|}~~]]€^{^|€{^", .gsm7, [80]),
    ("p" * 152 + "€" + "p" * 7, .gsm7, [152, 8]), ("p" * 150 + "{{" + "p" * 8, .gsm7, [151, 9]),
    ("p" * 150 + "€€" + "p" * 8, .gsm7, [151, 9]),
    ("|{[€|^€[{|€{[|^{~[}€|}|^|^[^]€{[]~}€]{{^|^][€]|€~€^[~}^]{]~{^^€^[~|^]|€~|^€{]{~|}", .gsm7, [76, 5]),
    // Our own: what a reader sees as one stays together.
    ("я" * 66 + "e\u{301}" + "я" * 9, .ucs2, [66, 11]), ("я" * 60 + "👨‍👩‍👧‍👦" + "я", .ucs2, [60, 12]),
    ("я" * 65 + "👍🏽" + "я" * 5, .ucs2, [65, 9]), ("я" * 65 + "🇫🇮🇦🇺", .ucs2, [65, 8]),
    ("я" * 66 + "\r\nяяя", .ucs2, [66, 5]),
    ("я" * 66 + "❤\u{FE0F}" + "яяя", .ucs2, [66, 5]), ("a" * 152 + "\r\n" + "a" * 20, .gsm7, [152, 22]),
    ("a" * 151 + "\r\n" + "a" * 20, .gsm7, [153, 20]), ("a" * 152 + "\r\u{0C}" + "a" * 20, .gsm7, [153, 21]),
    ("\0" * 71, .ucs2, [67, 4]),
  ]

  /// Packed parts behind an 8-bit reference, so with one fill bit and a return as padding, from linxGnu/gosmpp,
  /// data/codings_test.go.
  static let packedParts: [(text: String, parts: [String])] = [
    (
      "gjwklgjkwP123+?sasdasdaqwdqwdqwdqwdqwdqwdqwdqwdqwdqwdqwdqwdqwdqwdqwdqwdqwdqdqwdqwDQWdqwdqwdqwdqwwqwdqwdqwddqwdqw"
        + "dqwdqwdqwdqwdqwdqwdqwdqwdqwdqdwqdqwqwdqwdqwqwdqw{",
      [
        "ceeafb9a7d56afefd0986cb6facdc37372784e0ec7efe4f89d1cbf93e37772fc4e8edfc9f13b397e27c7efe4f89d1cbf93e37772fc4e8e"
          + "dfc9f13b397e27c7efe438397e27c7efc4e8951cbf93e37772fc4e8edfeff13b397e27c7ef6472fc4e8edfc9f13b397e27c7efe4f8"
          + "9d1cbf93e37772fc4e8edfc9f13b394ebec7c9f17bfc4e8edfc9", "e2f7f89d1cbf6f50",
      ]
    ),
    ("p" * 152 + "€" + "p" * 7, ["e070381c0e87c3e1" + "70381c0e87c3e1" * 17 + "70381c0e87c31b", "3665381c0e87c3e1"]),
    (
      "p" * 150 + "{{" + "p" * 8, ["e070381c0e87c3e1" + "70381c0e87c3e1" * 17 + "70381c0edfa01a", "3628381c0e87c3e170"]
    ),
    (
      "p" * 150 + "€€" + "p" * 8, ["e070381c0e87c3e1" + "70381c0e87c3e1" * 17 + "70381c0edf941b", "3665381c0e87c3e170"]
    ),
    (
      "ΩØ;19Ξòå1-¤6aΞΘANanΣ¡>)òΦ3L;aøΛ-o@>I¥1=-ü!N¤&o9Hmda3jΞ@ÅΣlhEE§/:Çù0Θ&:_&Π;KLÅÅ@fÜ-kFH?ΠB5/ÆΓ?55=<Ω¡N2ñ¥*L¤aÖ! Ö"
        + "Θ+øF£_Ç?øΔΓ-lèòCìnEBmhÉF*<Åi/aΩ¥CDøfGÇ$/=Λ'ÅA3ò#fkù",
      [
        "2a8b5d2ca7413c622d922dacc9049d613706e84b212433e62ecca0b4de005f7210ebb5fc2127c9f4ce21dbe4f04cad0138306c74b1f87d"
          + "e9120658c6a48b982cbb25d3e10098bdadb511f9b3086b2fcee457abf57815a053d61fa898a4303704e266560c632092f831209316"
          + "9b80181edc45611bfd31aa788ef42b5c190c890cf3312178f528", "4e8ee00c3132af0d",
      ]
    ),
    (
      "|{[€|^€[{|€{[|^{~[}€|}|^|^[^]€{[]~}€]{{^|^][€]|€~€^[~}^]{]~{^^€^[~|^]|€~|^€{]{~|}",
      [
        "36c00d6ac3db9437c00d6553def036a80d7053dea036bc0d7043d9a036bd0d6f93da9437c04d6a03dc5036c00d65c3db5036be4d7983da"
          + "f036be4d6f93da9437be0d6a83da5036c00d65e3dbf036e58d6f03dc9437bd4d7943d9f036bd4d6a43d9f836a88d6fd3dba036940d"
          + "6553de5036bc4d6f03dc5036be0d7053def436c00d6553dea01a", "36be0d6ad3db003729",
      ]
    ),
  ]
}
