import ApusGraphQLLanguage
import ApusGraphQLSchema

extension CursorContextReader {
  mutating func read(_ kind: TokenKind, _ text: String) {
    isDescribed = kind == .string || kind == .blockString
    if let sigil {
      self.sigil = nil
      if kind == .name { return readName(text, after: sigil) }
    }
    switch kind {
    case .at, .dollar: readSigil(kind)
    case .braceLeft: openBrace()
    case .braceRight: closeBrace()
    case .parenthesisLeft: openParenthesis()
    case .parenthesisRight: closeParenthesis()
    case .bracketLeft: openBracket()
    case .bracketRight: closeBracket()
    case .colon: readColon()
    case .equals, .pipe, .ampersand, .bang: readSign(kind)
    case .spread:
      unwindToSelection()
      if case .selectionSet(let type) = stack.last { stack.append(.spread(parent: type, type: nil, stage: .dots)) }
    case .name: readName(text)
    case .int, .float, .string, .blockString: valueEnded()
    case .endOfFile, .comment, .invalid: break
    }
  }

  private mutating func replaceTop(_ level: Level) { stack[stack.count - 1] = level }

  private mutating func readSign(_ kind: TokenKind) {
    while case .directive = stack.last { stack.removeLast() }
    switch stack.last {
    case .definition(var header):
      header.read(separator: kind)
      replaceTop(.definition(header))
    case .members(var members):
      members.read(kind)
      replaceTop(.members(members))
    case nil, .document, .operation, .fragment, .selectionSet, .field, .spread, .arguments, .object, .list,
      .directive:
      break
    }
  }

  private mutating func readSigil(_ kind: TokenKind) {
    if kind == .at, case .definition(let header) = stack.last, header.expectsDirectiveName { return }
    sigil = kind
  }

  private mutating func readName(_ text: String, after sigil: TokenKind) {
    if sigil == .at {
      let location = directiveLocation(stack.last ?? .document)
      var names: Set<String> = [text]
      if case .directive(_, _, let others) = stack.last {
        names.formUnion(others)
        stack.removeLast()
      }
      let definition = (schema ?? LanguageService.builtIns).directive(named: text)
      stack.append(.directive(definition?.arguments ?? [], location: location, names: names))
    } else {
      // The next variable may follow the directives of the previous one.
      while case .directive = stack.last { stack.removeLast() }
      guard case .members(var members) = stack.last, members.kind == .variable, members.stage != .value else {
        return valueEnded()
      }
      members.beginMember(text)
      replaceTop(.members(members))
    }
  }

  private mutating func readName(_ text: String) {
    switch stack.last ?? .document {
    case .document: readDefinitionKeyword(text)
    case .operation, .list: break
    case .fragment(let stage, _):
      switch stage {
      case .name: replaceTop(.fragment(.on, type: nil))
      case .on: if text == "on" { replaceTop(.fragment(.type, type: nil)) }
      case .type: replaceTop(.fragment(.end, type: schema?.type(named: text)))
      case .end: break
      }
    case .selectionSet(let parent): stack.append(.field(parent?.field(named: text)))
    case .directive:
      // A name ends the directives: it begins the next selection or member, or continues a header.
      while case .directive = stack.last { stack.removeLast() }
      switch stack.last {
      case .field, .spread: beginField(text)
      case nil, .document, .operation, .fragment, .selectionSet, .arguments, .object, .list, .directive,
        .definition, .members:
        readName(text)
      }
    case .field: beginField(text)
    case .spread(let parent, _, let stage):
      switch stage {
      case .dots:
        spreadName = text
        replaceTop(.spread(parent: parent, type: nil, stage: text == "on" ? .on : .named))
      case .on: replaceTop(.spread(parent: parent, type: schema?.type(named: text), stage: .named))
      case .named: beginField(text)
      }
    case .arguments(let arguments, var used, _, let stage):
      guard stage != .value else { return valueEnded() }
      used.insert(text)
      let type = arguments.first { $0.name == text }?.type ?? fragmentVariableType(text)
      replaceTop(.arguments(arguments, used: used, expecting: type, stage: .colon))
    case .object(let type, var used, _, let stage):
      guard stage != .value else { return valueEnded() }
      used.insert(text)
      replaceTop(.object(type, used: used, expecting: type?.inputField(named: text)?.type, stage: .colon))
    case .definition(var header):
      if header.read(name: text) { return replaceTop(.definition(header)) }
      stack.removeLast()
      readDefinitionKeyword(text)
    case .members(var members):
      members.read(name: text)
      replaceTop(.members(members))
    }
  }

  /// Returns the type of a variable of the last spread fragment.
  private func fragmentVariableType(_ name: String) -> TypeReference? {
    let variable = document.fragment(named: spreadName)?.variableDefinitions.first { $0.variable.name.hasValue(name) }
    return variable.flatMap { NodeTypeResolver.reference($0.type, schema) }
  }

  /// Begins a field with the name if a selection set is open.
  private mutating func beginField(_ name: String) {
    unwindToSelection()
    if case .selectionSet(let parent) = stack.last { stack.append(.field(parent?.field(named: name))) }
  }

  private mutating func readDefinitionKeyword(_ text: String) {
    switch text {
    case "query": stack.append(.operation(root: schema?.queryType, location: .query))
    case "mutation": stack.append(.operation(root: schema?.mutationType, location: .mutation))
    case "subscription": stack.append(.operation(root: schema?.subscriptionType, location: .subscription))
    case "fragment": stack.append(.fragment(.name, type: nil))
    case "extend": stack.append(.definition(DefinitionHeader(keyword: nil)))
    default:
      if let keyword = TypeSystemKeyword(rawValue: text) {
        stack.append(.definition(DefinitionHeader(keyword: keyword)))
      }
    }
  }
}

// Brackets and values.
extension CursorContextReader {
  private mutating func openBrace() {
    switch stack.last {
    case .arguments(_, _, let type, .value), .object(_, _, let type, .value), .list(let type): return pushObject(type)
    case .members(let members) where members.stage == .value: return pushObject(members.valueType(in: schema))
    case nil, .document, .operation, .fragment, .selectionSet, .field, .spread, .arguments, .object,
      .directive, .definition, .members:
      break
    }
    while case .directive = stack.last { stack.removeLast() }
    switch stack.last ?? .document {
    case .document: stack.append(.selectionSet(schema?.queryType))
    case .operation(let root, _): stack.append(.selectionSet(root))
    case .fragment(_, let type): stack.append(.selectionSet(type))
    case .field(let field): stack.append(.selectionSet(field?.type.definition))
    case .spread(let parent, let type, _): stack.append(.selectionSet(type ?? parent))
    case .selectionSet(let type): stack.append(.selectionSet(type))
    case .definition(let header):
      if let kind = header.keyword?.members {
        stack.append(.members(MemberList(kind, interfaces: header.interfaces)))
      }
    case .members(let members) where members.kind != .variable: break
    case .arguments, .object, .members:
      // An opening brace is invalid here, so the arguments lack a closing parenthesis. Treat them as closed.
      while let last = stack.last, !last.bearsSelectionSet { stack.removeLast() }
      if stack.isEmpty { stack = [.document] }
      openBrace()
    case .list, .directive: break
    }
  }

  private mutating func pushObject(_ type: TypeReference?) {
    stack.append(.object(type?.definition, used: [], expecting: nil, stage: .name))
  }

  private mutating func closeBrace() {
    if case .object = stack.last {
      stack.removeLast()
      return valueEnded()
    }
    while let last = stack.last {
      if case .document = last { return }
      stack.removeLast()
      if last.isInBraces { break }
    }
    // The braces end the field, spread or definition that they belong to.
    switch stack.last {
    case .field, .spread, .operation, .fragment, .definition: stack.removeLast()
    case nil, .document, .selectionSet, .arguments, .object, .list, .directive, .members: break
    }
    if stack.isEmpty { stack = [.document] }
  }

  private mutating func openParenthesis() {
    switch stack.last {
    case .operation, .fragment(.on, _): stack.append(.members(MemberList(.variable)))
    case .spread(_, nil, .named): stack.append(.arguments([], used: [], expecting: nil, stage: .name))
    case .field(let field):
      stack.append(.arguments(field?.arguments ?? [], used: [], expecting: nil, stage: .name))
    case .directive(let arguments, _, _):
      stack.append(.arguments(arguments, used: [], expecting: nil, stage: .name))
    case .definition(let header) where header.keyword == .directive: stack.append(.members(MemberList(.argument)))
    case .members(let members) where members.kind == .field: stack.append(.members(MemberList(.argument)))
    case nil, .document, .fragment, .selectionSet, .spread, .arguments, .object, .list, .definition, .members: break
    }
  }

  private mutating func closeParenthesis() {
    while let last = stack.last {
      switch last {
      case .arguments:
        stack.removeLast()
        return
      case .members(let members):
        if members.isInParentheses { stack.removeLast() }
        return
      case .object, .list, .directive: stack.removeLast()
      case .document, .operation, .fragment, .selectionSet, .field, .spread, .definition: return
      }
    }
  }

  private mutating func openBracket() {
    switch stack.last {
    case .arguments(_, _, let type, .value), .object(_, _, let type, .value), .list(let type):
      stack.append(.list(type?.elementType))
    case .members(var members):
      if members.stage == .value { return stack.append(.list(members.valueType(in: schema)?.elementType)) }
      members.read(.bracketLeft)
      replaceTop(.members(members))
    case nil, .document, .operation, .fragment, .selectionSet, .field, .spread, .arguments, .object,
      .directive, .definition:
      break
    }
  }

  private mutating func closeBracket() {
    switch stack.last {
    case .list:
      stack.removeLast()
      valueEnded()
    case .members(var members):
      members.read(.bracketRight)
      replaceTop(.members(members))
    case nil, .document, .operation, .fragment, .selectionSet, .field, .spread, .arguments, .object,
      .directive, .definition:
      break
    }
  }

  private mutating func readColon() {
    switch stack.last {
    case .arguments(let arguments, let used, let type, .colon):
      replaceTop(.arguments(arguments, used: used, expecting: type, stage: .value))
    case .object(let type, let used, let expecting, .colon):
      replaceTop(.object(type, used: used, expecting: expecting, stage: .value))
    case .members: readSign(.colon)
    case .field:
      // The name was an alias, not a field.
      stack.removeLast()
    case nil, .document, .operation, .fragment, .selectionSet, .spread, .arguments, .object, .list, .directive,
      .definition:
      break
    }
  }

  private mutating func valueEnded() {
    switch stack.last {
    case .arguments(let arguments, let used, _, .value):
      replaceTop(.arguments(arguments, used: used, expecting: nil, stage: .name))
    case .object(let type, let used, _, .value):
      replaceTop(.object(type, used: used, expecting: nil, stage: .name))
    case .members(var members) where members.stage == .value:
      members.valueEnded()
      replaceTop(.members(members))
    case nil, .document, .operation, .fragment, .selectionSet, .field, .spread, .arguments, .object, .list,
      .directive, .definition, .members:
      break
    }
  }

  private mutating func unwindToSelection() {
    while let last = stack.last {
      switch last {
      case .field, .spread, .directive, .arguments, .object, .list: stack.removeLast()
      case .document, .operation, .fragment, .selectionSet, .definition, .members: return
      }
    }
  }
}

extension CursorContextReader.Level {
  fileprivate var bearsSelectionSet: Bool {
    switch self {
    case .document, .operation, .fragment, .field, .spread, .selectionSet: true
    case .arguments, .object, .list, .directive, .definition, .members: false
    }
  }

  fileprivate var isInBraces: Bool {
    switch self {
    case .selectionSet: true
    case .members(let members): !members.isInParentheses
    case .document, .operation, .fragment, .field, .spread, .arguments, .object, .list, .directive, .definition: false
    }
  }
}
