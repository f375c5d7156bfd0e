import ApusGraphQLLanguage
import ApusGraphQLSchema

/// Finds the context of a cursor by reading the tokens before it. Instead of the syntax tree it uses a small stack, so
/// that incomplete or invalid text does not affect it.
struct CursorContextReader {
  enum Level {
    case document
    /// The header of an operation, with its root type.
    case operation(root: TypeDefinition?, location: DirectiveLocation)
    case fragment(FragmentStage, type: TypeDefinition?)
    case selectionSet(TypeDefinition?)
    /// A field after its name.
    case field(FieldDefinition?)
    case spread(parent: TypeDefinition?, type: TypeDefinition?, stage: SpreadStage)
    case arguments([InputValueDefinition], used: Set<String>, expecting: TypeReference?, stage: ArgumentStage)
    case object(TypeDefinition?, used: Set<String>, expecting: TypeReference?, stage: ArgumentStage)
    case list(TypeReference?)
    /// A directive at a location, whose arguments may follow, with the names of all directives there.
    case directive([InputValueDefinition], location: DirectiveLocation?, names: Set<String>)
    /// The header of a definition of the schema language.
    case definition(DefinitionHeader)
    case members(MemberList)
  }
  enum FragmentStage { case name, on, type, end }
  enum SpreadStage { case dots, on, named }
  enum ArgumentStage { case name, colon, value }

  let document: Document
  let schema: Schema?
  var stack: [Level] = [.document]
  /// The last token if it was `@` or `$`, so that the cursor is at a name: `@def` in `bird @def`.
  var sigil: TokenKind?
  /// Whether the last token was a description.
  var isDescribed = false
  /// The name of the fragment that was spread last.
  var spreadName = ""

  private init(document: Document, schema: Schema?) {
    self.document = document
    self.schema = schema
  }

  /// Returns the context of a cursor.
  ///
  /// - Parameter tokens: The tokens that end before the word being typed.
  static func context(
    after tokens: some Sequence<Token>, in document: Document, schema: Schema?
  ) -> CursorContext {
    var reader = CursorContextReader(document: document, schema: schema)
    for token in tokens where token.kind != .comment {
      reader.read(token.kind, token.kind == .name ? document.source.text(token.range) : "")
    }
    return reader.context
  }
}

extension CursorContextReader {
  /// Whether variables are invalid here: in the default value of a variable, or in the schema language.
  private var isConstant: Bool {
    stack.contains {
      switch $0 {
      case .members, .definition: true
      case .document, .operation, .fragment, .selectionSet, .field, .spread, .arguments, .object, .list, .directive:
        false
      }
    }
  }

  private var context: CursorContext {
    let level = stack.last ?? .document
    switch sigil {
    case .at:
      guard let location = directiveLocation(level) else { return .nothing }
      guard case .directive(_, _, let names) = level else {
        return .directive(location: location, used: [], field: directedField)
      }
      return .directive(location: location, used: names, field: directedField)
    case .dollar where !isConstant:
      switch level {
      case .arguments(_, _, let type, .value), .object(_, _, let type, .value), .list(let type):
        return .variable(type: type)
      case .document, .operation, .fragment, .selectionSet, .field, .spread, .arguments, .object, .directive,
        .definition,
        .members:
        return .nothing
      }
    case .dollar: return .nothing
    default: return context(of: level)
    }
  }

  /// The field that directives at the cursor apply to.
  private var directedField: FieldDefinition? {
    for level in stack.reversed() {
      switch level {
      case .field(let field): return field
      case .directive: continue
      case .document, .operation, .fragment, .selectionSet, .spread, .arguments, .object, .list, .definition, .members:
        return nil
      }
    }
    return nil
  }

  private func context(of level: Level) -> CursorContext {
    switch level {
    case .document: .definition(isDescribed: isDescribed)
    case .operation: .nothing
    case .fragment(let stage, _):
      switch stage {
      case .name, .end: .nothing
      case .on: .keywords(["on"])
      case .type: .typeCondition(parent: nil)
      }
    case .selectionSet(let type): .selection(parent: type)
    case .field, .directive: contextAfterDirectives
    case .spread(let parent, _, let stage):
      switch stage {
      case .dots: .spread(parent: parent)
      case .on: .typeCondition(parent: parent)
      case .named: contextAfterDirectives
      }
    case .arguments(let arguments, let used, let type, let stage):
      switch stage {
      case .name: .argumentName(arguments: arguments, used: used)
      case .colon: .nothing
      case .value: .value(type: type, inConstant: isConstant)
      }
    case .object(let type, let used, let expecting, let stage):
      switch stage {
      case .name: .inputField(type: type, used: used)
      case .colon: .nothing
      case .value: .value(type: expecting, inConstant: isConstant)
      }
    case .list(let type): .value(type: type, inConstant: isConstant)
    case .definition(let header): header.context
    case .members(let members): members.context(in: schema)
    }
  }

  /// The context after a selection, or after directives.
  private var contextAfterDirectives: CursorContext {
    for level in stack.reversed() {
      switch level {
      case .selectionSet(let type): return .selection(parent: type)
      case .operation, .fragment: return .nothing
      case .members(let members): return members.context(in: schema)
      // Only the locations of a directive definition can follow directives in a header.
      case .definition(let header): return header.keyword == .directive ? header.context : .ending([])
      case .document, .field, .spread, .arguments, .object, .list, .directive: continue
      }
    }
    return .definition(isDescribed: false)
  }

  /// Returns the location of a directive that begins here.
  func directiveLocation(_ level: Level) -> DirectiveLocation? {
    switch level {
    case .operation(_, let location): location
    case .fragment: .fragmentDefinition
    case .field: .field
    case .spread(_, let type, let stage): stage == .named && type == nil ? .fragmentSpread : .inlineFragment
    case .directive(_, let location, _): location
    case .definition(let header): header.keyword?.directiveLocation
    case .members(let members): members.directiveLocation
    case .document, .selectionSet, .arguments, .object, .list: nil
    }
  }
}
