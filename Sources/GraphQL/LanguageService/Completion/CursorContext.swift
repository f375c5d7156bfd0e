import ApusGraphQLLanguage
import ApusGraphQLSchema

/// What may be written at a place of a document.
enum CursorContext {
  /// At the top level: a definition begins.
  case definition
  /// After an operation's keyword or name, or a fragment's type condition: nothing to offer but directives.
  case header
  /// In a selection set.
  case selection(parent: TypeDefinition?)
  /// After `...`: a type condition's `on`, or the name of a fragment.
  case spread(parent: TypeDefinition?)
  /// After `... on` or in a fragment definition after `on`. `parent` is the enclosing type, if any.
  case typeCondition(parent: TypeDefinition?)
  case argumentName(arguments: [InputValueDefinition], used: Set<String>)
  case inputField(type: TypeDefinition?, used: Set<String>)
  /// Where a value stands, of this type if it is known.
  case value(type: TypeReference?, inConstant: Bool)
  /// After `$` where a variable is used.
  case variable(type: TypeReference?)
  /// After `@`, at a location such as `FIELD`.
  case directive(location: DirectiveLocation?)
  /// Where a variable's type is written.
  case variableType
  /// In a type definition, where a type of some sort is named.
  case typeName(TypeNameUse)
  /// In a directive's definition, after `on`.
  case directiveLocation
  /// A name that only the writer can choose, or nothing at all.
  case nothing
}

/// What the name of a type is wanted for in a type definition.
enum TypeNameUse { case output, input, object, interface }

/// Reads the tokens before a cursor and tells what may come at it. It keeps a small stack instead of using the syntax
/// tree, so that text that is half typed after the cursor, or broken before it, does not mislead it.
struct CursorContextReader {
  fileprivate enum Level {
    case document
    /// An operation's header; the root type its selection set will have.
    case operation(root: TypeDefinition?, location: DirectiveLocation)
    case fragment(type: TypeDefinition?, sawOn: Bool, sawType: Bool)
    case selectionSet(TypeDefinition?)
    /// A field whose name was read; what may follow depends on its definition.
    case field(FieldDefinition?)
    case spread(parent: TypeDefinition?, type: TypeDefinition?, stage: SpreadStage)
    case arguments([InputValueDefinition], used: Set<String>, expecting: TypeReference?, stage: ArgumentStage)
    case object(TypeDefinition?, used: Set<String>, expecting: TypeReference?, stage: ArgumentStage)
    case list(TypeReference?)
    case directive([InputValueDefinition], location: DirectiveLocation?)
    case variableDefinitions(VariableStage, type: TypeReference?)
    /// In a definition of the schema language.
    case typeSystem(TypeSystemReader)
  }
  fileprivate enum SpreadStage { case dots, on, named }
  fileprivate enum ArgumentStage { case name, colon, value }
  fileprivate enum VariableStage { case dollar, name, type, afterType, value }

  private let schema: Schema?
  private var stack: [Level] = [.document]
  /// The last token was `@` or `$`: the cursor is at the name that follows.
  private var sigil: TokenKind?
  private init(schema: Schema?) { self.schema = schema }

  /// No variable can stand here: it is in the default value of one.
  private var isConstant: Bool {
    stack.contains { if case .variableDefinitions = $0 { true } else { false } }
  }

  /// What may be written at the cursor when `tokens` are those that end before it, the word being typed left out.
  static func context(after tokens: some Sequence<Token>, in source: Source, schema: Schema?) -> CursorContext {
    var reader = CursorContextReader(schema: schema)
    for token in tokens { reader.read(token, text: token.kind == .name ? source.text(token.range) : "") }
    return reader.context
  }
}

extension CursorContextReader {
  private var context: CursorContext {
    let level = stack.last ?? .document
    if sigil == .at {
      if case .directive(_, let location) = level { return .directive(location: location) }
      return .directive(location: directiveLocation(level))
    }
    if sigil == .dollar {
      switch level {
      case .arguments(_, _, let type, _), .object(_, _, let type, _): return .variable(type: type)
      case .list(let type): return .variable(type: type)
      default: return .nothing
      }
    }
    switch level {
    case .document: return .definition
    case .operation: return .header
    case .fragment(_, let sawOn, let sawType): return sawType ? .header : sawOn ? .typeCondition(parent: nil) : .nothing
    case .selectionSet(let type): return .selection(parent: type)
    case .field: return enclosingSelection()
    case .spread(let parent, _, let stage):
      switch stage {
      case .dots: return .spread(parent: parent)
      case .on: return .typeCondition(parent: parent)
      case .named: return enclosingSelection()
      }
    case .arguments(let arguments, let used, let type, let stage):
      switch stage {
      case .name: return .argumentName(arguments: arguments, used: used)
      case .colon: return .nothing
      case .value: return .value(type: type, inConstant: isConstant)
      }
    case .object(let type, let used, let expecting, let stage):
      switch stage {
      case .name: return .inputField(type: type, used: used)
      case .colon: return .nothing
      case .value: return .value(type: expecting, inConstant: isConstant)
      }
    case .list(let type): return .value(type: type, inConstant: isConstant)
    case .directive:
      return enclosingSelection()
    case .variableDefinitions(let stage, let type):
      switch stage {
      case .type: return .variableType
      case .value: return .value(type: type, inConstant: true)
      default: return .nothing
      }
    case .typeSystem(let reader): return reader.context
    }
  }

  private func enclosingSelection() -> CursorContext {
    for level in stack.reversed() {
      switch level {
      case .selectionSet(let type): return .selection(parent: type)
      case .operation, .fragment, .variableDefinitions: return .header
      default: continue
      }
    }
    return .definition
  }

  private func directiveLocation(_ level: Level) -> DirectiveLocation? {
    switch level {
    case .operation(_, let location): location
    case .fragment: .fragmentDefinition
    case .field: .field
    case .spread(_, let type, let stage): stage == .named && type == nil ? .fragmentSpread : .inlineFragment
    case .variableDefinitions: .variableDefinition
    case .directive(_, let location): location
    default: nil
    }
  }

  private mutating func read(_ token: Token, text: String) {
    if token.kind == .comment { return }
    if case .typeSystem(var reader) = stack.last {
      reader.read(token.kind, text)
      return replaceTop(.typeSystem(reader))
    }
    if let sigil {
      self.sigil = nil
      if token.kind == .name { return readName(afterSigil: sigil, text) }
    }
    switch token.kind {
    case .at, .dollar: readSigil(token.kind)
    case .braceLeft: openBrace()
    case .braceRight: closeBrace()
    case .parenthesisLeft: openParenthesis()
    case .parenthesisRight: closeParenthesis()
    case .bracketLeft: openBracket()
    case .bracketRight: closeBracket()
    case .colon: readColon()
    case .equals:
      if case .variableDefinitions(_, let type) = stack.last { replaceTop(.variableDefinitions(.value, type: type)) }
    case .spread:
      unwindToSelection()
      if case .selectionSet(let type) = stack.last { stack.append(.spread(parent: type, type: nil, stage: .dots)) }
    case .name: readName(text)
    case .int, .float, .string, .blockString: valueEnded()
    default: break
    }
  }

  private mutating func replaceTop(_ level: Level) { stack[stack.count - 1] = level }

  private mutating func readSigil(_ kind: TokenKind) {
    if kind == .dollar, case .variableDefinitions = stack.last {
      replaceTop(.variableDefinitions(.name, type: nil))
      sigil = .dollar
      return
    }
    if kind == .at, case .directive(_, let location) = stack.last { replaceTop(.directive([], location: location)) }
    sigil = kind
  }

  private mutating func readName(afterSigil sigil: TokenKind, _ text: String) {
    if sigil == .at {
      let location = directiveLocation(stack.last ?? .document)
      if case .directive = stack.last { stack.removeLast() }
      stack.append(.directive(schema?.directive(named: text)?.arguments ?? [], location: location))
    } else if case .variableDefinitions = stack.last {
      replaceTop(.variableDefinitions(.name, type: nil))
    } else {
      valueEnded()
    }
  }

  private mutating func readName(_ text: String) {
    switch stack.last ?? .document {
    case .document:
      readDefinitionKeyword(text)
    case .operation: break
    case .fragment(let type, let sawOn, let sawType):
      if !sawOn {
        replaceTop(.fragment(type: type, sawOn: text == "on", sawType: false))
      } else if !sawType {
        replaceTop(.fragment(type: schema?.type(named: text), sawOn: true, sawType: true))
      }
    case .selectionSet(let parent):
      stack.append(.field(parent?.field(named: text)))
    case .field, .directive:
      // A name after a finished field begins the next selection, if we are in a selection set at all.
      unwindToSelection()
      if case .selectionSet(let parent) = stack.last { stack.append(.field(parent?.field(named: text))) }
    case .spread(let parent, _, let stage):
      switch stage {
      case .dots:
        replaceTop(.spread(parent: parent, type: nil, stage: text == "on" ? .on : .named))
      case .on:
        replaceTop(.spread(parent: parent, type: schema?.type(named: text), stage: .named))
      case .named:
        unwindToSelection()
        if case .selectionSet(let parent) = stack.last { stack.append(.field(parent?.field(named: text))) }
      }
    case .arguments(let arguments, var used, _, let stage):
      guard stage != .value else { return valueEnded() }
      used.insert(text)
      let type = arguments.first { $0.name == text }?.type
      replaceTop(.arguments(arguments, used: used, expecting: type, stage: .colon))
    case .object(let type, var used, _, let stage):
      guard stage != .value else { return valueEnded() }
      used.insert(text)
      let field = type?.inputFields.first { $0.name == text }
      replaceTop(.object(type, used: used, expecting: field?.type, stage: .colon))
    case .list, .typeSystem: break
    case .variableDefinitions(let stage, _):
      if stage == .type {
        let type = schema?.type(named: text)?.reference
        replaceTop(.variableDefinitions(.afterType, type: type))
      } else if stage == .value {
        replaceTop(.variableDefinitions(.dollar, type: nil))
      }
    }
  }

  private mutating func readDefinitionKeyword(_ text: String) {
    switch text {
    case "query": stack.append(.operation(root: schema?.queryType, location: .query))
    case "mutation": stack.append(.operation(root: schema?.mutationType, location: .mutation))
    case "subscription": stack.append(.operation(root: schema?.subscriptionType, location: .subscription))
    case "fragment": stack.append(.fragment(type: nil, sawOn: false, sawType: false))
    case "extend", "schema", "type", "interface", "union", "enum", "input", "scalar", "directive":
      stack.append(.typeSystem(TypeSystemReader(keyword: text)))
    default: break
    }
  }

  private mutating func openBrace() {
    if case .arguments(_, _, let type, .value) = stack.last { return pushObject(type) }
    if case .object(_, _, let type, .value) = stack.last { return pushObject(type) }
    if case .list(let type) = stack.last { return pushObject(type) }
    if case .variableDefinitions(.value, let type) = stack.last { return pushObject(type) }
    while case .directive = stack.last { stack.removeLast() }
    switch stack.last ?? .document {
    case .document: stack.append(.selectionSet(schema?.queryType))
    case .operation(let root, _): stack.append(.selectionSet(root))
    case .fragment(let type, _, _): stack.append(.selectionSet(type))
    case .field(let field): stack.append(.selectionSet(field?.type.definition))
    case .spread(let parent, let type, _): stack.append(.selectionSet(type ?? parent))
    case .selectionSet(let type): stack.append(.selectionSet(type))
    case .arguments, .object, .variableDefinitions:
      // An opening brace where none can be: the arguments were never closed. Go on as if they were.
      while let last = stack.last, !last.bearsSelectionSet { stack.removeLast() }
      if stack.isEmpty { stack = [.document] }
      openBrace()
    case .list, .directive, .typeSystem: break
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
      if case .selectionSet = last { break }
    }
    // The selection set ends what bore it: a field, a spread or a definition.
    switch stack.last {
    case .field, .spread, .operation, .fragment: stack.removeLast()
    default: break
    }
    if stack.isEmpty { stack = [.document] }
  }

  private mutating func openParenthesis() {
    switch stack.last {
    case .operation, .fragment(_, sawOn: false, _): stack.append(.variableDefinitions(.dollar, type: nil))
    case .spread(_, nil, .named): stack.append(.arguments([], used: [], expecting: nil, stage: .name))
    case .field(let field):
      stack.append(.arguments(field?.arguments ?? [], used: [], expecting: nil, stage: .name))
    case .directive(let arguments, _):
      stack.append(.arguments(arguments, used: [], expecting: nil, stage: .name))
    default: break
    }
  }

  private mutating func closeParenthesis() {
    while let last = stack.last {
      switch last {
      case .arguments, .variableDefinitions:
        stack.removeLast()
        return
      case .object, .list, .directive: stack.removeLast()
      default: return
      }
    }
  }

  private mutating func openBracket() {
    switch stack.last {
    case .arguments(_, _, let type, .value), .object(_, _, let type, .value): stack.append(.list(type?.elementType))
    case .list(let type): stack.append(.list(type?.elementType))
    case .variableDefinitions(.value, let type): stack.append(.list(type?.elementType))
    default: break
    }
  }

  private mutating func closeBracket() {
    if case .list = stack.last {
      stack.removeLast()
      valueEnded()
    }
  }

  private mutating func readColon() {
    switch stack.last {
    case .arguments(let arguments, let used, let type, .colon):
      replaceTop(.arguments(arguments, used: used, expecting: type, stage: .value))
    case .object(let type, let used, let expecting, .colon):
      replaceTop(.object(type, used: used, expecting: expecting, stage: .value))
    case .variableDefinitions(.name, let type): replaceTop(.variableDefinitions(.type, type: type))
    case .field:
      // What was read as a field was an alias.
      stack.removeLast()
    default: break
    }
  }

  private mutating func valueEnded() {
    switch stack.last {
    case .arguments(let arguments, let used, _, .value):
      replaceTop(.arguments(arguments, used: used, expecting: nil, stage: .name))
    case .object(let type, let used, _, .value):
      replaceTop(.object(type, used: used, expecting: nil, stage: .name))
    case .variableDefinitions(.value, _): replaceTop(.variableDefinitions(.dollar, type: nil))
    default: break
    }
  }

  private mutating func unwindToSelection() {
    while let last = stack.last {
      switch last {
      case .field, .spread, .directive, .arguments, .object, .list: stack.removeLast()
      default: return
      }
    }
  }
}

extension CursorContextReader.Level {
  fileprivate var bearsSelectionSet: Bool {
    switch self {
    case .document, .operation, .fragment, .field, .spread, .selectionSet: true
    default: false
    }
  }
}
