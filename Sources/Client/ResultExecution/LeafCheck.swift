import ApusClientOperation
import ApusJSON

/// Whether a value is one of a leaf type of the specification, section 3.5.
package enum LeafCheck {
  static func matches(_ value: JSONValue, kind: JSONValue.Kind, leaf: TypeShape.Leaf) -> Bool {
    switch leaf {
    case .any: true
    case .string, .enumeration: kind == .string
    case .boolean: kind == .bool
    case .id: kind == .string || (kind == .number && isInteger(value))
    case .float: kind == .number && isFinite(value)
    case .int: kind == .number && isWhole(value)
    case .object, .checked: false
    }
  }

  /// Whether it fits the platform's integers, in whatever spelling.
  private static func isWhole(_ value: JSONValue) -> Bool {
    value.withNumberBytes(isPlainWhole) == true || value.int != nil
  }

  /// Whether it is written as an integer, of whatever size: what an ID may be sent as.
  static func isInteger(_ value: JSONValue) -> Bool { value.withNumberBytes(isInteger) == true }

  private static func isFinite(_ value: JSONValue) -> Bool {
    value.withNumberBytes(isPlain) == true || value.double != nil
  }

  /// Few digits alone, but for a sign: what nearly every whole number is.
  package static func isPlainWhole(_ number: UnsafeBufferPointer<UInt8>) -> Bool {
    number.count < 19 && isInteger(number)
  }

  /// Digits alone, but for a sign.
  package static func isInteger(_ number: UnsafeBufferPointer<UInt8>) -> Bool {
    number.allSatisfy { ($0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9")) || $0 == UInt8(ascii: "-") }
  }

  /// Few digits without an exponent, which are in range.
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
