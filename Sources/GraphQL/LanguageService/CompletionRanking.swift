/// Which of the candidates fit the word being typed, and in what order.
enum CompletionRanking {
  static func rank(_ items: [CompletionItem], typed: String) -> [CompletionItem] {
    let typed = typed.lowercased().utf8.map { $0 }
    return items.enumerated()
      .compactMap { index, item in score(item, typed: typed).map { (item, $0, index) } }
      .sorted { left, right in
        if left.0.isUsed != right.0.isUsed { return !left.0.isUsed }
        if left.1 != right.1 { return left.1 < right.1 }
        if left.0.isDeprecated != right.0.isDeprecated { return !left.0.isDeprecated }
        return left.2 < right.2
      }
      .map(\.0)
  }

  /// 0 for an exact match, 1 for a prefix, 2 for a word's beginning inside, then by how far its letters are apart; nil
  /// when the letters are not there in order.
  private static func score(_ item: CompletionItem, typed: [UInt8]) -> Int? {
    if typed.isEmpty { return 1 }
    var label = item.label.utf8.map { $0 }
    if let first = label.first, first == UInt8(ascii: "$") || first == UInt8(ascii: "@") { label.removeFirst() }
    let lowered = label.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    if lowered == typed { return 0 }
    if lowered.starts(with: typed) { return 1 }
    if let position = wordStart(of: typed, in: lowered, label: label) { return 2 + min(position, 30) }
    return spread(of: typed, in: lowered).map { 40 + $0 }
  }

  /// Where `typed` begins at a word of a camelCase or snake_case name.
  private static func wordStart(of typed: [UInt8], in lowered: [UInt8], label: [UInt8]) -> Int? {
    guard lowered.count >= typed.count else { return nil }
    for position in 1..<max(1, lowered.count - typed.count + 1) {
      let isStart = (0x41...0x5A).contains(label[position]) || label[position - 1] == UInt8(ascii: "_")
      if isStart, lowered[position...].starts(with: typed) { return position }
    }
    return nil
  }

  private static func spread(of typed: [UInt8], in lowered: [UInt8]) -> Int? {
    var position = 0
    var first: Int?
    for byte in typed {
      guard let found = lowered[position...].firstIndex(of: byte) else { return nil }
      first = first ?? found
      position = found + 1
    }
    return position - (first ?? 0)
  }
}
