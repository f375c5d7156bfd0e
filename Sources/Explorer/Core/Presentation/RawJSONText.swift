import ApusJSON

/// A response as formatted JSON text, which is generated in the background and drawn from its bytes.
///
/// Paths are mapped to lines and back by the indentation alone, so that only the text is stored.
package final class RawJSONText: Sendable {
  private let bytes: [UInt8]
  /// The offset of each line, followed by the end of the text plus one.
  private let starts: [Int]

  package init(_ value: VisibleJSON) {
    bytes = value.bytes(indent: 0)
    var starts = [0]
    bytes.withUnsafeBufferPointer { bytes in
      for index in bytes.indices where bytes[index] == 0x0A { starts.append(index + 1) }
    }
    starts.append(bytes.count + 1)
    self.starts = starts
  }

  package var lineCount: Int { starts.count - 1 }
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Returns a line, truncated at a character boundary if it is longer than `limit` bytes.
  package func line(_ index: Int, limit: Int = .max) -> String {
    guard (0..<lineCount).contains(index) else { return "" }
    let line = bytes[starts[index]..<(starts[index + 1] - 1)]
    guard line.count > limit else { return String(decoding: line, as: UTF8.self) }
    var end = line.startIndex + limit
    while end > line.startIndex, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    return String(decoding: line[..<end], as: UTF8.self)
  }

  // MARK: Lines and paths

  /// Returns the indentation level of a line.
  private func level(_ line: Int) -> Int {
    var index = starts[line]
    while index < starts[line + 1] - 1, bytes[index] == 0x20 { index += 1 }
    return (index - starts[line]) / 2
  }

  private func closes(_ line: Int) -> Bool {
    let index = starts[line] + level(line) * 2
    return index < bytes.count && (bytes[index] == UInt8(ascii: "}") || bytes[index] == UInt8(ascii: "]"))
  }

  private func opensList(_ line: Int) -> Bool { bytes[starts[line]..<(starts[line + 1] - 1)].last == UInt8(ascii: "[") }

  /// Returns the key at the start of a line, such as `name` in `  "name": "Owl",`.
  private func key(_ line: Int) -> String? {
    let start = starts[line] + level(line) * 2
    let text = bytes[start..<(starts[line + 1] - 1)]
    guard let end = RawLine.endOfString(text), text.dropFirst(end - start).first == UInt8(ascii: ":") else {
      return nil
    }
    return (try? JSONDocument(parsing: Array(text[..<end])).root)?.string
  }

  /// Returns the line of a path, or of its longest prefix that exists.
  package func line(of path: ResponsePath) -> Int {
    var line = 0
    for (depth, component) in path.components.enumerated() {
      var next = line + 1
      var item = 0
      var found: Int?
      while next < lineCount, found == nil {
        let level = level(next)
        if level <= depth { break }
        if level == depth + 1, !closes(next) {
          switch component {
          case .key(let target): if key(next) == target { found = next }
          case .index(let target):
            if item == target { found = next }
            item += 1
          }
        }
        next += 1
      }
      guard let found else { return line }
      line = found
    }
    return line
  }

  /// Returns the path of the value on a line. A closing bracket has the path of the value that it closes.
  package func path(ofLine line: Int) -> ResponsePath {
    guard (0..<lineCount).contains(line) else { return [] }
    var components: [PathComponent] = []
    var level = level(line)
    var line = line
    while level > 0 {
      if closes(line) { line = opening(of: line, level) }
      let parent = parent(of: line, level)
      if opensList(parent.line) {
        components.append(.index(parent.siblings))
      } else {
        components.append(.key(key(line) ?? ""))
      }
      line = parent.line
      level -= 1
    }
    return ResponsePath(components.reversed())
  }

  private func opening(of line: Int, _ target: Int) -> Int {
    var line = line - 1
    while line > 0, level(line) > target { line -= 1 }
    return line
  }

  /// Returns the line that opens the enclosing object or list, and the number of its values before the line.
  private func parent(of line: Int, _ level: Int) -> (line: Int, siblings: Int) {
    var siblings = 0
    var line = line - 1
    while line > 0 {
      let found = self.level(line)
      if found < level { break }
      if found == level, !closes(line) { siblings += 1 }
      line -= 1
    }
    return (line, siblings)
  }

  // MARK: Search

  /// Returns the lines that contain a string.
  package func lines(with text: String, limit: Int = ResponseSearcher.limit) -> (lines: [Int], isCut: Bool) {
    let sought = SearchPattern(text)
    guard !sought.isEmpty else { return ([], false) }
    var found: [Int] = []
    var isCut = false
    bytes.withUnsafeBufferPointer { bytes in
      var line = 0
      while line < lineCount {
        if line & 0xFFFF == 0, Task.isCancelled { return }
        if sought.firstMatch(in: bytes, from: starts[line], to: starts[line + 1] - 1) != nil {
          guard found.count < limit else {
            isCut = true
            return
          }
          found.append(line)
        }
        line += 1
      }
    }
    return (found, isCut)
  }
}

extension RawJSONText: Equatable {
  /// Compares by identity; the contents are never compared.
  package static func == (left: RawJSONText, right: RawJSONText) -> Bool { left === right }
}

/// The tokens of a line of JSON text, for coloring.
package struct RawLine {
  package enum Kind: Sendable { case key, string, number, constant, punctuation }

  package private(set) var parts: [(text: Substring, kind: Kind)] = []

  package init(_ line: String) {
    var rest = line[...]
    let indentation = rest.prefix { $0 == " " }
    if !indentation.isEmpty { parts.append((indentation, .punctuation)) }
    rest = rest[indentation.endIndex...]
    if let string = Self.string(at: rest) {
      let remainder = rest[string.endIndex...]
      if remainder.hasPrefix(":") {
        parts.append((string, .key))
        let separator = remainder.prefix { $0 == ":" || $0 == " " }
        parts.append((separator, .punctuation))
        rest = remainder[separator.endIndex...]
      }
    }
    guard let first = rest.first else { return }
    let value = Self.string(at: rest) ?? rest.prefix { $0 != "," }
    switch first {
    case "\"": parts.append((value, .string))
    case "t", "f", "n": parts.append((value, .constant))
    case "-", "0"..."9": parts.append((value, .number))
    default: parts.append((value, .punctuation))
    }
    if value.endIndex < rest.endIndex { parts.append((rest[value.endIndex...], .punctuation)) }
  }

  /// Returns the string literal at the start, including its quotes; up to the end of the text if it is truncated.
  private static func string(at text: Substring) -> Substring? {
    guard text.utf8.first == UInt8(ascii: "\"") else { return nil }
    return endOfString(text.utf8).map { text[..<$0] } ?? text
  }

  /// Returns the position after the closing quote of the string literal at the start of the text.
  static func endOfString<Text: Collection<UInt8>>(_ text: Text) -> Text.Index? {
    guard text.first == UInt8(ascii: "\"") else { return nil }
    var isEscaped = false
    var index = text.index(after: text.startIndex)
    while index < text.endIndex {
      let byte = text[index]
      text.formIndex(after: &index)
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        return index
      }
    }
    return nil
  }
}
