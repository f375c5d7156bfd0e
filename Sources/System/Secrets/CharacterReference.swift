import ApusASCII

/// Character references of HTML, decoded as browsers decode them (HTML, section 13.2.5.72): in decimal or hexadecimal with
/// any number of leading zeros, or by name, and without the semicolon where browsers accept that.
enum CharacterReference {
  /// Decodes the reference at the start of the bytes: `&amp;`, `&#47`, `&#x0002F;`.
  static func decoded(_ bytes: ArraySlice<UInt8>) -> (meaning: [UInt8], length: Int)? {
    let rest = bytes.dropFirst()
    return rest.first == UInt8(ascii: "#") ? number(rest.dropFirst()) : name(rest)
  }

  /// Decodes the digits after `&#`. A semicolon after them belongs to the reference.
  private static func number(_ bytes: ArraySlice<UInt8>) -> (meaning: [UInt8], length: Int)? {
    let isHexadecimal = bytes.first.map { $0.lowercased == UInt8(ascii: "x") } ?? false
    let radix: UInt32 = isHexadecimal ? 16 : 10
    let digits = bytes.dropFirst(isHexadecimal ? 1 : 0)
    var value: UInt32 = 0
    var end = digits.startIndex
    while end < digits.endIndex, let digit = hexadecimal(digits[end]), digit < radix {
      // No character has a larger number.
      value = min(value * radix + digit, 0x11_0000)
      end += 1
    }
    guard end > digits.startIndex, let scalar = Unicode.Scalar(windows[value] ?? value) else { return nil }
    let hasSemicolon = end < digits.endIndex && digits[end] == UInt8(ascii: ";")
    return (Array(String(scalar).utf8), 2 + (end - bytes.startIndex) + (hasSemicolon ? 1 : 0))
  }

  private static func hexadecimal(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
    default: nil
    }
  }

  /// Decodes the name after `&`: the whole name with its semicolon, else the longest name that needs none.
  private static func name(_ bytes: ArraySlice<UInt8>) -> (meaning: [UInt8], length: Int)? {
    let letters = bytes.prefix(longestName).prefix { $0.isLetter || $0.isDigit }
    guard !letters.isEmpty else { return nil }
    if bytes.dropFirst(letters.count).first == UInt8(ascii: ";") {
      let text = String(decoding: letters, as: UTF8.self)
      if let value = names[text] ?? olderNames[text] ?? names[text.lowercased()] {
        return (value, letters.count + 2)
      }
    }
    for count in stride(from: letters.count, through: 2, by: -1) {
      if let value = olderNames[String(decoding: letters.prefix(count), as: UTF8.self)] { return (value, count + 1) }
    }
    return nil
  }

  /// The numbers that browsers read as characters of Windows-1252.
  private static let windows: [UInt32: UInt32] = [
    0x80: 0x20AC, 0x82: 0x201A, 0x83: 0x0192, 0x84: 0x201E, 0x85: 0x2026, 0x86: 0x2020, 0x87: 0x2021, 0x88: 0x02C6,
    0x89: 0x2030, 0x8A: 0x0160, 0x8B: 0x2039, 0x8C: 0x0152, 0x8E: 0x017D, 0x91: 0x2018, 0x92: 0x2019, 0x93: 0x201C,
    0x94: 0x201D, 0x95: 0x2022, 0x96: 0x2013, 0x97: 0x2014, 0x98: 0x02DC, 0x99: 0x2122, 0x9A: 0x0161, 0x9B: 0x203A,
    0x9C: 0x0153, 0x9E: 0x017E, 0x9F: 0x0178,
  ]

  /// The names of ASCII characters that need a semicolon.
  private static let names = spelledOut(
    """
    excl ! num # dollar $ percnt % apos ' lpar ( rpar ) ast * midast * plus + comma , period . sol / colon :
    semi ; equals = quest ? commat @ lsqb [ lbrack [ bsol \\ rsqb ] rbrack ] Hat ^ hat ^ lowbar _ UnderBar _ grave `
    DiacriticalGrave ` lcub { lbrace { verbar | vert | VerticalLine | rcub } rbrace } fjlig fj euro € hyphen ‐
    ndash – mdash — lsquo ‘ rsquo ’ ldquo “ rdquo ” hellip … bull •
    """
  ).merging(["Tab": [0x09], "NewLine": [0x0A]]) { _, last in last }

  /// The names that need no semicolon: those of HTML 4 for ASCII and Latin-1.
  private static let olderNames = spelledOut(
    """
    amp & AMP & lt < LT < gt > GT > quot " QUOT " copy © COPY © reg ® REG ®
    iexcl ¡ cent ¢ pound £ curren ¤ yen ¥ brvbar ¦ sect § uml ¨ ordf ª laquo « not ¬ macr ¯ deg ° plusmn ± sup2 ²
    sup3 ³ acute ´ micro µ para ¶ middot · cedil ¸ sup1 ¹ ordm º raquo » frac14 ¼ frac12 ½ frac34 ¾ iquest ¿ Agrave À
    Aacute Á Acirc Â Atilde Ã Auml Ä Aring Å AElig Æ Ccedil Ç Egrave È Eacute É Ecirc Ê Euml Ë Igrave Ì Iacute Í Icirc Î
    Iuml Ï ETH Ð Ntilde Ñ Ograve Ò Oacute Ó Ocirc Ô Otilde Õ Ouml Ö times × Oslash Ø Ugrave Ù Uacute Ú Ucirc Û Uuml Ü
    Yacute Ý THORN Þ szlig ß agrave à aacute á acirc â atilde ã auml ä aring å aelig æ ccedil ç egrave è eacute é
    ecirc ê euml ë igrave ì iacute í icirc î iuml ï eth ð ntilde ñ ograve ò oacute ó ocirc ô otilde õ ouml ö divide ÷
    oslash ø ugrave ù uacute ú ucirc û uuml ü yacute ý thorn þ yuml ÿ
    """
  ).merging(["nbsp": Array("\u{A0}".utf8), "shy": Array("\u{AD}".utf8)]) { _, last in last }

  private static let longestName = (Array(names.keys) + Array(olderNames.keys)).map(\.utf8.count).max() ?? 0

  /// Returns the names of a list in which each name is followed by its character.
  private static func spelledOut(_ list: String) -> [String: [UInt8]] {
    let words = list.split { $0 == " " || $0 == "\n" }
    var found: [String: [UInt8]] = [:]
    for index in stride(from: 0, to: words.count - 1, by: 2) {
      found[String(words[index])] = Array(words[index + 1].utf8)
    }
    return found
  }
}
