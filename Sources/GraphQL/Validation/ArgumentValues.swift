import ApusGraphQLLanguage
import ApusGraphQLSchema

/// Numbers for the values of arguments: equal values have equal numbers, in any document order of names. The variables
/// of a fragment are replaced by the values that its spread passes, as the reference implementation does.
final class ArgumentValues {
  /// The number of the values that the variables of a fragment have in the place where it is spread.
  typealias Scope = UInt32

  /// The scope of operations and of fragments that declare no variables.
  static let operationScope: Scope = 0

  /// The part of a budget that a new scope uses, where a field uses one.
  static let scopeCost = 256

  private enum Value: Hashable {
    case variable(NameID)
    /// A variable of a fragment that has neither a value nor a default.
    case unset(fragment: NameID, variable: NameID)
    case string(String, isBlock: Bool)
    case literal(String)
    case list([Int32])
    case members([Member])
  }

  private struct Member: Hashable {
    let name: NameID
    let value: Int32
  }

  private struct ScopeKey: Hashable {
    let fragment: NameID
    /// The number of the values passed; nil inside the definition of the fragment, where they are unknown.
    let passed: Int32?
  }

  private struct FieldKey: Hashable {
    let field: NodeID
    let scope: Scope
  }

  private let context: ValidationContext
  private var numbers: [Value: Int32] = [:]
  private var scopeOfKey: [ScopeKey: Scope] = [:]
  /// The key of each scope and the values passed in it, by the name of the variable.
  private var scopes: [(key: ScopeKey, passed: [NameID: Int32])] = [(ScopeKey(fragment: 0, passed: nil), [:])]
  private var argumentsOfField: [FieldKey: Int32] = [:]

  init(_ context: ValidationContext) { self.context = context }

  /// Returns one number that identifies all arguments of a field together.
  func arguments(of field: FieldNode, in scope: Scope) -> Int32 {
    let key = FieldKey(field: field.id, scope: scope)
    if let number = argumentsOfField[key] { return number }
    let number = number(of: field.arguments, in: scope)
    argumentsOfField[key] = number
    return number
  }

  // MARK: Scopes

  /// The number of scopes, which grows with the work that was done.
  var scopeCount: Int { scopes.count }

  /// Returns the scope of a fragment's selections where it is spread in another scope.
  func scope(of spread: FragmentSpreadNode, in scope: Scope) -> Scope {
    let name = context.nameID(of: spread)
    guard let variables = context.fragmentVariables[name] else { return Self.operationScope }
    let passed = context.fragmentArguments(of: spread).filter { variables[context.nameID(of: $0.name)] != nil }
    let key = ScopeKey(fragment: name, passed: number(of: passed, in: scope))
    return self.scope(key) {
      Dictionary(passed.map { (context.nameID(of: $0.name), number($0.value, scope)) }) { $1 }
    }
  }

  /// Returns the scope of a fragment's selections by themselves.
  func scope(of fragment: FragmentDefinitionNode) -> Scope {
    guard context.fragmentVariables(of: fragment) != nil else { return Self.operationScope }
    return scope(ScopeKey(fragment: context.nameID(of: fragment.name), passed: nil)) { [:] }
  }

  private func scope(_ key: ScopeKey, _ passed: () -> [NameID: Int32]) -> Scope {
    if let scope = scopeOfKey[key] { return scope }
    scopes.append((key, passed()))
    scopeOfKey[key] = Scope(scopes.count - 1)
    return Scope(scopes.count - 1)
  }

  // MARK: Values

  private func number(_ value: Value) -> Int32 {
    if let number = numbers[value] { return number }
    numbers[value] = Int32(numbers.count)
    return Int32(numbers.count - 1)
  }

  /// Returns the number of named values: arguments, or the fields of an object.
  private func number(of members: [some NamedValueNode], in scope: Scope) -> Int32 {
    let sorted = members.sorted {
      (context.nameID(of: $0.name), $0.id) < (context.nameID(of: $1.name), $1.id)
    }
    return number(.members(sorted.map { Member(name: context.nameID(of: $0.name), value: number($0.value, scope)) }))
  }

  private func number(_ value: ValueNode, _ scope: Scope) -> Int32 {
    switch value.kind {
    case .variable: number(of: VariableNode(value.document, value.id), in: scope)
    case .string: number(.string(value.stringValue, isBlock: value.isBlockString))
    case .list: number(.list(value.elements.map { number($0, scope) }))
    case .object: number(of: value.fields, in: scope)
    case .int, .float, .boolean, .null, .enum: number(.literal(value.text))
    }
  }

  private func number(of variable: VariableNode, in scope: Scope) -> Int32 {
    let name = context.nameID(of: variable)
    let (key, passed) = scopes[Int(scope)]
    guard scope != Self.operationScope, let declared = context.fragmentVariables[key.fragment]?[name] else {
      return number(.variable(name))
    }
    if let value = passed[name] { return value }
    guard key.passed != nil, let value = declared.defaultValue else {
      return number(.unset(fragment: key.fragment, variable: name))
    }
    return number(value, Self.operationScope)
  }
}
