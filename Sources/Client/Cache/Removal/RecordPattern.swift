import ApusClientRecords

/// A pattern that selects records by key or type. `*` matches any characters and `?` matches one: `Bird:*` selects all
/// birds.
public struct RecordPattern: Sendable, Hashable {
  /// The pattern that the key must match; `nil` matches every key.
  public var key: String?
  /// The typename that the record must have; `nil` matches every type.
  public var typename: String?

  /// Creates a pattern. Without arguments, it matches every record.
  public init(key: String? = nil, typename: String? = nil) {
    self.key = key
    self.typename = typename
  }

  func matches(_ id: RecordID, in storage: StoredRecords) -> Bool {
    if let typename, storage.typename(id) != typename { return false }
    guard let key else { return true }
    return Self.matches(Array(key.unicodeScalars), Array(storage.keyText(id).unicodeScalars))
  }

  /// Returns whether a pattern matches a string. Only the last star is extended on a mismatch, which is sufficient.
  static func matches(_ pattern: [Unicode.Scalar], _ text: [Unicode.Scalar]) -> Bool {
    var inPattern = 0
    var inText = 0
    var star: (pattern: Int, text: Int)?
    while inText < text.count {
      if inPattern < pattern.count, pattern[inPattern] == "*" {
        star = (inPattern, inText)
        inPattern += 1
      } else if inPattern < pattern.count, pattern[inPattern] == "?" || pattern[inPattern] == text[inText] {
        inPattern += 1
        inText += 1
      } else if let last = star {
        star = (last.pattern, last.text + 1)
        inPattern = last.pattern + 1
        inText = last.text + 1
      } else {
        return false
      }
    }
    return pattern[inPattern...].allSatisfy { $0 == "*" }
  }
}
