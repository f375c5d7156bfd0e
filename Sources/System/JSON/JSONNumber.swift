import ApusASCII

/// A JSON number, stored as its text: `1.10` stays `1.10`, and thirty digits stay thirty digits.
///
/// Two numbers are equal if they have the same value, however they are written (`1.0` and `1`, `1e2` and `100`).
public struct JSONNumber: Sendable, CustomStringConvertible {
  /// The number as written in the source.
  public let text: String

  /// Creates a number; nil if the text is not a JSON number.
  public init?(text: String) {
    guard Self.isNumber(text.utf8) else { return nil }
    self.text = text
  }

  /// Creates a number from a text that is known to be a JSON number (RFC 8259, section 6).
  init(uncheckedText text: String) { self.text = text }

  public var description: String { text }

  /// The value, if it is integral and fits.
  public var int: Int? { Int(text) ?? canonical.int }

  /// The nearest value, nil if it is out of range.
  public var double: Double? { Double(text).flatMap { $0.isFinite ? $0 : nil } }

  private static func isNumber(_ text: String.UTF8View) -> Bool {
    var rest = text[...]
    func digits() -> Bool {
      let digits = rest.prefix(while: \.isDigit)
      rest = rest[digits.endIndex...]
      return !digits.isEmpty
    }
    func skip(_ accepted: String) -> Bool {
      guard let first = rest.first, accepted.utf8.contains(first) else { return false }
      rest.removeFirst()
      return true
    }
    _ = skip("-")
    if !skip("0"), !digits() { return false }
    if skip("."), !digits() { return false }
    if skip("eE") {
      _ = skip("+-")
      if !digits() { return false }
    }
    return rest.isEmpty
  }
}

extension JSONNumber: Hashable {
  public static func == (left: JSONNumber, right: JSONNumber) -> Bool {
    left.text == right.text || left.canonical == right.canonical
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(canonical) }

  /// The normalized form: a sign, digits without leading or trailing zeros, and the power of ten of the last digit.
  /// `-1200` is `-`, `12` and 2. All are empty for zero.
  private struct Canonical: Hashable {
    var isNegative = false
    var digits: [UInt8] = []
    var exponent = 0
    var hugeExponent = ""

    var int: Int? {
      guard exponent >= 0, hugeExponent.isEmpty, digits.count + exponent <= 19 else { return nil }
      let text =
        (isNegative ? "-" : "") + String(decoding: digits, as: UTF8.self) + String(repeating: "0", count: exponent)
      return digits.isEmpty ? 0 : Int(text)
    }
  }

  private var canonical: Canonical {
    var result = Canonical()
    var bytes = Array(text.utf8)[...]
    if bytes.first == UInt8(ascii: "-") {
      result.isNegative = true
      bytes.removeFirst()
    }
    var exponent = 0
    if let mark = bytes.firstIndex(where: { $0 | 32 == UInt8(ascii: "e") }) {
      let written = String(decoding: bytes[(mark + 1)...], as: UTF8.self)
      // Half of the range leaves room for the digits' own powers.
      if let value = Int(written), abs(value / 2) < Int.max / 4 {
        exponent = value
      } else {
        result.hugeExponent = written
      }
      bytes = bytes[..<mark]
    }
    if let point = bytes.firstIndex(of: UInt8(ascii: ".")) {
      exponent -= bytes.endIndex - point - 1
      bytes.remove(at: point)
    }
    let zero = UInt8(ascii: "0")
    var digits = Array(bytes.drop { $0 == zero })
    while digits.last == zero {
      digits.removeLast()
      exponent += 1
    }
    if digits.isEmpty { return Canonical() }
    result.digits = digits
    result.exponent = exponent
    return result
  }
}
