// Operations, fragments and selections.
extension Parser {
  mutating func parseOperationDefinition(_ node: NodeID) {
    nodes[Int(node)].kind = .operationDefinition
    if isKeyword("mutation") { setFlags(node, .isMutation) }
    if isKeyword("subscription") { setFlags(node, .isSubscription) }
    advance()
    if kind == .name { leaf(.name) }
    parseVariableDefinitions()
    parseDirectives(isConstant: false)
    parseSelectionSet()
    close(node)
  }

  mutating func parseShorthandOperation() {
    let node = open(.operationDefinition, .isShorthand)
    parseSelectionSet()
    close(node)
  }

  mutating func parseFragmentDefinition(_ node: NodeID) {
    nodes[Int(node)].kind = .fragmentDefinition
    advance()
    parseFragmentName()
    if kind == .parenthesisLeft {
      if !limits.allowsFragmentVariables { reportExpected("\"on\"") }
      parseVariableDefinitions()
    }
    if expectKeyword("on") { parseName(.namedType) } else { missing(.namedType) }
    parseDirectives(isConstant: false)
    parseSelectionSet()
    close(node)
  }

  private mutating func parseFragmentName() {
    if isKeyword("on") {
      reportUnexpected()
      missing(.name)
    } else {
      parseName()
    }
  }

  mutating func parseVariableDefinitions() {
    guard kind == .parenthesisLeft else { return }
    advance()
    if kind == .parenthesisRight { reportExpected(TokenKind.dollar.words) }
    while true {
      switch kind {
      case .parenthesisRight:
        advance()
        return
      case .dollar, .string, .blockString:
        parseVariableDefinition()
      case .endOfFile:
        reportExpected(TokenKind.dollar.words)
        endedInside = true
        return
      case .braceLeft, .braceRight:
        // The list is unclosed.
        reportExpected(TokenKind.dollar.words)
        return
      default:
        if startsDefinitionOnNewLine { return }
        reportExpected(TokenKind.dollar.words)
        advance()
      }
    }
  }

  private mutating func parseVariableDefinition() {
    let node = open(.variableDefinition)
    parseDescription(of: node)
    parseVariable()
    if expect(.colon) { parseType() } else { missing(.namedType) }
    if skip(.equals) { parseValue(isConstant: true) }
    parseDirectives(isConstant: true)
    close(node)
  }

  mutating func parseVariable() {
    let node = open(.variable)
    expect(.dollar)
    parseName()
    close(node)
  }

  // MARK: Selections

  mutating func parseSelectionSet() {
    guard kind == .braceLeft else {
      reportExpected(TokenKind.braceLeft.words)
      missing(.selectionSet)
      return
    }
    let node = open(.selectionSet)
    guard descend() else {
      close(node)
      return
    }
    advance()
    if kind == .braceRight { reportExpected(TokenKind.name.words) }
    var isOpen = true
    while isOpen { isOpen = parseSelection() }
    ascend()
    close(node)
  }

  /// Parses a selection; returns false at the end of the set.
  private mutating func parseSelection() -> Bool {
    switch kind {
    case .name:
      if startsDefinitionOnNewLine { return false }
      parseField()
    case .spread:
      parseFragment()
    case .braceRight:
      advance()
      return false
    case .endOfFile:
      reportExpected(TokenKind.name.words)
      endedInside = true
      return false
    case .braceLeft, .parenthesisLeft:
      // A field whose name has not been typed yet.
      reportExpected(TokenKind.name.words)
      parseField()
    default:
      reportExpected(TokenKind.name.words)
      advance()
    }
    return true
  }

  private mutating func parseField() {
    let node = open(.field)
    parseName()
    if kind == .colon {
      advance()
      setFlags(node, .hasAlias)
      parseName()
    }
    if kind == .parenthesisLeft { parseArguments(isConstant: false) }
    if kind == .at { parseDirectives(isConstant: false) }
    if kind == .braceLeft { parseSelectionSet() }
    close(node)
  }

  private mutating func parseFragment() {
    let node = open(.fragmentSpread)
    advance()
    if kind == .name, !isKeyword("on") {
      leaf(.name)
      if kind == .parenthesisLeft, limits.allowsFragmentVariables { parseArguments(isConstant: false) }
      parseDirectives(isConstant: false)
      close(node)
      return
    }
    nodes[Int(node)].kind = .inlineFragment
    if kind == .name {
      advance()
      parseName(.namedType)
    }
    parseDirectives(isConstant: false)
    parseSelectionSet()
    close(node)
  }

  // MARK: Arguments and directives

  mutating func parseArguments(isConstant: Bool) {
    guard kind == .parenthesisLeft else { return }
    advance()
    if kind == .parenthesisRight { reportExpected(TokenKind.name.words) }
    while true {
      switch kind {
      case .name:
        if startsDefinitionOnNewLine { return }
        parseNamedValue(.argument, isConstant: isConstant)
      case .parenthesisRight:
        advance()
        return
      case .endOfFile:
        reportExpected(TokenKind.name.words)
        endedInside = true
        return
      case .braceLeft, .braceRight, .spread, .at:
        // The list is unclosed.
        reportExpected(TokenKind.name.words)
        return
      case .colon, .dollar:
        // An argument whose name has not been typed yet.
        reportExpected(TokenKind.name.words)
        if kind == .colon { parseNamedValue(.argument, isConstant: isConstant) } else { advance() }
      default:
        reportExpected(TokenKind.name.words)
        advance()
      }
    }
  }

  /// Parses an argument or a field of an input object: `first: 10`.
  mutating func parseNamedValue(_ syntax: SyntaxKind, isConstant: Bool) {
    let node = open(syntax)
    parseName()
    if expect(.colon) { parseValue(isConstant: isConstant) } else { missing(.nullValue) }
    close(node)
  }

  mutating func parseDirectives(isConstant: Bool) {
    while kind == .at {
      let node = open(.directive)
      advance()
      parseName()
      parseArguments(isConstant: isConstant)
      close(node)
    }
  }

  // MARK: Types

  mutating func parseType() {
    switch kind {
    case .name:
      let node = NodeID(truncatingIfNeeded: nodes.count)
      leaf(.namedType)
      if kind == .bang {
        setFlags(node, .isNonNull)
        advance()
      }
    case .bracketLeft:
      let node = open(.listType)
      if descend() {
        advance()
        parseType()
        expect(.bracketRight)
        ascend()
      }
      if kind == .bang {
        setFlags(node, .isNonNull)
        advance()
      }
      close(node)
    default:
      reportExpected(TokenKind.name.words)
      missing(.namedType)
    }
  }
}
