import ApusASCII
import ApusClientRecords

/// A filter for the records of a list.
public struct RecordFilter: Sendable, Hashable {
  /// The text to search for in keys and typenames, case-insensitively. A key also matches if it contains the characters
  /// in this order outside of arguments: `bd12` finds `Bird:12`.
  public var text: String
  /// The typename that records must have, or `nil`.
  public var typename: String?
  /// The text to search for in values, case-insensitively.
  public var value: String

  private let needle: [UInt8]
  private let valueNeedle: [UInt8]

  /// Creates a filter. A record must match all conditions; empty strings and `nil` match every record.
  public init(text: String = "", typename: String? = nil, value: String = "") {
    self.text = text
    self.typename = typename
    self.value = value
    needle = Array(text.lowercased().utf8)
    valueNeedle = Array(value.lowercased().utf8)
  }

  /// Creates a filter from user input: `owl`, `Bird=snowy` or `value: snowy`. Text after `=`, or after `value:` at the
  /// beginning, is searched for in values.
  public init(words: String) {
    if words.lowercased().hasPrefix("value:") {
      self.init(value: String(words.dropFirst(6).drop { $0 == " " }))
      return
    }
    let parts = words.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    self.init(text: String(parts[0]), value: parts.count > 1 ? String(parts[1]) : "")
  }

  /// The quality of a match.
  enum Match {
    /// The key or typename contains the text.
    case exact
    /// The key contains the characters of the text in order.
    case loose
  }

  /// Returns the quality of a record's match, or `nil` if it does not match.
  func match(_ id: RecordID, in storage: StoredRecords) -> Match? {
    var match = Match.exact
    if !needle.isEmpty {
      let key = storage.withKeyText(id) { Self.match($0, needle) }
      guard key == .exact || matches(storage.typename(id) ?? "") else {
        guard key == .loose else { return nil }
        match = .loose
        return hasValue(id, in: storage) ? match : nil
      }
    }
    return hasValue(id, in: storage) ? match : nil
  }

  private func hasValue(_ id: RecordID, in storage: StoredRecords) -> Bool {
    valueNeedle.isEmpty || storage.fields(of: id).contains { holds($0, in: storage) }
  }

  private static func match(_ bytes: UnsafeBufferPointer<UInt8>, _ needle: [UInt8]) -> Match? {
    if contains(bytes, needle) { return .exact }
    var position = 0
    // Arguments are not part of the loose match.
    var depth = 0
    var isInString = false
    var isEscaped = false
    for byte in bytes {
      if depth > 0, byte == UInt8(ascii: "\""), !isEscaped { isInString.toggle() }
      isEscaped = isInString && byte == UInt8(ascii: "\\") && !isEscaped
      if byte == UInt8(ascii: "("), !isInString { depth += 1 }
      if byte == UInt8(ascii: ")"), !isInString { depth -= 1 }
      guard depth <= 0, byte.lowercased == needle[position] else { continue }
      position += 1
      if position == needle.count { return .loose }
    }
    return nil
  }

  private func holds(_ slot: StoredValue, in storage: StoredRecords) -> Bool {
    switch slot.kind {
    case .null, .missing: false
    case .reference: Self.contains(Array(storage.keyText(slot.target).utf8), valueNeedle)
    case .list: (0..<slot.count).contains { holds(storage.item(at: $0, of: slot), in: storage) }
    case .scalar: storage.withText(of: slot) { Self.contains($0, valueNeedle) }
    }
  }

  private static func contains(_ bytes: some RandomAccessCollection<UInt8>, _ needle: [UInt8]) -> Bool {
    // Case-insensitive comparison beyond ASCII needs Unicode rules and a copy of the text.
    guard needle.allSatisfy({ $0 < 0x80 }) else {
      return find(needle, in: Array(String(decoding: bytes, as: UTF8.self).lowercased().utf8))
    }
    return find(needle, in: bytes)
  }

  private static func find(_ needle: [UInt8], in bytes: some RandomAccessCollection<UInt8>) -> Bool {
    guard bytes.count >= needle.count else { return false }
    return bytes.indices.dropLast(needle.count - 1).contains { start in
      zip(bytes[start...], needle).allSatisfy { $0.lowercased == $1 }
    }
  }

  func matches(_ candidate: String) -> Bool {
    guard !needle.isEmpty else { return true }
    var candidate = candidate
    return candidate.withUTF8 { Self.contains($0, needle) }
  }
}
