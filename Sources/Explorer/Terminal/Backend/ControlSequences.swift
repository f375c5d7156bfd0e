/// Sequences that carry a text to the terminal itself: for its clipboard, for its title.
package enum ControlSequences {
  /// Puts a text on the clipboard of the terminal's user, wherever that terminal is (OSC 52).
  ///
  /// GNU screen passes on only what is wrapped for it, in pieces that it has room for.
  package static func clipboard(_ text: String, throughGNUScreen isWrapped: Bool = false) -> String {
    let sequence = "\u{1B}]52;c;" + base64(text.utf8) + "\u{7}"
    guard isWrapped else { return sequence }
    var pieces = ""
    var rest = sequence[...]
    while !rest.isEmpty {
      pieces += "\u{1B}P" + rest.prefix(240) + "\u{1B}\\"
      rest = rest.dropFirst(240)
    }
    return pieces
  }

  /// Names the window (OSC 2). Control characters of the title are left out.
  package static func title(_ title: String) -> String {
    let shown = title.unicodeScalars.filter { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
    return "\u{1B}]2;\(String(String.UnicodeScalarView(shown)))\u{7}"
  }

  private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// The text form of bytes (RFC 4648, section 4).
  package static func base64(_ bytes: some Sequence<UInt8>) -> String {
    var result: [UInt8] = []
    var bits = 0
    var count = 0
    for byte in bytes {
      bits = bits << 8 | Int(byte)
      count += 8
      while count >= 6 {
        count -= 6
        result.append(digits[bits >> count & 0x3F])
      }
      bits &= (1 << count) - 1
    }
    if count > 0 { result.append(digits[bits << (6 - count) & 0x3F]) }
    while result.count % 4 != 0 { result.append(0x3D) }
    return String(decoding: result, as: UTF8.self)
  }
}
