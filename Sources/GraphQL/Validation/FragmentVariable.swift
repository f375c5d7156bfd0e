import ApusGraphQLLanguage
import ApusGraphQLSchema

/// A variable that a fragment declares, in the parentheses after its name or with Relay's `@argumentDefinitions`.
struct FragmentVariable {
  /// The ID of the name in the document.
  let name: UInt32
  /// The declaring node: a variable definition, or an argument of the directive.
  let node: NodeID
  /// The declared type; `unknown` if the schema does not define it as an input type.
  let type: PackedType
  /// The literal that is used if a spread passes no value.
  let defaultValue: NodeID?
  /// Whether a spread may omit the variable although its type is non-null.
  let hasDefault: Bool

  /// The expected type of an argument for the variable.
  var expected: PackedType { hasDefault ? type.nullable : type }
  var isRequired: Bool { type.isNonNull && !hasDefault }
}

/// The variables of one fragment, in order.
struct FragmentVariables {
  private(set) var all: [FragmentVariable] = []
  private var indices: [UInt32: Int] = [:]

  mutating func append(_ variable: FragmentVariable) {
    if indices[variable.name] == nil { indices[variable.name] = all.count }
    all.append(variable)
  }

  subscript(name: UInt32) -> FragmentVariable? { indices[name].map { all[$0] } }
}

extension ValidationContext {
  /// Collects the variables that fragments declare.
  func findFragmentVariables() {
    for fragment in document.children(of: 0) where kind(fragment) == .fragmentDefinition {
      let name = nameOf[bodyID(fragment)]
      var variables = FragmentVariables()
      for child in document.children(of: fragment) {
        switch kind(child) {
        case .variableDefinition: variables.append(declared(child))
        case .directive where self.name(child + 1) == "argumentDefinitions":
          for variable in children(child, .argument).compactMap(declaredFragmentVariable) { variables.append(variable) }
        default: break
        }
      }
      if !variables.all.isEmpty, name != Self.none { fragmentVariables[name] = variables }
    }
  }

  private func declared(_ id: NodeID) -> FragmentVariable {
    let definition = VariableDefinitionNode(document, id)
    return FragmentVariable(
      name: nameOf[bodyID(id) + 1], node: id, type: inputType(definition.type),
      defaultValue: definition.defaultValue?.id, hasDefault: definition.defaultValue.map { $0.kind != .null } ?? false)
  }

  /// Returns the variable that an argument of `@argumentDefinitions` declares.
  func declaredFragmentVariable(_ id: NodeID) -> FragmentVariable? {
    let fields = ValueNode(document, next(id + 1)).fields
    guard let type = fields.first(where: { $0.name.hasValue("type") })?.value, type.kind == .string else { return nil }
    let declaration = Document(parsing: "query ($v: \(type.stringValue)) { a }", name: "type")
    let definitions = declaration.operations.first?.variableDefinitions ?? []
    let isType = declaration.diagnostics.isEmpty && declaration.definitions.count == 1 && definitions.count == 1
    let value = fields.first { $0.name.hasValue("defaultValue") || $0.name.hasValue("provider") }?.value
    return FragmentVariable(
      name: nameOf[Int(id) + 1], node: id, type: isType ? inputType(definitions[0].type) : Self.unknown,
      defaultValue: fields.first { $0.name.hasValue("defaultValue") }?.value.id,
      hasDefault: value.map { $0.kind != .null } ?? false)
  }

  /// Returns the schema's type for a type reference in any document.
  private func inputType(_ reference: TypeNode) -> PackedType {
    guard let name = storage.names.find(reference.name) else { return Self.unknown }
    var type = PackedType(name: name, wrappers: 0)
    guard let index = self.type(of: type), isInput(index) else { return Self.unknown }
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

  /// Returns the variable with a name that the spread fragment declares.
  func fragmentVariable(of spread: NodeID, named name: UInt32) -> FragmentVariable? {
    fragmentVariables[nameOf[Int(spread) + 1]]?[name]
  }

  /// Returns the arguments of a spread, in parentheses or in Relay's `@arguments`.
  func fragmentArguments(of spread: NodeID) -> [NodeID] {
    document.children(of: spread).flatMap { child in
      switch kind(child) {
      case .argument: [child]
      case .directive where takesFragmentArguments(child): children(child, .argument)
      default: [NodeID]()
      }
    }
  }

  func takesFragmentArguments(_ directive: NodeID) -> Bool {
    directiveDefinition(of: directive)?.takesFragmentArguments == true
  }

  /// Returns the variable uses in a definition without those of the fragment's own variables.
  func withoutFragmentVariables(_ uses: ArraySlice<NodeID>, of definition: NodeID) -> [NodeID] {
    guard !fragmentVariables.isEmpty, let declaredVariables = fragmentVariables(of: definition) else {
      return Array(uses)
    }
    return uses.filter { declaredVariables[nameOf[Int($0) + 1]] == nil }
  }

  /// Returns the variables that a fragment declares; `nil` for an operation.
  func fragmentVariables(of definition: NodeID) -> FragmentVariables? {
    kind(definition) == .fragmentDefinition ? fragmentVariables[nameOf[bodyID(definition)]] : nil
  }
}
