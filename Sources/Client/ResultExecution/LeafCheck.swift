import ClientOperation
import JSON

/// Whether a value is one of a leaf type of the specification, section 3.5.
enum LeafCheck {
  static func matches(_ value: JSONValue, kind: JSONValue.Kind, leaf: TypeShape.Leaf) -> Bool {
    switch leaf {
    case .any: true
    case .string, .enumeration: kind == .string
    case .boolean: kind == .bool
    case .id: kind == .string || kind == .number
    case .float: kind == .number && isFinite(value)
    case .int: kind == .number && isWhole(value)
    case .object, .checked: false
    }
  }

  /// Digits alone, but for a sign; or another spelling of a whole number. It must fit the platform's integers.
  private static func isWhole(_ value: JSONValue) -> Bool {
    let isDigits = value.withNumberBytes { bytes in
      bytes.count < 19
        && bytes.allSatisfy { ($0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9")) || $0 == UInt8(ascii: "-") }
    }
    return isDigits == true || value.int != nil
  }

  /// Few digits without an exponent are in range.
  private static func isFinite(_ value: JSONValue) -> Bool {
    let isShort = value.withNumberBytes { bytes in
      bytes.count < 300 && !bytes.contains { $0 | 0x20 == UInt8(ascii: "e") }
    }
    return isShort == true || value.double != nil
  }

  static func name(of kind: JSONValue.Kind) -> String {
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
