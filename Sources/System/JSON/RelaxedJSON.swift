/// JSON with comments (`//`, `/* */` and `#`) and a comma after the last member, as editors of variables accept it:
/// `{"id": 1, /* owl */}`.
package enum RelaxedJSON {
  /// Returns the text as strict JSON. Comments and trailing commas become spaces, so that every position stays the
  /// same.
  package static func strict(_ text: [UInt8]) -> [UInt8] {
    var result = text
    var index = 0
    /// A comma that is the last token. A closing bracket makes it superfluous.
    var comma: Int?
    var canEndValue = false
    while index < text.count {
      if let end = endOfComment(in: text, at: index) {
        for place in index..<end where text[place] != 0x0A && text[place] != 0x0D { result[place] = 0x20 }
        index = end
        continue
      }
      let byte = text[index]
      switch byte {
      case 0x09, 0x0A, 0x0D, 0x20: break
      case UInt8(ascii: ","):
        comma = canEndValue ? index : nil
        canEndValue = false
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if let comma { result[comma] = 0x20 }
        (comma, canEndValue) = (nil, true)
      case UInt8(ascii: "\""):
        index = endOfString(in: text, at: index)
        (comma, canEndValue) = (nil, true)
        continue
      default: (comma, canEndValue) = (nil, ![UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ":")].contains(byte))
      }
      index += 1
    }
    return result
  }

  /// Finds the end of the comment that begins at a position; nil if none begins there, or if it is not closed.
  package static func endOfComment(in text: [UInt8], at start: Int) -> Int? {
    let next = start + 1 < text.count ? text[start + 1] : 0
    if text[start] == UInt8(ascii: "#") || text[start] == UInt8(ascii: "/") && next == UInt8(ascii: "/") {
      return text[start...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? text.count
    }
    guard text[start] == UInt8(ascii: "/"), next == UInt8(ascii: "*") else { return nil }
    var index = start + 2
    while index + 1 < text.count {
      if text[index] == UInt8(ascii: "*"), text[index + 1] == UInt8(ascii: "/") { return index + 2 }
      index += 1
    }
    return nil
  }

  /// A string ends with its line at the latest.
  private static func endOfString(in text: [UInt8], at start: Int) -> Int {
    var index = start + 1
    while index < text.count, text[index] != 0x0A {
      if text[index] == UInt8(ascii: "\"") { return index + 1 }
      index += text[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return min(index, text.count)
  }
}

extension JSONDocument {
  /// Parses JSON that may have comments and trailing commas. Errors have positions in that text.
  package convenience init(parsingRelaxed text: some Sequence<UInt8>) throws(JSONSyntaxError) {
    try self.init(parsing: RelaxedJSON.strict(Array(text)))
  }

  /// Parses text in the same way.
  package convenience init(parsingRelaxed text: String) throws(JSONSyntaxError) {
    try self.init(parsingRelaxed: text.utf8)
  }
}
