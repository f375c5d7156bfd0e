import ApusGraphQLLanguage
import ApusGraphQLSchema

/// Editor features for the JSON object with the values of an operation's variables: `{"id": "b42"}`.
package struct VariablesService: Sendable {
  package let text: VariablesSyntaxTree
  package let operation: OperationDefinitionNode?
  package let schema: Schema?

  package init(variables: String, operation: OperationDefinitionNode?, schema: Schema?) {
    text = VariablesSyntaxTree(variables)
    self.operation = operation
    self.schema = schema
  }

  var definitions: [VariableDefinitionNode] { operation?.variableDefinitions ?? [] }

  func definition(named name: String) -> VariableDefinitionNode? {
    definitions.first { $0.variable.name.hasValue(name) }
  }

  /// The kind of text that is expected at a position.
  enum ExpectedSyntax {
    /// The name of a variable; `used` contains the existing names.
    case variableName(used: Set<String>)
    case inputField(of: TypeDefinition, used: Set<String>)
    case value(of: TypeReference?)
    case unknown
  }

  /// The target at a byte offset: the expected kind, the existing name or value, and its definition.
  struct CursorTarget {
    var place: ExpectedSyntax
    /// The byte range, including quotes; empty if nothing is written yet.
    var range: Range<Int>
    var variable: VariableDefinitionNode?
    var field: InputValueDefinition?
    /// Whether a colon already follows the name.
    var hasColon = false
  }

  func find(_ offset: Int) -> CursorTarget? {
    guard let root = text.root, root.range.lowerBound < offset else { return nil }
    guard case .object(let members) = root.content, offset < root.range.upperBound || !root.isClosed else { return nil }
    let used = Set(members.map(\.name))
    guard let member = member(at: offset, in: members) else {
      return CursorTarget(place: .variableName(used: used), range: offset..<offset)
    }
    let variable = definition(named: member.name)
    if offset <= member.nameRange.upperBound, member.colon.map({ offset <= $0 }) ?? true {
      return CursorTarget(
        place: .variableName(used: used.subtracting([member.name])), range: member.nameRange, variable: variable,
        hasColon: member.colon != nil)
    }
    let type = variable.flatMap { NodeTypeResolver.reference($0.type, schema) }
    return find(offset, in: member.value, of: type, variable: variable, field: nil)
  }

  private func find(
    _ offset: Int, in value: VariablesNode?, of type: TypeReference?, variable: VariableDefinitionNode?,
    field: InputValueDefinition?
  ) -> CursorTarget {
    var here = CursorTarget(place: .value(of: type), range: offset..<offset, variable: variable, field: field)
    guard let value, value.range.lowerBound <= offset, offset <= value.range.upperBound || !value.isClosed else {
      return here
    }
    let isInside = value.range.lowerBound < offset && (offset < value.range.upperBound || !value.isClosed)
    switch value.content {
    case .object(let members) where isInside:
      let element = type.map(Self.innermost)?.definition
      guard let element, element.kind == .inputObject else {
        return CursorTarget(place: .unknown, range: offset..<offset)
      }
      let used = Set(members.map(\.name))
      guard let member = member(at: offset, in: members) else {
        return CursorTarget(place: .inputField(of: element, used: used), range: offset..<offset)
      }
      let definition = element.inputField(named: member.name)
      if offset <= member.nameRange.upperBound, member.colon.map({ offset <= $0 }) ?? true {
        return CursorTarget(
          place: .inputField(of: element, used: used.subtracting([member.name])), range: member.nameRange,
          field: definition, hasColon: member.colon != nil)
      }
      return find(offset, in: member.value, of: definition?.type, variable: variable, field: definition)
    case .array(let elements) where isInside:
      let element = elements.last { $0.range.lowerBound <= offset && offset <= $0.range.upperBound }
      return find(offset, in: element, of: type?.elementType, variable: variable, field: field)
    case .object, .array: return CursorTarget(place: .unknown, range: offset..<offset)
    default:
      here.range = value.range
      return here
    }
  }

  private static func innermost(_ type: TypeReference) -> TypeReference { type.elementType.map(innermost) ?? type }

  /// Returns the member that contains an offset, or whose missing or incomplete value is at the offset.
  private func member(at offset: Int, in members: [VariablesNode.Member]) -> VariablesNode.Member? {
    guard let member = members.last(where: { $0.nameRange.lowerBound <= offset }) else { return nil }
    if offset <= member.range.upperBound { return member }
    if member.value == nil, member.colon != nil { return member }
    if let value = member.value, !value.isClosed { return member }
    return nil
  }
}
