// Literal values: `[1, {name: "Owl"}]`.
extension Parser {
  mutating func parseValue(isConstant: Bool) {
    switch kind {
    case .name:
      if isKeyword("true") {
        leaf(.booleanValue, .isTrue)
      } else if isKeyword("false") {
        leaf(.booleanValue)
      } else if isKeyword("null") {
        leaf(.nullValue)
      } else {
        leaf(.enumValue)
      }
    case .int: leaf(.intValue)
    case .float: leaf(.floatValue)
    case .string, .blockString: parseString()
    case .dollar:
      if isConstant { reportVariableInConstant() }
      parseVariable()
    case .bracketLeft: parseList(isConstant: isConstant)
    case .braceLeft: parseObject(isConstant: isConstant)
    default:
      reportUnexpected()
      missing(.nullValue)
    }
  }

  mutating func parseString() {
    var flags: SyntaxFlags = kind == .blockString ? .isBlock : []
    if kind == .string, !bytes(start, end).contains(UInt8(ascii: "\\")), lexer.base[end - 1] == UInt8(ascii: "\""),
      end - start >= 2
    {
      flags.insert(.isPlain)
    }
    leaf(.stringValue, flags)
  }

  private mutating func reportVariableInConstant() {
    let next = lookahead()
    if next.kind == .name {
      report("Unexpected variable \"$\(text(next.start, next.end))\" in constant value.", at: start..<next.end)
    } else {
      reportUnexpected()
    }
  }

  private mutating func parseList(isConstant: Bool) {
    let node = open(.listValue)
    if descend() {
      advance()
      parseElements(isConstant: isConstant)
      ascend()
    }
    close(node)
  }

  private mutating func parseElements(isConstant: Bool) {
    while true {
      switch kind {
      case .bracketRight:
        advance()
        return
      case .name, .int, .float, .string, .blockString, .dollar, .bracketLeft, .braceLeft:
        parseValue(isConstant: isConstant)
      case .endOfFile:
        reportUnexpected()
        endedInside = true
        return
      case .parenthesisRight, .braceRight:
        // The list is unclosed.
        reportUnexpected()
        return
      default:
        reportUnexpected()
        advance()
      }
    }
  }

  private mutating func parseObject(isConstant: Bool) {
    let node = open(.objectValue)
    if descend() {
      advance()
      parseObjectFields(isConstant: isConstant)
      ascend()
    }
    close(node)
  }

  private mutating func parseObjectFields(isConstant: Bool) {
    while true {
      switch kind {
      case .braceRight:
        advance()
        return
      case .name:
        if startsDefinitionOnNewLine { return }
        parseNamedValue(.objectField, isConstant: isConstant)
      case .endOfFile:
        reportExpected(TokenKind.name.words)
        endedInside = true
        return
      case .parenthesisRight, .bracketRight:
        // The object is unclosed.
        reportExpected(TokenKind.name.words)
        return
      case .colon:
        reportExpected(TokenKind.name.words)
        parseNamedValue(.objectField, isConstant: isConstant)
      default:
        reportExpected(TokenKind.name.words)
        advance()
      }
    }
  }
}
