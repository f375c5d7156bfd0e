extension Lexer {
  /// Reads a string in quotation marks, such as `"Owl"`. An unterminated string ends at the end of its line.
  mutating func string() -> TokenKind {
    position += 1
    while position < count {
      switch base[position] {
      case UInt8(ascii: "\""):
        position += 1
        return .string
      case 0x0A, 0x0D:
        fail("Unterminated string.", at: position..<position + 1)
        return .string
      case UInt8(ascii: "\\"):
        escape()
      default:
        position += 1
      }
    }
    fail("Unterminated string.", at: position..<position)
    return .string
  }

  mutating func blockString() -> TokenKind {
    position += 3
    while position < count {
      let current = base[position]
      if current == UInt8(ascii: "\""), isTripleQuote(at: position) {
        position += 3
        return .blockString
      }
      if current == UInt8(ascii: "\\"), isTripleQuote(at: position + 1) {
        position += 4
      } else {
        position += 1
      }
    }
    fail("Unterminated string.", at: position..<position)
    return .blockString
  }

  private func isTripleQuote(at index: Int) -> Bool {
    byte(at: index) == UInt8(ascii: "\"") && byte(at: index + 1) == UInt8(ascii: "\"")
      && byte(at: index + 2) == UInt8(ascii: "\"")
  }

  /// Validates and skips an escape sequence: `\n`, `\u00e9`, `\u{1F426}`.
  private mutating func escape() {
    switch byte(at: position + 1) {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      position += 2
    case UInt8(ascii: "u"):
      if byte(at: position + 2) == UInt8(ascii: "{") { variableWidthEscape() } else { fixedWidthEscape() }
    default:
      let place = position
      fail("Invalid character escape sequence: \"\(text(place, 2))\".", at: place..<place + 2)
      position += 1
    }
  }

  private mutating func variableWidthEscape() {
    var value: UInt32 = 0
    var size = 3
    // At most eight digits: \u{00000000}.
    while size < 12 {
      let code = byte(at: position + size)
      size += 1
      if code == UInt8(ascii: "}") {
        if size < 5 || UnicodeScalar(value) == nil { break }
        position += size
        return
      }
      guard let digit = Self.hexadecimal(code), value < 0x0800_0000 else { break }
      value = value << 4 | UInt32(digit)
    }
    let place = position
    fail("Invalid Unicode escape sequence: \"\(text(place, size))\".", at: place..<place + size)
    position += 2
  }

  private mutating func fixedWidthEscape() {
    if let value = fourDigits(at: position + 2) {
      if UnicodeScalar(UInt32(value)) != nil {
        position += 6
        return
      }
      if value < 0xDC00, byte(at: position + 6) == UInt8(ascii: "\\"), byte(at: position + 7) == UInt8(ascii: "u"),
        let trailing = fourDigits(at: position + 8), trailing >= 0xDC00, trailing <= 0xDFFF
      {
        position += 12
        return
      }
    }
    let place = position
    fail("Invalid Unicode escape sequence: \"\(text(place, 6))\".", at: place..<place + 6)
    position += 2
  }

  private func fourDigits(at index: Int) -> UInt16? {
    var value: UInt16 = 0
    for offset in 0..<4 {
      guard let digit = Self.hexadecimal(byte(at: index + offset)) else { return nil }
      value = value << 4 | UInt16(digit)
    }
    return value
  }

  static func hexadecimal(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  private func text(_ start: Int, _ length: Int) -> String {
    let end = min(start + length, count)
    return String(decoding: UnsafeBufferPointer(start: base + start, count: end - start), as: UTF8.self)
  }
}
