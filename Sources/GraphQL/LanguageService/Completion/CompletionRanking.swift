import ApusASCII

/// Filters and sorts completions by the word being typed.
package enum CompletionRanking {
  /// Returns the matching items, best first. The sort is stable.
  static func rank(_ items: [CompletionItem], typed: String) -> [CompletionItem] {
    let typed = Array(typed.utf8)
    var order: [(key: UInt64, index: Int)] = []
    order.reserveCapacity(items.count)
    for (index, item) in items.enumerated() {
      guard let distance = distance(of: item.label, from: typed) else { continue }
      // The order of precedence: prefix matches before other matches, unused before used, then the distance, required
      // before optional, and current before deprecated.
      var key = UInt64(distance > 2 ? 1 : 0) << 61 | UInt64(item.isUsed ? 1 : 0) << 60 | UInt64(distance) << 40
      if !item.isRequired { key |= 1 << 33 }
      if item.isDeprecated { key |= 1 << 32 }
      order.append((key | UInt64(index), index))
    }
    order.sort { $0.key < $1.key }
    return order.map { items[$0.index] }
  }

  /// Returns the distance between a label and the typed text, also for other lists; `nil` if the label does not contain
  /// the typed letters in order.
  package static func distance(of label: String, from typed: [UInt8]) -> Int? {
    if typed.isEmpty { return 1 }
    var label = label
    return label.withUTF8 { distance(of: $0, from: typed) }
  }

  /// Returns 0 for an exact match, 1 or 2 for a prefix in the same or another case, then higher values for the start of
  /// an inner word (`sub` in `canSubscribe`), for the initials of the words (`vcs`), and for letters in order by the
  /// length of their range (`brd` in `bird`).
  private static func distance(of label: UnsafeBufferPointer<UInt8>, from typed: [UInt8]) -> Int? {
    let isMarked = label.first == UInt8(ascii: "$") || label.first == UInt8(ascii: "@")
    let label = UnsafeBufferPointer(rebasing: label.dropFirst(isMarked ? 1 : 0))
    guard label.count >= typed.count else { return nil }
    if matches(label, 0, typed) {
      if label.count == typed.count { return 0 }
      return label.starts(with: typed) ? 1 : 2
    }
    if let start = wordStart(label, typed) { return 3 + min(start, 60) }
    if initials(label, typed) { return 70 }
    return spread(label, typed).map { 80 + min($0, 900) }
  }

  @inline(__always)

  private static func matches(_ label: UnsafeBufferPointer<UInt8>, _ start: Int, _ typed: [UInt8]) -> Bool {
    guard start + typed.count <= label.count else { return false }
    for index in typed.indices where label[start + index].lowercased != typed[index].lowercased { return false }
    return true
  }

  /// Whether a word of a camelCase or snake_case name begins at an index.
  private static func isWordStart(_ label: UnsafeBufferPointer<UInt8>, _ index: Int) -> Bool {
    guard index > 0 else { return true }
    let isUpper = label[index] &- 0x41 < 26
    let isUpperBefore = label[index - 1] &- 0x41 < 26
    return isUpper && !isUpperBefore || label[index - 1] == UInt8(ascii: "_") || label[index - 1] == UInt8(ascii: " ")
  }

  private static func wordStart(_ label: UnsafeBufferPointer<UInt8>, _ typed: [UInt8]) -> Int? {
    for start in 1..<max(1, label.count - typed.count + 1) where isWordStart(label, start) {
      if matches(label, start, typed) { return start }
    }
    return nil
  }

  /// Whether the typed text matches initials, such as `vcs` for `viewerCanSubscribe`.
  private static func initials(_ label: UnsafeBufferPointer<UInt8>, _ typed: [UInt8]) -> Bool {
    guard typed.count > 1 else { return false }
    var matched = 0
    for index in label.indices where isWordStart(label, index) {
      guard matched < typed.count else { return true }
      guard label[index].lowercased == typed[matched].lowercased else { return false }
      matched += 1
    }
    return matched == typed.count
  }

  /// Returns the length of the range that contains the letters in order.
  private static func spread(_ label: UnsafeBufferPointer<UInt8>, _ typed: [UInt8]) -> Int? {
    var matched = 0
    var first = 0
    for index in label.indices where label[index].lowercased == typed[matched].lowercased {
      if matched == 0 { first = index }
      matched += 1
      if matched == typed.count { return index + 1 - first }
    }
    return nil
  }
}
