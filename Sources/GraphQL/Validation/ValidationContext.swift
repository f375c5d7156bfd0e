import ApusAlgorithms
import ApusGraphQLLanguage
import ApusGraphQLSchema

/// The information about a document that the rules share, collected in one walk: names as IDs, nodes by kind, and the
/// schema's definition of each node. Rules iterate over these tables.
///
/// A context is used by one task for one validation.
package final class ValidationContext {
  let document: Document
  let schema: Schema?
  let nodes: ContiguousArray<SyntaxNode>
  /// The tables of the schema; empty without a schema.
  let storage: SchemaStorage

  /// The names of the document. `nameOf` contains the ID of each name node.
  var names: NameTable
  var nameOf: [UInt32]
  /// The schema's ID for each name of the document.
  var schemaName: [UInt32] = []

  /// The index of the definition of a field, directive, argument or input field in the schema's table for its kind; -1 if
  /// there is none. See `fieldDefinition(of:)` and the following functions.
  var definitionIndex: [Int32]
  /// The index of the composite parent type of a selection or selection set, or of the type of a fragment definition; -1 if
  /// it is unknown. See `parentType(of:)`.
  var typeIndex: [Int32]
  /// The expected type of each value. See `inputType(of:)`.
  var expected: [PackedType]
  /// The index of the input value whose default value applies to a direct value of it; -1 for other values. See
  /// `inputValueIndex(given:)`.
  var position: [Int32]

  /// The selection set of each node; 0 if there is none.
  var selectionSetOf: [NodeID]

  var operations: [NodeID] = []
  var fragments: [NodeID] = []
  var fields: [NodeID] = []
  var spreads: [NodeID] = []
  /// The spreads with arguments.
  var spreadsWithArguments: [NodeID] = []
  var inlineFragments: [NodeID] = []
  var selectionSets: [NodeID] = []
  var arguments: [NodeID] = []
  var directives: [NodeID] = []
  /// The node that each directive is applied to, and its location.
  var directiveOwners: [(node: NodeID, location: DirectiveLocation)] = []
  var values: [NodeID] = []
  var variableDefinitions: [NodeID] = []
  /// The uses of variables, without their declarations.
  var variables: [NodeID] = []
  /// All references to named types.
  var namedTypes: [NodeID] = []
  /// Definitions and extensions.
  var schemaDefinitions: [NodeID] = []
  var typeDefinitions: [NodeID] = []
  var directiveDefinitions: [NodeID] = []
  /// The definitions of arguments and input fields.
  var inputValueDefinitions: [InputValueContext] = []
  /// The index plus one in `fragments` of the last fragment with each name, by the ID of the name.
  var fragmentOfName: [Int32] = []
  /// The variables that fragments declare, by the ID of the fragment's name.
  var fragmentVariables: [UInt32: FragmentVariables] = [:]
  /// The number of the last search that visited each fragment.
  private var searchOfFragment: [Int32] = []
  private var search: Int32 = 0
  /// The field, directive or object that last provided each input value of the schema.
  private var receiverOfInputValue: [NodeID]
  private var requiredInputValues: [UInt32: [Int]] = [:]

  var rule = ""
  private var errors: [ValidationError] = []
  private var budget: ValidationBudget

  static let none = UInt32.max
  static let unknown = PackedType(name: none, wrappers: 0)

  init(_ document: Document, _ schema: Schema?, _ budget: ValidationBudget) {
    self.budget = budget
    self.document = document
    self.schema = schema
    nodes = document.nodes
    storage = schema?.storage ?? SchemaStorage()
    names = NameTable(minimumCapacity: nodes.count / 16)
    nameOf = [UInt32](repeating: Self.none, count: nodes.count)
    definitionIndex = [Int32](repeating: -1, count: nodes.count)
    typeIndex = [Int32](repeating: -1, count: nodes.count)
    expected = [PackedType](repeating: Self.unknown, count: nodes.count)
    position = [Int32](repeating: -1, count: nodes.count)
    selectionSetOf = [NodeID](repeating: 0, count: nodes.count)
    receiverOfInputValue = [NodeID](repeating: 0, count: storage.inputValues.count)
    internNames()
    findOwnDefinitions()
    findFragmentVariables()
    TypeVisitor(context: self).walkDocument()
    fragmentOfName = [Int32](repeating: 0, count: names.count)
    for (index, fragment) in fragments.enumerated() where nameOf[bodyID(fragment)] != Self.none {
      fragmentOfName[Int(nameOf[bodyID(fragment)])] = Int32(index) + 1
    }
    searchOfFragment = [Int32](repeating: 0, count: fragments.count)
  }

  private func internNames() {
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
    schemaName = [UInt32](repeating: Self.none, count: names.count)
    for name in 0..<names.count {
      if let existing = names.withBytes(of: NameID(name), { storage.names.find($0) }) { schemaName[name] = existing }
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

  func kind(_ id: NodeID) -> SyntaxKind { nodes[Int(id)].kind }
  func range(of id: NodeID) -> Range<Int> { nodes[Int(id)].range }
  func flags(_ id: NodeID) -> SyntaxFlags { nodes[Int(id)].flags }
  func next(_ id: NodeID) -> NodeID { nodes[Int(id)].next }
  func isMissing(_ id: NodeID) -> Bool { nodes[Int(id)].flags.contains(.isMissing) }
  func text(_ id: NodeID) -> String { document.source.text(nodes[Int(id)].range) }
  func print(_ id: NodeID) -> String { Printer.print(AnyNode(document, id)) }

  /// Returns the index of the first child after the description.
  func bodyID(_ id: NodeID) -> Int { Int(id) + (nodes[Int(id)].flags.contains(.hasDescription) ? 2 : 1) }

  /// Returns the index of the joined document that contains a node.
  func part(of id: NodeID) -> Int { document.source.part(at: Int(nodes[Int(id)].start)) }
  func isExtension(_ id: NodeID) -> Bool { flags(id).contains(.isExtension) }
  /// Returns the name of a definition.
  func definedName(_ id: NodeID) -> String { name(NodeID(bodyID(id))) }

  /// Returns the name node of an operation; `nil` if it is anonymous.
  func operationName(_ id: NodeID) -> NodeID? {
    let node = NodeID(bodyID(id))
    return node < next(id) && kind(node) == .name ? node : nil
  }

  func selectionSet(of id: NodeID) -> NodeID? { selectionSetOf[Int(id)] == 0 ? nil : selectionSetOf[Int(id)] }

  /// Returns the name node of a field, which follows its alias.
  func fieldName(_ id: NodeID) -> NodeID { nodes[Int(id)].flags.contains(.hasAlias) ? id + 2 : id + 1 }

  func child(_ id: NodeID, _ kind: SyntaxKind) -> NodeID? {
    var child = id + 1
    let end = nodes[Int(id)].next
    while child < end {
      if nodes[Int(child)].kind == kind { return child }
      child = nodes[Int(child)].next
    }
    return nil
  }

  func children(_ id: NodeID, _ kind: SyntaxKind) -> [NodeID] {
    document.children(of: id).filter { nodes[Int($0)].kind == kind }
  }

  /// Returns the nodes of a sorted list that are descendants of a node.
  func within(_ id: NodeID, _ list: [NodeID]) -> ArraySlice<NodeID> {
    let next = nodes[Int(id)].next
    return list[list.partitioningIndex { $0 >= id }..<list.partitioningIndex { $0 >= next }]
  }

  // MARK: Parts of the schema that the document defines

  /// The types that the document defines or extends, in the order of their definition.
  private(set) lazy var ownTypes: [UInt32] = storage.types.indices.map { UInt32($0) }.filter { !parts(of: $0).isEmpty }

  /// Returns the definition and the extensions of a type in the document.
  func parts(of type: UInt32) -> [NodeID] {
    storage.parts[storage.types[Int(type)].parts.indices]
      .filter { storage.documents[Int($0.document)] === document }.map(\.node)
  }

  /// Returns the type node of a field or input value, including lists.
  func typeReference(_ id: NodeID) -> NodeID? { child(id, .namedType) ?? child(id, .listType) }

  /// Returns the `@deprecated` directive of a member.
  func deprecation(_ id: NodeID) -> NodeID? { directive("deprecated", on: id) }

  /// The `@oneOf` types by the index of each of their fields.
  private(set) lazy var oneOfOwners: [Int: UInt32] = {
    var owners: [Int: UInt32] = [:]
    for (type, record) in storage.types.enumerated() where record.isOneOf {
      for field in record.inputFields.indices { owners[field] = UInt32(type) }
    }
    return owners
  }()

  /// The federation directives of the document; `nil` if the schema is not a subgraph.
  private(set) lazy var subgraph = FederatedSubgraph(self)

  // MARK: Names and types

  func name(_ node: NodeID) -> String { nameOf[Int(node)] == Self.none ? "" : names[nameOf[Int(node)]] }

  /// Returns the schema's ID for the name of a node.
  func schemaName(of node: NodeID) -> UInt32 {
    nameOf[Int(node)] == Self.none ? Self.none : schemaName[Int(nameOf[Int(node)])]
  }

  /// Returns the index of the schema's type for a name node.
  func type(_ node: NodeID) -> UInt32? {
    let name = nameOf[Int(node)]
    guard name != Self.none, schemaName[Int(name)] != Self.none else { return nil }
    let index = storage.typeOfName[Int(schemaName[Int(name)])]
    // A type that is only extended is not defined.
    return index == 0 || !storage.types[Int(index) - 1].isDefined ? nil : index - 1
  }

  func type(of packed: PackedType) -> UInt32? {
    guard packed.name != Self.none else { return nil }
    let index = storage.typeOfName[Int(packed.name)]
    return index == 0 || !storage.types[Int(index) - 1].isDefined ? nil : index - 1
  }

  func typeName(_ type: UInt32) -> String { storage.names[storage.types[Int(type)].name] }

  func text(_ type: PackedType) -> String { schema?.text(type) ?? "" }

  func isComposite(_ type: UInt32) -> Bool {
    switch storage.types[Int(type)].kind {
    case .object, .interface, .union: true
    default: false
    }
  }

  func isInput(_ type: UInt32) -> Bool {
    switch storage.types[Int(type)].kind {
    case .scalar, .enum, .inputObject: true
    default: false
    }
  }

  /// Returns the schema's type for a type node; `nil` if the schema does not define it.
  func packed(_ id: NodeID) -> PackedType? {
    var wrappers: UInt32 = 0
    var shift: UInt32 = 0
    var id = id
    while true {
      let node = nodes[Int(id)]
      if node.flags.contains(.isNonNull) { wrappers |= 1 << shift }
      guard node.kind == .listType, id + 1 < node.next else { break }
      guard shift < 30 else { return nil }
      wrappers |= 2 << shift
      shift += 2
      id += 1
    }
    guard let type = type(id) else { return nil }
    return PackedType(name: storage.types[Int(type)].name, wrappers: wrappers)
  }

  /// Returns the fragment of a spread.
  func fragment(of spread: NodeID) -> NodeID? {
    let name = nameOf[Int(spread) + 1]
    guard name != Self.none, fragmentOfName[Int(name)] != 0 else { return nil }
    return fragments[Int(fragmentOfName[Int(name)]) - 1]
  }

  /// Returns the fragments that a definition spreads, directly or indirectly, in the order of discovery.
  func reachableFragments(from definition: NodeID) -> [NodeID] {
    search += 1
    var found: [NodeID] = []
    var pending = [definition]
    while let current = pending.popLast() {
      let spreads = within(current, spreads)
      guard spend(spreads.count + 10) else { break }
      for spread in spreads {
        guard let fragment = fragment(of: spread) else { continue }
        let place = Int(fragmentOfName[Int(nameOf[Int(spread) + 1])]) - 1
        guard searchOfFragment[place] != search else { continue }
        searchOfFragment[place] = search
        found.append(fragment)
        pending.append(fragment)
      }
    }
    return found
  }

  /// Returns the uses of variables in an operation and its fragments.
  func variableUses(in operation: NodeID) -> [NodeID] {
    var uses: [NodeID] = []
    for part in [operation] + reachableFragments(from: operation) {
      let found = within(part, variables)
      guard spend(found.count * 4) else { break }
      uses += withoutFragmentVariables(found, of: part)
    }
    return uses
  }

  // MARK: Required input values

  /// Returns the required input values of a run.
  private func required(of run: MemberRun) -> [Int] {
    guard run.count > 0 else { return [] }
    if let existing = requiredInputValues[run.start] { return existing }
    let found = run.indices.filter {
      storage.inputValues[$0].type.isNonNull && storage.inputValues[$0].defaultValue == 0
    }
    requiredInputValues[run.start] = found
    return found
  }

  /// Returns the required input values that the given arguments or fields of a field, directive or object lack.
  func missing(of run: MemberRun, in owner: NodeID, given: () -> [NodeID]) -> [Int] {
    let required = required(of: run)
    guard !required.isEmpty, spend(required.count) else { return [] }
    for node in given() {
      if let value = inputValueIndex(of: node) { receiverOfInputValue[value] = owner }
    }
    return required.filter { receiverOfInputValue[$0] != owner }
  }

  // MARK: Reports

  func report(_ message: String, _ nodes: NodeID..., suggesting suggestion: Suggestion? = nil) {
    report(message, nodes: nodes, suggesting: suggestion)
  }

  func report(_ message: String, nodes: [NodeID], suggesting suggestion: Suggestion? = nil) {
    guard budget.report(message, placeCount: nodes.count) else { return }
    let ranges = nodes.map { self.nodes[Int($0)].range }
    errors.append(
      ValidationError(
        rule: rule, message: message, locations: ranges.map { document.source.location(at: $0.lowerBound) },
        ranges: ranges, sources: ranges.map { document.source.name(at: $0.lowerBound) },
        suggestion: suggestion))
  }

  /// Returns a suggestion to replace the name of a node.
  func suggestion(_ names: [String], for node: NodeID) -> Suggestion? { Suggestion(at: nodes[Int(node)].range, names) }

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

  /// Returns the errors sorted by the location of their first node. Errors at the same location keep the order of the rules.
  func sortedErrors() -> [ValidationError] {
    errors.enumerated().sorted { left, right in
      let first = left.element.ranges.first?.lowerBound ?? 0
      let second = right.element.ranges.first?.lowerBound ?? 0
      return first == second ? left.offset < right.offset : first < second
    }.map(\.element)
  }
}
