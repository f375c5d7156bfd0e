import ApusGraphQLLanguage
import ApusGraphQLLanguageService
import ApusJSON

extension Snapshot {
  /// `textDocument/formatting`: the canonical form. GraphQL in another language keeps its place in the lines around it.
  func formatting(_ params: JSONValue) throws(RPCError) -> JSONValue {
    let (_, file) = try file(params)
    return .array(file.units.flatMap { formatted(0..<$0.document.source.bytes.count, of: $0, in: file) })
  }

  /// `textDocument/rangeFormatting`: the definitions that the range meets.
  func rangeFormatting(_ params: JSONValue) throws(RPCError) -> JSONValue {
    let (_, file) = try file(params)
    let range = try range(params, in: file)
    return .array(
      file.units.filter { $0.range.overlaps(range) || $0.range.contains(range.lowerBound) }.flatMap { unit in
        formatted(
          range.lowerBound - unit.start..<max(range.upperBound, range.lowerBound + 1) - unit.start, of: unit, in: file)
      })
  }

  func formatted(_ range: Range<Int>, of unit: GraphQLUnit, in file: TextFile) -> [JSONValue] {
    // What is put into the text by another language would be lost.
    if !unit.foreignText.isEmpty || file.language != .graphql && unit.document.hasErrors { return [] }
    let bytes = unit.document.source.bytes
    let definitions = unit.document.definitions.filter { $0.range.overlaps(range) }
    let isWhole = range.lowerBound == 0 && range.upperBound == bytes.count
    if isWhole || definitions.count == unit.document.definitions.count && file.language != .graphql {
      let text = file.language == .graphql ? Formatter.format(unit.document) : Self.embedded(unit, in: file)
      return change(0..<bytes.count, to: Array(text.utf8), of: unit, in: file)
    }
    // In other languages the lines have a place of their own, which only the whole keeps.
    guard file.language == .graphql else { return [] }
    return definitions.flatMap { definition -> [JSONValue] in
      let document = Document(parsing: Array(bytes[definition.range]))
      guard !document.hasErrors else { return [] }
      var text = Array(Formatter.format(document).utf8)
      while text.last == 0x0A { text.removeLast() }
      return change(definition.range, to: text, of: unit, in: file)
    }
  }

  /// Text in the lines of another language: as far to the right as it stands there.
  private static func embedded(_ unit: GraphQLUnit, in file: TextFile) -> String {
    let bytes = unit.document.source.bytes
    let text = Formatter.format(unit.document)
    guard let lineEnd = bytes.firstIndex(of: 0x0A), bytes[..<lineEnd].allSatisfy({ $0 <= 0x20 }),
      let first = bytes.firstIndex(where: { $0 > 0x20 })
    else { return unit.document.text }
    let lineStart = bytes[..<first].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    let margin = String(decoding: bytes[lineStart..<first], as: UTF8.self)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    let closing = bytes.lastIndex(of: 0x0A).map { String(decoding: bytes[($0 + 1)...], as: UTF8.self) } ?? ""
    let end = closing.allSatisfy(\.isWhitespace) ? closing : ""
    return "\n" + lines.map { $0.isEmpty ? "\n" : "\(margin)\($0)\n" }.joined() + end
  }

  /// One edit of the lines that differ, so that cursors elsewhere stay; none where nothing does.
  private func change(
    _ range: Range<Int>, to text: [UInt8], of unit: GraphQLUnit, in file: TextFile
  ) -> [JSONValue] {
    let old = unit.document.source.bytes[range]
    guard !old.elementsEqual(text) else { return [] }
    var head = zip(old, text).prefix { $0 == $1 }.count
    while head > 0, text[head - 1] != 0x0A { head -= 1 }
    var tail = zip(old.dropFirst(head).reversed(), text.dropFirst(head).reversed()).prefix { $0 == $1 }.count
    while tail > 0 {
      let (start, oldStart) = (text.count - tail, old.endIndex - tail)
      let isLineStart = start == 0 || text[start - 1] == 0x0A
      if isLineStart, oldStart == old.startIndex || old[oldStart - 1] == 0x0A { break }
      tail -= 1
    }
    let lower = range.lowerBound + head
    let changed = String(decoding: text[head..<text.count - tail], as: UTF8.self)
    return [edit(TextEdit(range: lower..<range.upperBound - tail, text: changed), of: unit, in: file)]
  }
}
