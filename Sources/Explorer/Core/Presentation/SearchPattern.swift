import ApusASCII

/// A search pattern. Case matters only if the pattern contains uppercase letters: `owl` finds "Owl", `Owl` does not
/// find "owl". Only ASCII letters are matched regardless of case.
package struct SearchPattern: Sendable {
  private let pattern: [UInt8]
  private let foldsCase: Bool

  package init(_ text: String) {
    foldsCase = !text.contains(where: \.isUppercase)
    pattern = Array((foldsCase ? text.lowercased() : text).utf8)
  }

  package var isEmpty: Bool { pattern.isEmpty }

  /// Returns the offset of the first match in a range of bytes.
  @inline(__always)
  func firstMatch(in bytes: UnsafeBufferPointer<UInt8>, from lower: Int, to upper: Int) -> Int? {
    guard let first = pattern.first else { return nil }
    var start = lower
    while start + pattern.count <= upper {
      if folded(bytes[start]) == first {
        var length = 1
        while length < pattern.count, folded(bytes[start + length]) == pattern[length] { length += 1 }
        if length == pattern.count { return start }
      }
      start += 1
    }
    return nil
  }

  func isIn(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool { firstMatch(in: bytes, from: 0, to: bytes.count) != nil }

  /// Whether the pattern matches a complete string.
  package func isWhole(_ text: String) -> Bool { text.utf8.elementsEqual(pattern) }

  /// Returns the matches in a string from left to right, without overlap.
  package func ranges(in text: String) -> [Range<String.Index>] {
    guard !pattern.isEmpty else { return [] }
    var text = text
    let offsets = text.withUTF8 { bytes in
      var offsets: [Int] = []
      while let offset = firstMatch(in: bytes, from: offsets.last.map { $0 + pattern.count } ?? 0, to: bytes.count) {
        offsets.append(offset)
      }
      return offsets
    }
    return offsets.map { offset in
      let start = text.utf8.index(text.startIndex, offsetBy: offset)
      return start..<text.utf8.index(start, offsetBy: pattern.count)
    }
  }

  @inline(__always)
  private func folded(_ byte: UInt8) -> UInt8 { foldsCase ? byte.lowercased : byte }
}
