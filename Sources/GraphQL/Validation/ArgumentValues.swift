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
    case variable(UInt32)
    /// A variable of a fragment that has neither a value nor a default.
    case unset(fragment: UInt32, variable: UInt32)
    case string(String, isBlock: Bool)
    case literal(String)
    case list([Int32])
    case members([Member])
  }

  private struct Member: Hashable {
    let name: UInt32
    let value: Int32
  }

  private struct ScopeKey: Hashable {
    let fragment: UInt32
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
  private var scopes: [(key: ScopeKey, passed: [UInt32: Int32])] = [(ScopeKey(fragment: 0, passed: nil), [:])]
  private var argumentsOfField: [FieldKey: Int32] = [:]

  init(_ context: ValidationContext) { self.context = context }

  /// Returns one number that identifies all arguments of a field together.
  func arguments(of field: NodeID, in scope: Scope) -> Int32 {
    let key = FieldKey(field: field, scope: scope)
    if let existing = argumentsOfField[key] { return existing }
    let number = number(of: context.arguments(of: field), in: scope)
    argumentsOfField[key] = number
    return number
  }

  // MARK: Scopes

  /// The number of scopes, which grows with the work that was done.
  var scopeCount: Int { scopes.count }

  /// Returns the scope of a fragment's selections where it is spread in another scope.
  func scope(ofSpread spread: NodeID, in scope: Scope) -> Scope {
    guard let variables = context.fragmentVariables[context.nameID(of: spread)] else { return Self.operationScope }
    let passed = context.fragmentArguments(of: spread).filter { variables[context.nameID(of: $0)] != nil }
    let key = ScopeKey(fragment: context.nameID(of: spread), passed: number(of: passed, in: scope))
    return self.scope(key) {
      Dictionary(passed.map { (context.nameID(of: $0), number($0 + 2, scope)) }) { $1 }
    }
  }

  /// Returns the scope of a definition's selections by themselves.
  func scope(ofDefinition definition: NodeID) -> Scope {
    guard context.fragmentVariables(of: definition) != nil else { return Self.operationScope }
    return scope(ScopeKey(fragment: context.nameOf[context.bodyID(definition)], passed: nil)) { [:] }
  }

  private func scope(_ key: ScopeKey, _ passed: () -> [UInt32: Int32]) -> Scope {
    if let existing = scopeOfKey[key] { return existing }
    scopes.append((key, passed()))
    scopeOfKey[key] = Scope(scopes.count - 1)
    return Scope(scopes.count - 1)
  }

  // MARK: Values

  private func number(_ value: Value) -> Int32 {
    if let existing = numbers[value] { return existing }
    numbers[value] = Int32(numbers.count)
    return Int32(numbers.count - 1)
  }

  /// Returns the number of named values: arguments, or the fields of an object.
  private func number(of members: [NodeID], in scope: Scope) -> Int32 {
    let sorted = members.sorted { (context.nameID(of: $0), $0) < (context.nameID(of: $1), $1) }
    return number(.members(sorted.map { Member(name: context.nameID(of: $0), value: number($0 + 2, scope)) }))
  }

  private func number(_ value: NodeID, _ scope: Scope) -> Int32 {
    switch context.kind(value) {
    case .variable: return number(ofVariable: context.nameID(of: value), in: scope)
    case .stringValue:
      let string = ValueNode(context.document, value)
      return number(.string(string.stringValue, isBlock: string.isBlockString))
    case .listValue: return number(.list(context.document.children(of: value).map { number($0, scope) }))
    case .objectValue: return number(of: context.children(value, .objectField), in: scope)
    default: return number(.literal(context.text(value)))
    }
  }

  private func number(ofVariable name: UInt32, in scope: Scope) -> Int32 {
    let (key, passed) = scopes[Int(scope)]
    guard scope != Self.operationScope, let variable = context.fragmentVariables[key.fragment]?[name] else {
      return number(.variable(name))
    }
    if let value = passed[name] { return value }
    guard key.passed != nil, let value = variable.defaultValue else {
      return number(.unset(fragment: key.fragment, variable: name))
    }
    return number(value, Self.operationScope)
  }
}
