/// A piece of a text and what is to stand in its place.
package struct TextEdit: Sendable, Hashable {
  /// Byte offsets.
  package let range: Range<Int>
  package let text: String

  package init(range: Range<Int>, text: String) {
    self.range = range
    self.text = text
  }

  static func insert(_ text: String, at offset: Int) -> TextEdit { TextEdit(range: offset..<offset, text: text) }
}

extension [TextEdit] {
  /// The text with all edits made; they do not overlap, and those at one place come in their order.
  package func applied(to bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var position = 0
    let ordered = enumerated().sorted {
      ($0.element.range.lowerBound, $0.element.range.upperBound, $0.offset)
        < ($1.element.range.lowerBound, $1.element.range.upperBound, $1.offset)
    }
    for (_, edit) in ordered {
      result += bytes[position..<Swift.max(position, edit.range.lowerBound)]
      result += edit.text.utf8
      position = Swift.max(position, edit.range.upperBound)
    }
    return result + bytes[position...]
  }
}
