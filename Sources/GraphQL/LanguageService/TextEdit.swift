/// A replacement of a range of text.
package struct TextEdit: Sendable, Hashable {
  /// The replaced range, in bytes.
  package let range: Range<Int>
  package let text: String

  package init(range: Range<Int>, text: String) {
    self.range = range
    self.text = text
  }

  static func insert(_ text: String, at offset: Int) -> TextEdit { TextEdit(range: offset..<offset, text: text) }
}

extension [TextEdit] {
  /// Returns the text with all edits applied. Edits must not overlap; insertions at the same offset keep their order.
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
