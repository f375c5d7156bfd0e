import ApusGraphQLLanguage
import ApusGraphQLSchema

/// The written members in the brackets of a definition, with the name, type and default value of the last one.
struct MemberList {
  enum Kind { case variable, argument, field, inputField, enumValue, rootOperation }
  enum Stage { case name, colon, type, afterType, value }

  let kind: Kind
  private(set) var stage = Stage.name
  private var type = WrittenType()
  private var names: Set<String> = []

  /// Interfaces of the type, whose fields it must have.
  private let interfaces: Set<String>

  init(_ kind: Kind, interfaces: Set<String> = []) {
    self.kind = kind
    self.interfaces = interfaces
  }

  /// Whether the members are in parentheses instead of braces.
  var isInParentheses: Bool { kind == .variable || kind == .argument }

  /// The location of directives after a member.
  var directiveLocation: DirectiveLocation? {
    switch kind {
    case .variable: .variableDefinition
    case .argument: .argumentDefinition
    case .field: .fieldDefinition
    case .inputField: .inputFieldDefinition
    case .enumValue: .enumValue
    case .rootOperation: nil
    }
  }

  mutating func beginMember(_ name: String) {
    names.insert(name)
    type = WrittenType()
    stage = kind == .enumValue ? .afterType : .colon
  }

  mutating func read(name text: String) {
    switch stage {
    case .type:
      type.read(.name, text)
      stage = .afterType
    case .value: valueEnded()
    case .name, .colon, .afterType:
      // The name of a variable follows a `$`.
      if kind != .variable { beginMember(text) }
    }
  }

  /// Reads punctuation. A colon after a type shows that the "type" was the name of the next member.
  mutating func read(_ kind: TokenKind) {
    switch (kind, stage) {
    case (.colon, .colon), (.colon, .afterType):
      type = WrittenType()
      stage = self.kind == .enumValue ? .name : .type
    case (.equals, .afterType) where self.kind != .field && self.kind != .enumValue && self.kind != .rootOperation:
      stage = .value
    case (_, .type), (_, .afterType): type.read(kind, "")
    default: break
    }
  }

  mutating func valueEnded() { stage = .name }

  /// The type of the default value.
  func valueType(in schema: Schema?) -> TypeReference? { stage == .value ? type.reference(in: schema) : nil }

  func context(in schema: Schema?) -> CursorContext {
    switch (stage, kind) {
    case (.type, .variable): .variableType
    case (.type, .argument), (.type, .inputField): .typeName(.input)
    case (.type, .field): .typeName(.output)
    case (.type, .rootOperation): .typeName(.root)
    case (.name, .rootOperation), (.afterType, .rootOperation): .rootOperation(used: names)
    case (.name, .field) where !interfaces.isEmpty, (.afterType, .field) where !interfaces.isEmpty:
      .interfaceField(interfaces: interfaces, used: names)
    case (.value, _): .value(type: type.reference(in: schema), inConstant: true)
    default: .nothing
    }
  }
}

/// A type that is being typed: `[Bird`, `[Bird!`.
struct WrittenType {
  private var name: String?
  private var openLists = 0
  private var wrappers: UInt32 = 0

  mutating func read(_ kind: TokenKind, _ text: String) {
    switch kind {
    case .name: name = text
    case .bracketLeft: openLists += 1
    case .bracketRight where openLists > 0:
      openLists -= 1
      wrappers = wrappers << 2 | 2
    case .bang: wrappers |= 1
    default: break
    }
  }

  /// Returns the type as if all open lists were closed; `nil` if the schema does not define its named type.
  func reference(in schema: Schema?) -> TypeReference? {
    guard let schema, let name, let type = schema.type(named: name) else { return nil }
    var wrappers = wrappers
    for _ in 0..<min(openLists, 16) { wrappers = wrappers << 2 | 2 }
    return TypeReference(schema: schema, packed: PackedType(name: type.nameID, wrappers: wrappers))
  }
}
