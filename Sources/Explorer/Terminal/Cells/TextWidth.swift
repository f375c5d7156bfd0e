import ApusSecrets
import CApusUTF8Proc

/// The conversion of text to cells: which clusters are shown, how others are replaced, and the width of each.
///
/// A cluster has the width of its widest code point, or two cells for an emoji presentation selector or a flag. Letters
/// and spacing vowel signs inside a cluster (conjuncts in Devanagari, Tamil, Thai) take a cell each, as in terminals
/// without support for clusters; otherwise the next character would overlap the vowel. Neither `wcwidth` nor the sum
/// over code points gives these widths.
package enum TextWidth {
  /// The replacement for a character that is invisible or would affect the terminal.
  static let replacement: Unicode.Scalar = "\u{FFFD}"

  /// Returns the number of cells of a text.
  package static func width(of text: some StringProtocol) -> Int { width(of: Substring(text)) }

  private static func width(of text: Substring) -> Int {
    guard text.utf8.contains(where: { $0 >= 0x80 }) else { return text.utf8.count }
    return text.reduce(0) { $0 + width(of: $1) }
  }

  /// The maximum width of a cluster.
  static let limit = 8

  /// Returns the number of cells of a character, from 1 to `limit`.
  package static func width(of character: Character) -> Int {
    let scalars = character.unicodeScalars
    guard let first = scalars.first else { return 0 }
    if first.value < 0x80 {
      // CRLF is shown as two replacement characters. Any other ASCII character takes one cell, unless a selector
      // requests an emoji digit.
      if first == "\r", scalars.count == 2 { return 2 }
      if scalars.count == 1 { return 1 }
    }
    if TagCharacter.isHidden(in: scalars) {
      return scalars.count == 1 ? 1 : scalars.reduce(0) { $0 + width(of: Character($1)) }
    }
    return min(limit, max(1, rawWidth(of: scalars)))
  }

  /// Returns the width of a cluster from its code points; zero if all of them are nonspacing.
  static func rawWidth(of scalars: Character.UnicodeScalarView) -> Int {
    var widest = 0
    var regionalIndicators = 0
    var beside = 0
    for scalar in scalars {
      switch scalar.value {
      case 0xFE0F: widest = max(widest, widest > 0 ? 2 : 0)
      case 0x1F1E6...0x1F1FF:
        regionalIndicators += 1
        widest = max(widest, regionalIndicators == 2 ? 2 : 1)
      // Medial and final Korean letters combine with the initial one.
      case 0x1160...0x11FF, 0xD7B0...0xD7FF: widest = max(widest, 1)
      default:
        let width = Int(utf8proc_charwidth(Int32(bitPattern: scalar.value)))
        switch scalar.properties.generalCategory {
        case .spacingMark: beside += 1
        case .otherLetter where width == 1: beside += 1
        default: if width == 1, beside == 0, widest == 0 { beside = 1 }
        }
        widest = max(widest, width)
      }
    }
    return max(widest, min(limit, beside))
  }

  /// Returns the visible replacement for a scalar that must not reach the terminal; nil if it may be shown.
  ///
  /// Control characters are replaced by control pictures; bidirectional controls and invisible characters by U+FFFD. A tag
  /// character is visible alone; `Frame` keeps those of a flag in their cluster.
  static func visibleReplacement(for scalar: Unicode.Scalar) -> Unicode.Scalar? {
    switch scalar.value {
    case 0x20...0x7E: nil
    case 0...0x1F: Unicode.Scalar(0x2400 + scalar.value) ?? replacement
    case 0x7F: "\u{2421}"
    case 0x80...0x9F: replacement
    case 0x061C, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF, 0xFFF9...0xFFFB, 0xE0000...0xE007F:
      replacement
    default: nil
    }
  }

  package static func truncated(_ text: String, to width: Int, ellipsis: Character = "…") -> String {
    guard width > 0 else { return "" }
    var used = 0
    var end = text.startIndex
    var index = text.startIndex
    while index < text.endIndex {
      let next = text.index(after: index)
      used += self.width(of: text[index])
      if used > width { return String(text[..<end]) + String(ellipsis) }
      if used <= width - 1 { end = next }
      index = next
    }
    return text
  }
}
