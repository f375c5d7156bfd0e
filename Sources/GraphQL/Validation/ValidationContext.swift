import ApusAlgorithms
import ApusGraphQLLanguage
import ApusGraphQLSchema

/// The information about a document that the rules share, collected in one walk: its nodes by kind, and for each node
/// the type or definition that the schema has for it. Rules iterate over the lists and read the nodes through their
/// typed views.
///
/// A context is used by one task for one validation.
package final class ValidationContext {
  let document: Document
  let schema: Schema?
  private let nodes: NodeTable
  /// Tables of the schema; empty without a schema.
  let storage: SchemaStorage

  /// Names of the document. Equal names have equal IDs.
  private(set) var names: NameTable
  /// The ID of each name node, and of each enum value; `none` for other nodes.
  private var nameOf: [NameID]
  /// The schema's ID for each name of the document.
  private var schemaName: [NameID] = []

  /// The index of the definition of a field, directive, argument or input field in the schema's table for its kind; -1
  /// if there is none. See `fieldDefinition(of:)` and the following functions.
  var definitionIndex: [Int32]
  /// The index of the type that a selection or selection set belongs to (`Bird` for `name` in `{ bird { name } }`), and
  /// that a fragment is on; -1 if it is unknown. See `parentType(of:)`.
  var typeIndex: [Int32]
  /// The expected type of each value. See `inputType(of:)`.
  var expected: [PackedType]
  /// The index of the input value whose default value applies to a direct value of it; -1 for other values. See
  /// `inputValueIndex(given:)`.
  var position: [Int32]

  /// The selection set of each node; 0 if there is none.
  var selectionSetOf: [NodeID]

  var operations: NodeList<OperationDefinitionNode>
  var fragments: NodeList<FragmentDefinitionNode>
  var fields: NodeList<FieldNode>
  var spreads: NodeList<FragmentSpreadNode>
  var spreadsWithArguments: NodeList<FragmentSpreadNode>
  var inlineFragments: NodeList<InlineFragmentNode>
  var selectionSets: NodeList<SelectionSetNode>
  var arguments: NodeList<ArgumentNode>
  var directives: [AppliedDirective] = []
  /// Values other than variables.
  var values: NodeList<ValueNode>
  var variableDefinitions: NodeList<VariableDefinitionNode>
  /// Uses of variables, without their declarations.
  var variables: NodeList<VariableNode>
  /// All references to named types.
  var namedTypes: NodeList<NamedTypeNode>
  /// Definitions and extensions.
  var schemaDefinitions: NodeList<SchemaDefinitionNode>
  var typeDefinitions: NodeList<TypeDefinitionNode>
  var directiveDefinitions: NodeList<DirectiveDefinitionNode>
  /// Definitions of arguments and input fields.
  var inputValueDefinitions: [InputValueContext] = []
  /// The index plus one in `fragments` of the last fragment with each name, by the ID of the name.
  private var fragmentOfName: [Int32] = []
  /// Variables that fragments declare, by the ID of the fragment's name.
  var fragmentVariables: [NameID: FragmentVariables] = [:]
  /// The number of the last search that visited each fragment.
  private var searchOfFragment: [Int32] = []
  private var search: Int32 = 0
  /// The fragment from which the last search began, and its result. Many operations may spread the same fragment.
  private var lastSearch: (fragment: Int, found: [Int])?
  /// The field, directive or object that last provided each input value of the schema.
  private var receiverOfInputValue: [NodeID]
  private var requiredInputValues: [UInt32: [Int]] = [:]

  var rule = ""
  private var errors: [ValidationError] = []
  private var budget: ValidationBudget

  static let none = NameID.max
  static let unknown = PackedType(name: none, wrappers: 0)

  init(_ document: Document, _ schema: Schema?, _ budget: ValidationBudget) {
    self.budget = budget
    self.document = document
    self.schema = schema
    nodes = NodeTable(document)
    let nodeCount = document.nodes.count
    storage = schema?.storage ?? SchemaStorage()
    names = NameTable(minimumCapacity: nodeCount / 16)
    nameOf = [NameID](repeating: Self.none, count: nodeCount)
    definitionIndex = [Int32](repeating: -1, count: nodeCount)
    typeIndex = [Int32](repeating: -1, count: nodeCount)
    expected = [PackedType](repeating: Self.unknown, count: nodeCount)
    position = [Int32](repeating: -1, count: nodeCount)
    selectionSetOf = [NodeID](repeating: 0, count: nodeCount)
    receiverOfInputValue = [NodeID](repeating: 0, count: storage.inputValues.count)
    operations = NodeList(document)
    fragments = NodeList(document)
    fields = NodeList(document)
    spreads = NodeList(document)
    spreadsWithArguments = NodeList(document)
    inlineFragments = NodeList(document)
    selectionSets = NodeList(document)
    arguments = NodeList(document)
    values = NodeList(document)
    variableDefinitions = NodeList(document)
    variables = NodeList(document)
    namedTypes = NodeList(document)
    schemaDefinitions = NodeList(document)
    typeDefinitions = NodeList(document)
    directiveDefinitions = NodeList(document)
    internNames()
    findOwnDefinitions()
    findFragmentVariables()
    TypeVisitor(context: self).walkDocument()
    fragmentOfName = [Int32](repeating: 0, count: names.count)
    for (index, fragment) in fragments.enumerated() where nameID(of: fragment.name) != Self.none {
      fragmentOfName[Int(nameID(of: fragment.name))] = Int32(index) + 1
    }
    searchOfFragment = [Int32](repeating: 0, count: fragments.count)
  }

  private func internNames() {
    let nodes = document.nodes
    document.source.bytes.withUnsafeBufferPointer { bytes in
      for index in nodes.indices {
        let node = nodes[index]
        switch node.kind {
        case .name, .namedType, .enumValue:
          if !node.flags.contains(.isMissing) {
            nameOf[index] = names.intern(UnsafeBufferPointer(rebasing: bytes[node.range]))
          }
        default: break
        }
      }
    }
    schemaName = [NameID](repeating: Self.none, count: names.count)
    for name in 0..<names.count {
      if let shared = names.withBytes(of: NameID(name), { storage.names.find($0) }) { schemaName[name] = shared }
    }
  }

  /// If the schema is built from this document, maps its nodes to the members of the schema.
  private func findOwnDefinitions() {
    guard let documentIndex = storage.documents.firstIndex(where: { $0 === document }) else { return }
    for (index, field) in storage.fields.enumerated() where field.place.document == documentIndex {
      definitionIndex[Int(field.place.node)] = Int32(index)
    }
    for (index, value) in storage.inputValues.enumerated() where value.place.document == documentIndex {
      definitionIndex[Int(value.place.node)] = Int32(index)
    }
  }

  // MARK: Nodes

  /// Returns the index of the joined document that contains a node.
  func part(of node: some SyntaxView) -> Int { document.source.part(at: node.range.lowerBound) }

  // MARK: Parts of the schema that the document defines

  /// Types that the document defines or extends, in the order of their definition.
  private(set) lazy var ownTypes: [TypeDefinition] = schema?.types.filter { !parts(of: $0).isEmpty } ?? []

  /// Returns the definition and the extensions of a type in the document.
  func parts(of type: TypeDefinition) -> [TypeDefinitionNode] {
    storage.parts[storage.types[Int(type.index)].parts.indices]
      .filter { storage.documents[Int($0.document)] === document }.map { TypeDefinitionNode(document, $0.node) }
  }

  /// The `@oneOf` types by the index of each of their fields.
  private(set) lazy var oneOfOwners: [Int: TypeDefinition] = {
    var owners: [Int: TypeDefinition] = [:]
    for type in schema?.types ?? [] where type.isOneOf {
      for field in inputFields(of: type) { owners[field] = type }
    }
    return owners
  }()

  /// Federation directives of the document; `nil` if the schema is not a subgraph.
  private(set) lazy var subgraph = FederatedSubgraph(self)

  // MARK: Names and types

  /// Returns the ID of a name node; `none` after a syntax error.
  func nameID(of name: some SyntaxView) -> NameID { nameID(at: name.id) }
  func nameID(at id: NodeID) -> NameID { nameOf[Int(id)] }

  /// The name ID of a variable, which follows the `$`, or the fragment in a spread, which follows the `...`.
  func nameID(of variable: VariableNode) -> NameID { nameID(at: variable.id + 1) }
  func nameID(of spread: FragmentSpreadNode) -> NameID { nameID(at: spread.id + 1) }

  /// The name ID of the variable that a definition declares.
  func nameID(of definition: VariableDefinitionNode) -> NameID {
    nameID(at: definition.id + (nodes.has(.hasDescription, definition.id) ? 3 : 2))
  }

  /// Returns the schema's ID for a name, a type name or an enum value; `none` if the schema has no such name.
  func schemaNameID(of name: some SyntaxView) -> NameID { schemaNameID(at: name.id) }

  func schemaNameID(at id: NodeID) -> NameID {
    let name = nameID(at: id)
    return name == Self.none ? Self.none : schemaName[Int(name)]
  }

  /// Returns the schema's type with a name; `nil` if the schema does not define it.
  func type(named name: some SyntaxView) -> TypeDefinition? { type(at: typeIndex(named: schemaNameID(of: name))) }

  /// Returns the innermost type of a type; `nil` if the schema does not define it.
  func type(of packed: PackedType) -> TypeDefinition? { type(at: typeIndex(named: packed.name)) }

  /// Returns the index of the schema's type with a name. A type that is only extended is not defined.
  func typeIndex(named name: NameID) -> UInt32? {
    guard name != Self.none else { return nil }
    let index = storage.typeOfName[Int(name)]
    return index == 0 || !storage.types[Int(index) - 1].isDefined ? nil : index - 1
  }

  private func type(at index: UInt32?) -> TypeDefinition? {
    guard let schema, let index else { return nil }
    return TypeDefinition(schema: schema, index: index)
  }

  func text(_ type: PackedType) -> String { schema?.text(type) ?? "" }

  func isComposite(_ type: UInt32) -> Bool {
    switch storage.types[Int(type)].kind {
    case .object, .interface, .union: true
    case .scalar, .enum, .inputObject: false
    }
  }

  func isInput(_ type: UInt32) -> Bool {
    switch storage.types[Int(type)].kind {
    case .scalar, .enum, .inputObject: true
    case .object, .interface, .union: false
    }
  }

  func isDefinedType(_ name: NamedTypeNode) -> Bool { typeIndex(named: schemaNameID(of: name)) != nil }

  /// Returns the schema's type for a type reference; `nil` if the schema does not define its innermost type.
  func packedType(_ reference: TypeNode) -> PackedType? { packedType(at: reference.id) }

  func packedType(at id: NodeID) -> PackedType? {
    var wrappers: UInt32 = 0
    var shift: UInt32 = 0
    var id = id
    while true {
      if nodes.has(.isNonNull, id) { wrappers |= 1 << shift }
      guard nodes.kind(id) == .listType, id + 1 < nodes.next(id) else { break }
      guard shift < 2 * UInt32(PackedType.maximumListDepth) else { return nil }
      wrappers |= 2 << shift
      shift += 2
      id += 1
    }
    let name = schemaNameID(at: id)
    return typeIndex(named: name) == nil ? nil : PackedType(name: name, wrappers: wrappers)
  }

  /// Returns the schema's type for a type reference; `nil` if the schema does not define its innermost type.
  func type(_ reference: TypeNode) -> TypeReference? {
    guard let schema else { return nil }
    return packedType(reference).map { TypeReference(schema: schema, packed: $0) }
  }

  // MARK: Fragments and variables

  /// Returns the last fragment with a name.
  func fragment(named name: NameID) -> FragmentDefinitionNode? {
    fragmentIndex(named: name).map { fragments[$0] }
  }

  func fragment(of spread: FragmentSpreadNode) -> FragmentDefinitionNode? { fragment(named: nameID(of: spread)) }

  private func fragmentIndex(named name: NameID) -> Int? {
    name == Self.none || fragmentOfName[Int(name)] == 0 ? nil : Int(fragmentOfName[Int(name)]) - 1
  }

  /// Returns the position in `fragments` of the fragment of a spread.
  private func fragmentIndex(ofSpread spread: Int) -> Int? {
    fragmentIndex(named: nameID(at: spreads.id(at: spread) + 1))
  }

  /// Whether each fragment uses variables, by itself or through the fragments that it spreads.
  private lazy var leadsToVariables: [Bool] = {
    var spreaders: [[Int]] = Array(repeating: [], count: fragments.count)
    var leads = Array(repeating: false, count: fragments.count)
    var pending: [Int] = []
    for (index, fragment) in fragments.enumerated() {
      for spread in spreads.indices(within: fragment) {
        if let inner = fragmentIndex(ofSpread: spread) { spreaders[inner].append(index) }
      }
      if !variables.indices(within: fragment).isEmpty {
        leads[index] = true
        pending.append(index)
      }
    }
    while let index = pending.popLast() {
      for outer in spreaders[index] where !leads[outer] {
        leads[outer] = true
        pending.append(outer)
      }
    }
    return leads
  }()

  /// Returns the positions in `fragments` of those with variables that an operation spreads, directly or indirectly, in
  /// the order of discovery.
  private func fragmentsWithVariables(in operation: OperationDefinitionNode) -> [Int] {
    let direct = spreads.indices(within: operation)
    guard spend(direct.count) else { return [] }
    let roots = Set(direct.compactMap { fragmentIndex(ofSpread: $0) }.filter { leadsToVariables[$0] })
    guard roots.count == 1, let root = roots.first else {
      return roots.isEmpty ? [] : fragmentsWithVariables(below: direct)
    }
    if let lastSearch, lastSearch.fragment == root { return lastSearch.found }
    let found = fragmentsWithVariables(below: direct)
    lastSearch = (root, found)
    return found
  }

  private func fragmentsWithVariables(below direct: Range<Int>) -> [Int] {
    search += 1
    var found: [Int] = []
    var pending = [direct]
    while let range = pending.popLast() {
      guard spend(range.count + 10) else { break }
      for spread in range {
        guard let index = fragmentIndex(ofSpread: spread), leadsToVariables[index], searchOfFragment[index] != search
        else { continue }
        searchOfFragment[index] = search
        if !variables.indices(within: fragments[index]).isEmpty { found.append(index) }
        pending.append(spreads.indices(within: fragments[index]))
      }
    }
    return found
  }

  /// Returns the uses of variables in an operation and its fragments, without those of the fragments' own variables.
  func variableUses(in operation: OperationDefinitionNode) -> NodeList<VariableNode> {
    var uses = NodeList<VariableNode>(document)
    let reachable = fragmentsWithVariables(in: operation)
    let direct = variables.indices(within: operation)
    guard spend(direct.count * 4) else { return uses }
    uses.append(direct, of: variables)
    for index in reachable {
      let fragment = fragments[index]
      let found = variables.indices(within: fragment)
      guard spend(found.count * 4) else { break }
      guard let declared = fragmentVariables.isEmpty ? nil : fragmentVariables(of: fragment) else {
        uses.append(found, of: variables)
        continue
      }
      for use in found.map({ variables.id(at: $0) }) where declared[nameID(at: use + 1)] == nil { uses.append(id: use) }
    }
    return uses
  }

  // MARK: Required input values

  /// Returns the required input values of a run.
  private func required(of run: MemberRun) -> [Int] {
    guard run.count > 0 else { return [] }
    if let required = requiredInputValues[run.start] { return required }
    let found = run.indices.filter {
      storage.inputValues[$0].type.isNonNull && storage.inputValues[$0].defaultValue == 0
    }
    requiredInputValues[run.start] = found
    return found
  }

  /// Returns the required input values that the given arguments or fields of a field, directive or object lack.
  func missing<Value: NamedValueNode>(of run: MemberRun, in owner: some SyntaxView, given: () -> [Value]) -> [Int] {
    let required = required(of: run)
    guard !required.isEmpty, spend(required.count) else { return [] }
    for node in given() {
      if let value = inputValueIndex(of: node) { receiverOfInputValue[value] = owner.id }
    }
    return required.filter { receiverOfInputValue[$0] != owner.id }
  }

  // MARK: Reports

  func report(_ message: String, _ nodes: any SyntaxView..., suggesting suggestion: Suggestion? = nil) {
    report(message, nodes: nodes, suggesting: suggestion)
  }

  func report(
    _ message: String, nodes: [any SyntaxView], suggesting suggestion: Suggestion? = nil, note: String = ""
  ) {
    guard budget.report(message, placeCount: nodes.count) else { return }
    let ranges = nodes.map(\.range)
    errors.append(
      ValidationError(
        rule: rule, message: message, locations: ranges.map { document.source.location(at: $0.lowerBound) },
        ranges: ranges, sources: ranges.map { document.source.name(at: $0.lowerBound) },
        suggestion: suggestion, note: note))
  }

  /// Returns the options with similar names, while the budget of comparisons lasts.
  func near(_ name: String, among count: Int, _ options: () -> [String]) -> [String] {
    budget.compare(count) ? NameSuggestions.near(name, options()) : []
  }

  // MARK: Limits

  /// Whether validation ended early because a limit was reached.
  var isStopped: Bool { budget.isSpent }

  /// Counts steps whose number can be quadratic. Returns `false` if none are left.
  func spend(_ steps: Int) -> Bool { budget.spend(steps) }

  /// Reports that validation ended early.
  func reportStop() {
    guard let reason = budget.reason else { return }
    errors.append(
      ValidationError(rule: rule, message: reason, locations: [], ranges: [], sources: [], suggestion: nil))
  }

  /// Returns the errors sorted by the location of their first node. Errors at the same location keep the order of the
  /// rules.
  func sortedErrors() -> [ValidationError] {
    errors.enumerated().sorted { left, right in
      let first = left.element.ranges.first?.lowerBound ?? 0
      let second = right.element.ranges.first?.lowerBound ?? 0
      return first == second ? left.offset < right.offset : first < second
    }.map(\.element)
  }
}
