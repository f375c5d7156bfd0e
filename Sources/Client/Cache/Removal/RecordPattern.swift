import ApusClientRecords

/// Which records are meant, by their keys or their type: `Bird:*` is every bird, `?` stands for one character.
public struct RecordPattern: Sendable, Hashable {
  /// The pattern of the key; `nil` takes in every key.
  public var key: String?
  /// The one type that is meant.
  public var typename: String?

  /// A pattern of keys, of a type, or of both; without any it takes in every record.
  public init(key: String? = nil, typename: String? = nil) {
    self.key = key
    self.typename = typename
  }

  func matches(_ id: RecordID, in storage: StoredRecords) -> Bool {
    if let typename, storage.typename(id) != typename { return false }
    guard let key else { return true }
    return Self.matches(Array(key.unicodeScalars), Array(storage.keyText(id).unicodeScalars))
  }

  /// Whether a pattern takes in a text; each star is tried at its shortest first, and only the last one again.
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
