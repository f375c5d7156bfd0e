// Definitions, and recovery to the next definition after an error.
extension Parser {
  mutating func parseDefinition() {
    if kind == .braceLeft {
      parseShorthandOperation()
      return
    }
    let hasDescription = kind == .string || kind == .blockString
    let keyword: (kind: TokenKind, start: Int, end: Int) = hasDescription ? lookahead() : (kind, start, end)
    if hasDescription, keyword.kind == .braceLeft {
      report(
        "Unexpected description, descriptions are not supported on shorthand queries.", at: start..<end)
      advance()
      parseShorthandOperation()
      return
    }
    guard keyword.kind == .name, let parse = definitionParser(keyword.start, keyword.end) else {
      if hasDescription, keyword.kind == .name {
        report("Unexpected description, only GraphQL definitions support descriptions.", at: start..<end)
      } else {
        report(
          "Unexpected \(describe(keyword.kind, keyword.start, keyword.end)).", at: keyword.start..<keyword.end)
      }
      advance()
      skipToDefinition()
      return
    }
    let node = open(.operationDefinition)
    if hasDescription, isText(keyword.start, keyword.end, "extend") {
      report("Unexpected description, only GraphQL definitions support descriptions.", at: start..<end)
    }
    parseDescription(of: node)
    parse(&self, node)
  }

  private func definitionParser(_ start: Int, _ end: Int) -> ((inout Parser, NodeID) -> Void)? {
    switch lexer.base[start] {
    case UInt8(ascii: "t") where isText(start, end, "type"): { $0.parseObjectType($1, .objectTypeDefinition) }
    case UInt8(ascii: "i") where isText(start, end, "interface"): { $0.parseObjectType($1, .interfaceTypeDefinition) }
    case UInt8(ascii: "i") where isText(start, end, "input"): { $0.parseInputObjectType($1) }
    case UInt8(ascii: "e") where isText(start, end, "enum"): { $0.parseEnumType($1) }
    case UInt8(ascii: "u") where isText(start, end, "union"): { $0.parseUnionType($1) }
    case UInt8(ascii: "s") where isText(start, end, "scalar"): { $0.parseScalarType($1) }
    case UInt8(ascii: "s") where isText(start, end, "schema"): { $0.parseSchema($1) }
    case UInt8(ascii: "d") where isText(start, end, "directive"): { $0.parseDirectiveDefinition($1) }
    case UInt8(ascii: "e") where isText(start, end, "extend"): { $0.parseExtension($1) }
    case UInt8(ascii: "f") where isText(start, end, "fragment"): { $0.parseFragmentDefinition($1) }
    case UInt8(ascii: "q") where isText(start, end, "query"): { $0.parseOperationDefinition($1) }
    case UInt8(ascii: "m") where isText(start, end, "mutation"): { $0.parseOperationDefinition($1) }
    case UInt8(ascii: "s") where isText(start, end, "subscription"): { $0.parseOperationDefinition($1) }
    default: nil
    }
  }

  /// Parses the optional description of a definition, as the first child of its node.
  mutating func parseDescription(of node: NodeID) {
    guard kind == .string || kind == .blockString else { return }
    setFlags(node, .hasDescription)
    parseString()
  }

  /// Skips to a token that can begin a definition.
  mutating func skipToDefinition() {
    while kind != .endOfFile {
      switch kind {
      case .braceLeft: return
      case .name where definitionParser(start, end) != nil: return
      case .string, .blockString:
        let next = lookahead()
        if next.kind == .name, definitionParser(next.start, next.end) != nil { return }
        advance()
      default: advance()
      }
    }
  }

  /// Whether the current name probably begins a definition in a document with unclosed braces: it is a keyword at the
  /// start of its line, and a suitable token follows, as in `type Nest {` on the line after `type Bird { name: String`.
  var startsDefinitionOnNewLine: Bool {
    mutating get {
      guard isRecovering, isAtLineStart(start), definitionParser(start, end) != nil else { return false }
      let next = lookahead()
      switch next.kind {
      case .name: return true
      case .braceLeft, .parenthesisLeft: return isKeyword("query") || isKeyword("mutation") || isKeyword("subscription")
      case .at: return isKeyword("directive") || isKeyword("schema")
      default: return false
      }
    }
  }

  private func isAtLineStart(_ offset: Int) -> Bool {
    offset == 0 || lexer.base[offset - 1] == 0x0A || lexer.base[offset - 1] == 0x0D
  }

  /// Whether a description at the start of a line probably belongs to a definition in a document with unclosed braces.
  var describesDefinitionOnNewLine: Bool {
    mutating get {
      guard isRecovering, isAtLineStart(start) else { return false }
      let next = lookahead()
      return next.kind == .name && isAtLineStart(next.start) && definitionParser(next.start, next.end) != nil
    }
  }
}
