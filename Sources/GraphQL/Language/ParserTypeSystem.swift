// Schemas, types and directives, such as `type Bird implements Node { id: ID! }`. Each function starts at its keyword,
// with the node of the definition open.
extension Parser {
  mutating func parseExtension(_ node: NodeID) {
    let next = lookahead()
    advance()
    setFlags(node, .isExtension)
    let parts = nodes.count
    guard next.kind == .name else {
      return abandon(node)
    }
    if isKeyword("type") {
      parseObjectType(node, .objectTypeDefinition)
    } else if isKeyword("interface") {
      parseObjectType(node, .interfaceTypeDefinition)
    } else if isKeyword("input") {
      parseInputObjectType(node)
    } else if isKeyword("enum") {
      parseEnumType(node)
    } else if isKeyword("union") {
      parseUnionType(node)
    } else if isKeyword("scalar") {
      parseScalarType(node)
    } else if isKeyword("schema") {
      parseSchema(node)
    } else if isKeyword("directive") {
      parseDirectiveDefinition(node)
    } else {
      return abandon(node)
    }
    // An extension must add something.
    let isSchema = nodes[Int(node)].kind == .schemaDefinition
    if nodes.count <= parts + (isSchema ? 0 : 1) { reportUnexpected() }
  }

  /// Removes the node of an invalid definition and skips to the next definition.
  private mutating func abandon(_ node: NodeID) {
    reportUnexpected()
    nodes.removeSubrange(Int(node)...)
    skipToDefinition()
  }

  mutating func parseSchema(_ node: NodeID) {
    nodes[Int(node)].kind = .schemaDefinition
    let isExtension = nodes[Int(node)].flags.contains(.isExtension)
    advance()
    parseDirectives(isConstant: true)
    if kind == .braceLeft {
      parseMembers { $0.parseRootOperationType() }
    } else if !isExtension {
      reportExpected(TokenKind.braceLeft.words)
    }
    close(node)
  }

  private mutating func parseRootOperationType() {
    guard kind == .name else {
      reportExpected(TokenKind.name.words)
      return advance()
    }
    let node = open(.rootOperationTypeDefinition)
    if isKeyword("mutation") {
      setFlags(node, .isMutation)
    } else if isKeyword("subscription") {
      setFlags(node, .isSubscription)
    } else if !isKeyword("query") {
      reportUnexpected()
    }
    advance()
    expect(.colon)
    parseName(.namedType)
    close(node)
  }

  mutating func parseScalarType(_ node: NodeID) {
    nodes[Int(node)].kind = .scalarTypeDefinition
    advance()
    parseName()
    parseDirectives(isConstant: true)
    close(node)
  }

  mutating func parseObjectType(_ node: NodeID, _ syntax: SyntaxKind) {
    nodes[Int(node)].kind = syntax
    advance()
    parseName()
    if isKeyword("implements") {
      advance()
      parseDelimited(by: .ampersand) { $0.parseName(.namedType) }
    }
    parseDirectives(isConstant: true)
    if kind == .braceLeft { parseMembers { $0.parseFieldDefinition() } }
    close(node)
  }

  mutating func parseUnionType(_ node: NodeID) {
    nodes[Int(node)].kind = .unionTypeDefinition
    advance()
    parseName()
    parseDirectives(isConstant: true)
    if skip(.equals) { parseDelimited(by: .pipe) { $0.parseName(.namedType) } }
    close(node)
  }

  mutating func parseEnumType(_ node: NodeID) {
    nodes[Int(node)].kind = .enumTypeDefinition
    advance()
    parseName()
    parseDirectives(isConstant: true)
    if kind == .braceLeft { parseMembers { $0.parseEnumValueDefinition() } }
    close(node)
  }

  mutating func parseInputObjectType(_ node: NodeID) {
    nodes[Int(node)].kind = .inputObjectTypeDefinition
    advance()
    parseName()
    parseDirectives(isConstant: true)
    if kind == .braceLeft { parseMembers { $0.parseInputValueDefinition() } }
    close(node)
  }

  mutating func parseDirectiveDefinition(_ node: NodeID) {
    nodes[Int(node)].kind = .directiveDefinition
    advance()
    expect(.at)
    parseName()
    // An extension can only add directives (draft of the specification).
    let isExtension = nodes[Int(node)].flags.contains(.isExtension)
    if !isExtension { parseArgumentDefinitions() }
    parseDirectives(isConstant: true)
    if !isExtension {
      if isKeyword("repeatable") {
        advance()
        setFlags(node, .isRepeatable)
      }
      if expectKeyword("on") { parseDelimited(by: .pipe) { $0.parseDirectiveLocation() } }
    }
    close(node)
  }

  private mutating func parseDirectiveLocation() {
    if kind == .name, DirectiveLocation(rawValue: text(start, end)) == nil { reportUnexpected() }
    parseName(.directiveLocation)
  }

  // MARK: Members

  private mutating func parseFieldDefinition() {
    let node = open(.fieldDefinition)
    parseDescription(of: node)
    guard kind == .name else { return dropMember(node) }
    leaf(.name)
    parseArgumentDefinitions()
    if expect(.colon) { parseType() } else { missing(.namedType) }
    if kind == .at { parseDirectives(isConstant: true) }
    close(node)
  }

  private mutating func parseInputValueDefinition() {
    let node = open(.inputValueDefinition)
    parseDescription(of: node)
    guard kind == .name else { return dropMember(node) }
    leaf(.name)
    if expect(.colon) { parseType() } else { missing(.namedType) }
    if skip(.equals) { parseValue(isConstant: true) }
    if kind == .at { parseDirectives(isConstant: true) }
    close(node)
  }

  private mutating func parseEnumValueDefinition() {
    let node = open(.enumValueDefinition)
    parseDescription(of: node)
    guard kind == .name else { return dropMember(node) }
    if isKeyword("true") || isKeyword("false") || isKeyword("null") {
      report(
        "\(describe(kind, start, end)) is reserved and cannot be used for an enum value.", at: start..<end)
    }
    leaf(.name)
    if kind == .at { parseDirectives(isConstant: true) }
    close(node)
  }

  /// Reports an invalid member, and skips the token unless it may close a list.
  private mutating func dropMember(_ node: NodeID) {
    reportExpected(TokenKind.name.words)
    nodes.removeSubrange(Int(node)...)
    switch kind {
    case .braceRight, .parenthesisRight, .braceLeft, .endOfFile: break
    default: advance()
    }
  }

  private mutating func parseArgumentDefinitions() {
    guard kind == .parenthesisLeft else { return }
    parseMembers(.parenthesisRight) { $0.parseInputValueDefinition() }
  }

  /// Parses the members between braces or parentheses.
  @inline(__always)
  private mutating func parseMembers(_ closing: TokenKind = .braceRight, _ parse: (inout Parser) -> Void) {
    advance()
    if kind == closing { reportExpected(TokenKind.name.words) }
    while !endsMembers(closing) {
      parse(&self)
    }
  }

  private mutating func endsMembers(_ closing: TokenKind) -> Bool {
    switch kind {
    case closing:
      advance()
      return true
    case .endOfFile:
      reportExpected(TokenKind.name.words)
      endedInside = true
      return true
    case .name:
      return startsDefinitionOnNewLine
    case .string, .blockString:
      return describesDefinitionOnNewLine
    case .braceLeft, .braceRight:
      // The list is unclosed.
      reportExpected(TokenKind.name.words)
      if kind == .braceLeft, closing == .braceRight {
        advance()
        return false
      }
      return true
    case .parenthesisRight:
      reportExpected(TokenKind.name.words)
      advance()
      return endsMembers(closing)
    default:
      return false
    }
  }

  @inline(__always)
  private mutating func parseDelimited(by delimiter: TokenKind, _ parse: (inout Parser) -> Void) {
    _ = skip(delimiter)
    repeat { parse(&self) } while skip(delimiter)
  }
}
