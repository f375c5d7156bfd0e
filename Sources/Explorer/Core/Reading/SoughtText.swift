import ApusASCII

/// A text that is looked for: upper and lower case count only where it has upper case. Letters beyond ASCII are compared
/// as they are.
package struct SoughtText: Sendable {
  private let wanted: [UInt8]
  private let foldsCase: Bool

  package init(_ text: String) {
    foldsCase = !text.contains(where: \.isUppercase)
    wanted = Array((foldsCase ? text.lowercased() : text).utf8)
  }

  package var isEmpty: Bool { wanted.isEmpty }

  /// Where it first begins in a piece of the bytes.
  @inline(__always)
  func place(in bytes: UnsafeBufferPointer<UInt8>, from lower: Int, to upper: Int) -> Int? {
    guard let first = wanted.first else { return nil }
    var start = lower
    while start + wanted.count <= upper {
      if folded(bytes[start]) == first {
        var length = 1
        while length < wanted.count, folded(bytes[start + length]) == wanted[length] { length += 1 }
        if length == wanted.count { return start }
      }
      start += 1
    }
    return nil
  }

  func isIn(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool { place(in: bytes, from: 0, to: bytes.count) != nil }

  /// Whether it is all of a text.
  package func isWhole(_ text: String) -> Bool { text.utf8.elementsEqual(wanted) }

  /// Where it is in a text, from left to right; the places do not overlap.
  package func ranges(in text: String) -> [Range<String.Index>] {
    guard !wanted.isEmpty else { return [] }
    var text = text
    let offsets = text.withUTF8 { bytes in
      var offsets: [Int] = []
      while let place = place(in: bytes, from: offsets.last.map { $0 + wanted.count } ?? 0, to: bytes.count) {
        offsets.append(place)
      }
      return offsets
    }
    return offsets.map { offset in
      let start = text.utf8.index(text.startIndex, offsetBy: offset)
      return start..<text.utf8.index(start, offsetBy: wanted.count)
    }
  }

  @inline(__always)
  private func folded(_ byte: UInt8) -> UInt8 { foldsCase ? byte.lowercased : byte }
}
