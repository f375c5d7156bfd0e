import ApusJSON
import FuzzHarness

/// A JSON value that is written in any format parses to the same value, and each member and element is found in it.
@main enum JSONValueTarget: FuzzTarget {
  static func check(_ bytes: [UInt8]) {
    // An object with repeated names is equal only to itself.
    guard let value = try? JSONDocument(parsing: bytes).root, !hasRepeatedNames(value) else { return }
    for text in [JSONWriter.compactBytes(value), Array(JSONWriter.pretty(value).utf8)] {
      guard let again = try? JSONDocument(parsing: text).root else {
        fatalError("the written data is invalid: \(String(decoding: text, as: UTF8.self))")
      }
      expect(again == value, "writing changes the value: \(value)")
      expect(again.hashValue == value.hashValue, "equal values have different hashes: \(value)")
    }
    walk(value)
    expect(inMemory(value) == value, "the rebuilt value differs: \(value)")
  }

  private static func hasRepeatedNames(_ value: JSONValue) -> Bool {
    switch value.kind {
    case .object:
      Set(value.members.map(\.key)).count < value.count || value.members.contains { hasRepeatedNames($0.value) }
    case .array: value.elements.contains(where: hasRepeatedNames)
    default: false
    }
  }

  private static func walk(_ value: JSONValue) {
    switch value.kind {
    case .object:
      for (key, _) in value.members { expect(value[key] != nil, "a member is not found: \(key)") }
      for member in value.members { walk(member.value) }
    case .array:
      for (index, element) in value.elements.enumerated() {
        expect(value[index] == element, "an element is not found: \(index)")
        walk(element)
      }
    case .string: _ = value.string
    case .number: _ = (value.int, value.double)
    case .bool, .null: break
    }
  }

  /// Returns the value rebuilt in memory, with only scalars left on the tape.
  private static func inMemory(_ value: JSONValue) -> JSONValue {
    switch value.kind {
    case .object: .object(value.members.map { ($0.key, inMemory($0.value)) })
    case .array: .array(value.elements.map(inMemory))
    case .string: value.string.map { JSONValue($0) } ?? value
    default: value
    }
  }
}
