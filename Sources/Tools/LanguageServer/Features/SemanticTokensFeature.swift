import ApusGraphQLLanguage
import ApusGraphQLLanguageService
import ApusJSON

/// Encodes semantic tokens as the protocol's numbers.
enum SemanticTokensFeature {
  private static let types = [
    "keyword", "property", "type", "parameter", "variable", "decorator", "string", "number", "enumMember", "comment",
  ]

  static let legend: JSONValue = [
    "tokenTypes": .array(types.map { JSONValue($0) }), "tokenModifiers": ["deprecated"],
  ]

  static func type(of kind: SemanticTokenKind) -> Int? {
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

extension WorkspaceSnapshot {
  /// Handles `textDocument/semanticTokens/full`. The result has an ID for later deltas.
  func semanticTokens(_ params: JSONValue) throws(RPCError) -> JSONValue {
    let data = try tokenData(params)
    let uri = params["textDocument"]?["uri"]?.string ?? ""
    return ["resultId": JSONValue(tokens.store(data, of: uri)), "data": .array(data.map { JSONValue($0) })]
  }

  /// Handles `textDocument/semanticTokens/range`.
  func semanticTokensOfRange(_ params: JSONValue) throws(RPCError) -> JSONValue {
    ["data": .array(try tokenData(params).map { JSONValue($0) })]
  }

  /// Handles `textDocument/semanticTokens/full/delta`. Returns one edit from the first number that differs to the last,
  /// or all tokens if the client's result is not the newest one.
  func semanticTokensDelta(_ params: JSONValue) throws(RPCError) -> JSONValue {
    let uri = params["textDocument"]?["uri"]?.string ?? ""
    guard let old = tokens.tokens(of: uri, result: params["previousResultId"]?.string ?? "") else {
      return try semanticTokens(params)
    }
    let new = try tokenData(params)
    let id = JSONValue(tokens.store(new, of: uri))
    let head = zip(old, new).prefix { $0 == $1 }.count
    guard head < max(old.count, new.count) else { return ["resultId": id, "edits": []] }
    let tail = zip(old.dropFirst(head).reversed(), new.dropFirst(head).reversed()).prefix { $0 == $1 }.count
    let edit: JSONValue = [
      "start": JSONValue(head), "deleteCount": JSONValue(old.count - tail - head),
      "data": .array(new[head..<new.count - tail].map { JSONValue($0) }),
    ]
    return ["resultId": id, "edits": [edit]]
  }

  /// Returns five numbers per token: line and column relative to the previous token, length, type and modifiers. A
  /// token of four characters at column 2 of the next line begins with 1, 2, 4.
  private func tokenData(_ params: JSONValue) throws(RPCError) -> [Int] {
    let (project, file) = try file(params)
    let requested = client.encoding.range(params["range"], in: file.source) ?? 0..<file.source.bytes.count
    var data: [Int] = []
    var last = Position(line: 0, character: 0)
    var lastOffset = 0
    for unit in file.units where unit.range.overlaps(requested) || unit.range == requested {
      let part = unit.range.clamped(to: requested)
      let service = LanguageService(document: unit.document, schema: project.schema)
      let deprecated = Self.deprecated(in: service)
      for token in Self.merged(service.highlights(in: part.lowerBound - unit.start..<part.upperBound - unit.start)) {
        guard let type = SemanticTokensFeature.type(of: token.kind) else { continue }
        let modifiers = deprecated.contains(token.range) ? 1 : 0
        for line in Self.lines(of: token.range, in: unit.document.source.bytes) {
          let (lower, upper) = (line.lowerBound + unit.start, line.upperBound + unit.start)
          let start = client.encoding.position(of: lower, in: file.source, after: (lastOffset, last))
          let end = client.encoding.position(of: upper, in: file.source, after: (lower, start))
          data += [
            start.line - last.line,
            start.line == last.line ? start.character - last.character : start.character,
            end.character - start.character, type, modifiers,
          ]
          (last, lastOffset) = (start, lower)
        }
      }
    }
    return data
  }

  private static func deprecated(in service: LanguageService) -> Set<Range<Int>> {
    guard service.schema != nil else { return [] }
    return Set(
      service.occurrences().compactMap { occurrence in
        if case .element(let element) = occurrence.symbol, element.isDeprecated { occurrence.range } else { nil }
      })
  }

  /// Merges a sigil and its name into one token.
  private static func merged(_ highlights: [SemanticToken]) -> [SemanticToken] {
    var merged: [SemanticToken] = []
    for next in highlights {
      if let last = merged.last, last.range.upperBound == next.range.lowerBound, last.kind == next.kind,
        next.kind == .variable || next.kind == .directive
      {
        merged[merged.count - 1] = SemanticToken(
          range: last.range.lowerBound..<next.range.upperBound, kind: next.kind)
      } else {
        merged.append(next)
      }
    }
    return merged
  }

  /// Splits a token into lines, because few clients support multiline tokens.
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
