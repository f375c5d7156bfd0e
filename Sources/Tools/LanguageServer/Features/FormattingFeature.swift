import ApusGraphQLLanguage
import ApusGraphQLLanguageService
import ApusGraphQLProjects
import ApusJSON

extension WorkspaceSnapshot {
  /// Handles `textDocument/formatting`. Embedded GraphQL keeps the indentation of the surrounding lines.
  func formatting(_ params: JSONValue) throws(RPCError) -> JSONValue {
    let (project, file) = try file(params)
    return .array(
      file.units.flatMap { formatted(0..<$0.document.source.bytes.count, of: $0, in: file, project.origin.formatWidth) }
    )
  }

  /// Handles `textDocument/rangeFormatting`. Formats the definitions that intersect the range.
  func rangeFormatting(_ params: JSONValue) throws(RPCError) -> JSONValue {
    let (project, file) = try file(params)
    let range = try range(params, in: file)
    return .array(
      file.units.filter { $0.range.overlaps(range) || $0.range.contains(range.lowerBound) }.flatMap { unit in
        formatted(
          range.lowerBound - unit.start..<max(range.upperBound, range.lowerBound + 1) - unit.start, of: unit, in: file,
          project.origin.formatWidth)
      })
  }

  func formatted(
    _ range: Range<Int>, of unit: GraphQLRegion, in file: TextFile, _ width: Int? = nil
  ) -> [JSONValue] {
    guard let complete = file.content.formatted(unit, width: width) else { return [] }
    let bytes = unit.document.source.bytes
    let definitions = unit.document.definitions.filter { $0.range.overlaps(range) }
    let isWhole = range.lowerBound == 0 && range.upperBound == bytes.count
    if isWhole || definitions.count == unit.document.definitions.count && file.language != .graphql {
      return change(0..<bytes.count, to: Array(complete.utf8), of: unit, in: file)
    }
    // Embedded GraphQL is indented, which only formatting the entire document preserves.
    guard file.language == .graphql else { return [] }
    return definitions.flatMap { definition -> [JSONValue] in
      let document = Document(parsing: Array(bytes[definition.range]))
      guard !document.hasErrors else { return [] }
      var text = Array(Formatter.format(document, width: width).utf8)
      while text.last == 0x0A { text.removeLast() }
      return change(definition.range, to: text, of: unit, in: file)
    }
  }

  /// Returns one edit of the lines that differ, so that cursors elsewhere stay; none if there is no difference.
  private func change(
    _ range: Range<Int>, to text: [UInt8], of unit: GraphQLRegion, in file: TextFile
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
