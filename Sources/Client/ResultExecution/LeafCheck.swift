import ApusJSON

/// The forms of the numbers of leaf types (GraphQL specification, section 3.5).
package enum LeafCheck {
  /// Whether a number fits into `Int`, however it is written.
  static func isWhole(_ value: JSONValue) -> Bool {
    value.withNumberBytes(isPlainWhole) == true || value.int != nil
  }

  /// Whether a number is written as an integer of any size, as an ID may be.
  static func isInteger(_ value: JSONValue) -> Bool { value.withNumberBytes(isInteger) == true }

  /// Whether a number is in the range of `Double`.
  static func isFinite(_ value: JSONValue) -> Bool {
    value.withNumberBytes(isPlain) == true || value.double != nil
  }

  /// Whether a number consists of a few digits and an optional sign, like almost all integers.
  package static func isPlainWhole(_ number: UnsafeBufferPointer<UInt8>) -> Bool {
    number.count < 19 && isInteger(number)
  }

  /// Whether a number consists of digits and an optional sign.
  package static func isInteger(_ number: UnsafeBufferPointer<UInt8>) -> Bool {
    number.allSatisfy { ($0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9")) || $0 == UInt8(ascii: "-") }
  }

  /// Whether a number has few digits and no exponent, so that it is in range.
  package static func isPlain(_ number: UnsafeBufferPointer<UInt8>) -> Bool {
    number.count < 300 && !number.contains { $0 | 0x20 == UInt8(ascii: "e") }
  }

  package static func name(of kind: JSONValue.Kind) -> String {
    switch kind {
    case .null: "null"
    case .bool: "a boolean"
    case .number: "a number"
    case .string: "a string"
    case .array: "a list"
    case .object: "an object"
    }
  }
}
