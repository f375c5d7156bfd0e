import ApusGraphQLLanguage
import ApusGraphQLSchema

/// A variable that a fragment declares, in the parentheses after its name (`fragment Card($size: Int) on Bird`) or with
/// Relay's `@argumentDefinitions`.
struct FragmentVariable {
  /// The ID of the name in the document.
  let name: NameID
  /// The declaring node: a variable definition, or an argument of the directive.
  let node: AnyNode
  /// The declared type; `unknown` if the schema does not define it as an input type.
  let type: PackedType
  /// The literal that is used if a spread passes no value.
  let defaultValue: ValueNode?
  /// Whether a spread may omit the variable although its type is non-null.
  let hasDefault: Bool

  /// The expected type of an argument for the variable.
  var expected: PackedType { hasDefault ? type.nullable : type }
  var isRequired: Bool { type.isNonNull && !hasDefault }
}

/// The variables of one fragment, in order.
struct FragmentVariables {
  private(set) var all: [FragmentVariable] = []
  private var indices: [NameID: Int] = [:]

  mutating func append(_ variable: FragmentVariable) {
    if indices[variable.name] == nil { indices[variable.name] = all.count }
    all.append(variable)
  }

  subscript(name: NameID) -> FragmentVariable? { indices[name].map { all[$0] } }
}

extension ValidationContext {
  /// Collects the variables that fragments declare.
  func findFragmentVariables() {
    for fragment in document.fragments {
      var variables = FragmentVariables()
      for definition in fragment.variableDefinitions { variables.append(declared(definition)) }
      let declaring = schema?.has(.houdini) == true ? "arguments" : "argumentDefinitions"
      for directive in fragment.directives where directive.name.hasValue(declaring) {
        for variable in directive.arguments.compactMap(declaredFragmentVariable) { variables.append(variable) }
      }
      let name = nameID(of: fragment.name)
      if !variables.all.isEmpty, name != Self.none { fragmentVariables[name] = variables }
    }
  }

  private func declared(_ definition: VariableDefinitionNode) -> FragmentVariable {
    FragmentVariable(
      name: nameID(of: definition), node: definition.erased, type: inputType(definition.type),
      defaultValue: definition.defaultValue, hasDefault: definition.defaultValue.map { $0.kind != .null } ?? false)
  }

  /// Returns the variable that an argument of `@argumentDefinitions` declares:
  /// `count: { type: "Int", defaultValue: 10 }`.
  func declaredFragmentVariable(_ argument: ArgumentNode) -> FragmentVariable? {
    let fields = argument.value.fields
    guard let type = fields.first(where: { $0.name.hasValue("type") })?.value, type.kind == .string else { return nil }
    let declaration = Document(parsing: "query ($v: \(type.stringValue)) { a }", name: "type")
    let definitions = declaration.operations.first?.variableDefinitions ?? []
    let isType = declaration.diagnostics.isEmpty && declaration.definitions.count == 1 && definitions.count == 1
    let value = fields.first { ["defaultValue", "provider", "default"].contains($0.name.value) }?.value
    return FragmentVariable(
      name: nameID(of: argument.name), node: argument.erased,
      type: isType ? inputType(definitions[0].type) : Self.unknown,
      defaultValue: fields.first { $0.name.hasValue("defaultValue") || $0.name.hasValue("default") }?.value,
      hasDefault: value.map { $0.kind != .null } ?? false)
  }

  /// Returns the schema's type for a type reference in any document.
  private func inputType(_ reference: TypeNode) -> PackedType {
    guard let name = storage.names.find(reference.name) else { return Self.unknown }
    var type = PackedType(name: name, wrappers: 0)
    guard let index = typeIndex(named: name), isInput(index) else { return Self.unknown }
    var node: TypeNode? = reference
    var shift: UInt32 = 0
    while let current = node, shift < 2 * UInt32(PackedType.maximumListDepth) {
      switch current.kind {
      case .nonNull: type.wrappers |= 1 << shift
      case .list:
        type.wrappers |= 2 << shift
        shift += 2
      case .named: break
      }
      node = current.ofType
    }
    return type
  }

  /// Returns the variable of the spread fragment that an argument of the spread is for.
  func fragmentVariable(of spread: FragmentSpreadNode, for argument: ArgumentNode) -> FragmentVariable? {
    fragmentVariables[nameID(of: spread)]?[nameID(of: argument.name)]
  }

  /// Returns the arguments of a spread, in parentheses or in Relay's `@arguments`.
  func fragmentArguments(of spread: FragmentSpreadNode) -> [ArgumentNode] {
    spread.arguments + spread.directives.filter(takesFragmentArguments).flatMap(\.arguments)
  }

  func takesFragmentArguments(_ directive: DirectiveNode) -> Bool {
    directiveDefinition(of: directive)?.takesFragmentArguments == true
  }

  /// Returns the variables that a fragment declares; `nil` if it declares none.
  func fragmentVariables(of fragment: FragmentDefinitionNode) -> FragmentVariables? {
    fragmentVariables[nameID(of: fragment.name)]
  }
}
