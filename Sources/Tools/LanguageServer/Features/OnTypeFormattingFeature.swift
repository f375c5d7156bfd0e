import ApusGraphQLLanguage
import ApusGraphQLLanguageService
import ApusJSON

extension WorkspaceSnapshot {
  /// Handles `textDocument/onTypeFormatting`. A closing brace formats its definition, a closing parenthesis the text
  /// between it and its partner, and a line break indents the new line.
  func onTypeFormatting(_ params: JSONValue) throws(RPCError) -> JSONValue {
    guard let place = try sourceLocation(params) else { return .null }
    let bytes = place.unit.document.source.bytes
    let typed = params["ch"]?.string ?? (place.offset > 0 ? String(UnicodeScalar(bytes[place.offset - 1])) : "")
    let edit: TextEdit?
    switch typed {
    case "\n": edit = indentation(at: place)
    case ")":
      edit = place.file.language == .graphql ? BracketScanner.parentheses(closedAt: place.offset, in: bytes) : nil
    default:
      let isClosed = place.unit.document.definitions.contains { $0.range.upperBound == place.offset }
      guard place.offset > 0, isClosed else { return .null }
      return .array(formatted(place.offset - 1..<place.offset, of: place.unit, in: place.file))
    }
    return edit.map { [self.edit($0, of: place.unit, in: place.file)] } ?? .null
  }

  /// Returns the edit that indents a new line: two spaces more than the line with the enclosing bracket, or the same if
  /// the new line starts with a closing bracket. Nil if the indentation is correct, or in a string.
  private func indentation(at place: GraphQLLocation) -> TextEdit? {
    let bytes = place.unit.document.source.bytes
    guard let lineEnd = bytes[..<place.offset].lastIndex(of: 0x0A) else { return nil }
    let start = lineEnd + 1
    let end = bytes[start...].firstIndex { $0 != 0x20 && $0 != 0x09 } ?? bytes.count
    guard case .between(let open) = BracketScanner.scan(bytes[..<start]) else { return nil }
    var newIndentation: ArraySlice<UInt8> = []
    if let open = open.last {
      newIndentation = indentation(ofLineAt: open + place.unit.start, in: place.file)
      let closes = end < bytes.count && [0x7D, 0x29, 0x5D].contains(bytes[end])
      if !closes { newIndentation += [0x20, 0x20] }
    } else if place.file.language != .graphql {
      // Outside brackets, the indentation of the host language's line is kept.
      newIndentation = indentation(ofLineAt: lineEnd + place.unit.start, in: place.file)
    }
    guard !bytes[start..<end].elementsEqual(newIndentation) else { return nil }
    return TextEdit(range: start..<end, text: String(decoding: newIndentation, as: UTF8.self))
  }

  /// Returns the white space at the start of the line at an offset.
  private func indentation(ofLineAt offset: Int, in file: TextFile) -> ArraySlice<UInt8> {
    let bytes = file.source.bytes
    let start = bytes[..<offset].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    return bytes[start..<offset].prefix { $0 == 0x20 || $0 == 0x09 }
  }
}

/// Scans text that is being typed, which may be incomplete.
enum BracketScanner {
  enum CursorContext: Equatable {
    /// Outside strings and comments, with the offsets of the open brackets.
    case between(open: [Int])
    /// In a comment or a string, including block strings.
    case within
  }

  /// Returns the syntactic context at the end of a text: `{ bird(` has open brackets at 0 and 6.
  static func scan(_ bytes: ArraySlice<UInt8>) -> CursorContext {
    var open: [Int] = []
    var index = bytes.startIndex
    while index < bytes.endIndex {
      let byte = bytes[index]
      switch byte {
      case 0x23:
        guard let end = bytes[index...].firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) else { return .within }
        index = end
      case 0x22:
        guard let end = endOfString(at: index, in: bytes) else { return .within }
        index = end
        continue
      case 0x7B, 0x28, 0x5B: open.append(index)
      case 0x7D, 0x29, 0x5D: if let last = open.last, bytes[last] == partner(byte) { open.removeLast() }
      default: break
      }
      index += 1
    }
    return .between(open: open)
  }

  private static func partner(_ closing: UInt8) -> UInt8 { closing == 0x29 ? 0x28 : closing - 2 }

  private static func endOfString(at start: Int, in bytes: ArraySlice<UInt8>) -> Int? {
    let quotes: [UInt8] = [0x22, 0x22, 0x22]
    var index = start + 1
    guard bytes[start...].starts(with: quotes) else {
      while index < bytes.endIndex {
        switch bytes[index] {
        case 0x5C: index += 2
        case 0x22: return index + 1
        // An ordinary string ends at the end of its line.
        case 0x0A, 0x0D: return index
        default: index += 1
        }
      }
      return nil
    }
    index = start + 3
    while index < bytes.endIndex {
      if bytes[index...].starts(with: [0x5C, 0x22, 0x22, 0x22]) {
        index += 4
      } else if bytes[index...].starts(with: quotes) {
        return index + 3
      } else {
        index += 1
      }
    }
    return nil
  }

  /// Formats the text between a typed parenthesis and its partner if it is on one line: arguments or variable
  /// definitions. Nil if it is already formatted, or has syntax errors.
  static func parentheses(closedAt offset: Int, in bytes: [UInt8]) -> TextEdit? {
    guard offset > 0, bytes[offset - 1] == 0x29, case .between(let open) = scan(bytes[..<(offset - 1)]),
      let start = open.last, bytes[start] == 0x28
    else { return nil }
    let old = bytes[start..<offset]
    guard !old.contains(0x0A), !old.contains(0x0D), old.count < 10_000 else { return nil }
    for (before, after) in [("{x", "}"), ("query", "{x}"), ("type T{x", ":T}")] {
      let document = Document(parsing: Array(before.utf8) + old + Array(after.utf8))
      guard !document.hasErrors else { continue }
      let text = Array(Formatter.format(document).utf8)
      guard case .between = scan(text[...]), let first = text.firstIndex(of: 0x28) else { return nil }
      // Results with several lines are not used.
      var end = first + 1
      while end < text.count, scan(text[first..<end]) != .between(open: []) { end += 1 }
      let new = text[first..<end]
      guard !new.contains(0x0A), !new.elementsEqual(old) else { return nil }
      return TextEdit(range: start..<offset, text: String(decoding: new, as: UTF8.self))
    }
    return nil
  }
}
