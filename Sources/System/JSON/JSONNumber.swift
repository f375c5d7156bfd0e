/// A number as its text, so that no digit is lost: `1.10`, `1e999` and thirty digits stay what they are.
public struct JSONNumber: Sendable {
  public let text: String

  /// `text` must be a number as RFC 8259, section 6, writes it.
  init(uncheckedText text: String) { self.text = text }

  /// nil when the text is not a JSON number.
  public init?(text: String) {
    guard let document = try? JSONDocument(parsing: text), document.root.kind == .number else { return nil }
    self.text = document.root.numberText ?? text
  }

  /// The value, when it is an integer that fits, however it is written: `5`, `5.0`, `5e0`.
  public var int: Int? {
    if let value = Int(text) { return value }
    guard let value = double, value.rounded() == value, abs(value) < 9_007_199_254_740_992 else { return nil }
    return Int(value)
  }

  /// The nearest double; nil when it is beyond the doubles.
  public var double: Double? {
    guard let value = Double(text), value.isFinite else { return nil }
    return value
  }
}

extension JSONNumber: Hashable {
  /// Equal when they are the same number: `1.0` and `1` are, two integers beyond the doubles' precision are not.
  public static func == (left: JSONNumber, right: JSONNumber) -> Bool {
    if left.text == right.text { return true }
    if let first = Int(left.text), let second = Int(right.text) { return first == second }
    guard let first = left.double, let second = right.double else { return false }
    return first == second
  }

  public func hash(into hasher: inout Hasher) {
    if let value = double { hasher.combine(value) } else { hasher.combine(text) }
  }
}
