import ApusASCII
import ApusClientRecords

/// Which records someone wants to see.
public struct RecordFilter: Sendable, Hashable {
  /// Text that the key or the typename contains, or has the letters of in this order, without those of arguments: `bd12`
  /// finds `Bird:12`. Upper and lower case are the same.
  public var text: String
  /// The one type whose records are shown.
  public var typename: String?
  /// What a value contains.
  public var value: String

  private let needle: [UInt8]
  private let valueNeedle: [UInt8]

  /// A filter of which all conditions must hold; an empty text and `nil` ask for nothing.
  public init(text: String = "", typename: String? = nil, value: String = "") {
    self.text = text
    self.typename = typename
    self.value = value
    needle = Array(text.lowercased().utf8)
    valueNeedle = Array(value.lowercased().utf8)
  }

  /// A filter as the user types it. Text that follows `=`, or `value:` at the beginning, is searched for in the values.
  public init(words: String) {
    if words.lowercased().hasPrefix("value:") {
      self.init(value: String(words.dropFirst(6).drop { $0 == " " }))
      return
    }
    let parts = words.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    self.init(text: String(parts[0]), value: parts.count > 1 ? String(parts[1]) : "")
  }

  /// How well a record is meant.
  enum Match {
    /// The text stands in its key or its typename as it is.
    case exact
    /// Its letters do, in their order.
    case loose
  }

  /// `nil` for a record that is not meant.
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
    // Arguments are not searched letter by letter.
    var depth = 0
    for byte in bytes {
      if byte == UInt8(ascii: "(") { depth += 1 }
      if byte == UInt8(ascii: ")") { depth -= 1 }
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
    // Letters beyond ASCII change their case by Unicode's rules, which takes a copy of the text.
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
