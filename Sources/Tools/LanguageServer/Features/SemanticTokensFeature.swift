import ApusGraphQLLanguage
import ApusGraphQLLanguageService
import ApusJSON

/// The colours of tokens in the protocol's numbers.
enum SemanticTokensFeature {
  private static let types = [
    "keyword", "property", "type", "parameter", "variable", "decorator", "string", "number", "enumMember", "comment",
  ]

  static let legend: JSONValue = [
    "tokenTypes": .array(types.map { JSONValue($0) }), "tokenModifiers": ["deprecated"],
  ]

  static func type(of kind: HighlightKind) -> Int? {
    let name: String? =
      switch kind {
      case .keyword: "keyword"
      case .field: "property"
      case .type: "type"
      case .argument: "parameter"
      case .variable: "variable"
      case .directive: "decorator"
      case .string: "string"
      case .number: "number"
      case .literal: "enumMember"
      case .comment: "comment"
      case .punctuation, .name: nil
      }
    return name.flatMap { types.firstIndex(of: $0) }
  }
}

extension Snapshot {
  /// `textDocument/semanticTokens/full` and `…/range`.
  func semanticTokens(_ params: JSONValue) throws(RPCError) -> JSONValue {
    let (project, file) = try file(params)
    let wanted = client.encoding.range(params["range"], in: file.source) ?? 0..<file.source.bytes.count
    var data: [JSONValue] = []
    var last = Position(line: 0, character: 0)
    for unit in file.units where unit.range.overlaps(wanted) || unit.range == wanted {
      let part = unit.range.clamped(to: wanted)
      let service = LanguageService(document: unit.document, schema: project.schema)
      let deprecated = Self.deprecated(in: service)
      for token in Self.merged(service.highlights(in: part.lowerBound - unit.start..<part.upperBound - unit.start)) {
        guard let type = SemanticTokensFeature.type(of: token.kind) else { continue }
        let modifiers = deprecated.contains(token.range) ? 1 : 0
        for line in Self.lines(of: token.range, in: unit.document.source.bytes) {
          let start = client.encoding.position(of: line.lowerBound + unit.start, in: file.source)
          let end = client.encoding.position(of: line.upperBound + unit.start, in: file.source)
          data += [
            JSONValue(start.line - last.line),
            JSONValue(start.line == last.line ? start.character - last.character : start.character),
            JSONValue(end.character - start.character), JSONValue(type), JSONValue(modifiers),
          ]
          last = start
        }
      }
    }
    return ["data": .array(data)]
  }

  private static func deprecated(in service: LanguageService) -> Set<Range<Int>> {
    guard service.schema != nil else { return [] }
    return Set(
      service.occurrences().compactMap { occurrence in
        if case .element(let element) = occurrence.symbol, element.isDeprecated { occurrence.range } else { nil }
      })
  }

  /// A sign and its name are one token.
  private static func merged(_ highlights: [Highlight]) -> [Highlight] {
    var merged: [Highlight] = []
    for next in highlights {
      if let last = merged.last, last.range.upperBound == next.range.lowerBound, last.kind == next.kind,
        next.kind == .variable || next.kind == .directive
      {
        merged[merged.count - 1] = Highlight(
          range: last.range.lowerBound..<next.range.upperBound, kind: next.kind)
      } else {
        merged.append(next)
      }
    }
    return merged
  }

  /// The parts of a token that are on one line each; few clients take longer ones.
  private static func lines(of range: Range<Int>, in bytes: [UInt8]) -> [Range<Int>] {
    var lines: [Range<Int>] = []
    var start = range.lowerBound
    for index in range where bytes[index] == 0x0A || bytes[index] == 0x0D {
      if index > start { lines.append(start..<index) }
      start = index + 1
    }
    if start < range.upperBound { lines.append(start..<range.upperBound) }
    return lines
  }
}
