import ApusGraphQLLanguage
import ApusGraphQLSchema
import ApusJSON

extension CompiledOperation {
  /// Compiles an operation of a document. Without a schema, types are taken from the data.
  package static func compile(
    _ document: Document, operationName: String? = nil, schema: Schema? = nil,
    options: CompileOptions = CompileOptions()
  ) throws(CompileError) -> CompiledOperation {
    let operation = try choose(operationName, in: document)
    var compiler = OperationCompiler(document: document, schema: schema, options: options)
    return try compiler.compile(operation)
  }

  /// Compiles a single fragment of a document, for reading and writing cache records.
  package static func compile(
    fragment name: String?, of document: Document, schema: Schema?
  ) throws(CompileError) -> CompiledOperation {
    if let diagnostic = document.diagnostics.first { throw OperationCompiler.error(diagnostic, in: document) }
    let names = document.fragments.map(\.name.value)
    if name == nil, names.count > 1 { throw .severalFragments(names) }
    guard let fragment = document.fragments.first(where: { name == nil || $0.name.hasValue(name ?? "") }) else {
      throw name.map { .unknownFragment($0) } ?? .noFragment
    }
    var compiler = OperationCompiler(document: document, schema: schema, options: CompileOptions())
    return try compiler.compile(fragment)
  }

  private static func choose(
    _ name: String?, in document: Document
  ) throws(CompileError) -> OperationDefinitionNode {
    let operations = document.operations
    guard let first = operations.first else {
      if let diagnostic = document.diagnostics.first { throw OperationCompiler.error(diagnostic, in: document) }
      throw .noOperation
    }
    let names = operations.compactMap { $0.name?.value }
    guard let name else {
      if operations.count > 1 { throw .severalOperations(names) }
      return first
    }
    guard let operation = document.operation(named: name) else { throw .unknownOperation(name, known: names) }
    return operation
  }
}

/// Compiles an operation and its fragments, each fragment definition once.
struct OperationCompiler {
  let document: Document
  let types: CompilerTypes
  let options: CompileOptions

  private var deferred: [CompiledFragment] = []
  private var nextID = 0
  private var definitions: [String: FragmentDefinitionNode] = [:]
  private var compiled: [String: CompiledSelectionSet] = [:]
  private var open: Set<String> = []
  private var additions: [DocumentRewriter.Insertion] = []
  private lazy var addedFields = CacheFieldPlanner(
    document: document, definitions: definitions, types: types, options: options)
  private let keyRules: KeyRules
  private var hasStream = false
  private var depth = 0
  private static let depthLimit = 500

  init(document: Document, schema: Schema?, options: CompileOptions) {
    self.document = document
    self.options = options
    types = CompilerTypes(schema: schema)
    keyRules = KeyRules(
      candidates: options.keyCandidates,
      fieldsByType: options.keyFields.merging(schema?.declaredKeyFields ?? [:]) { given, _ in given })
    for fragment in document.fragments { definitions[fragment.name.value] = fragment }
  }

  static func error(_ diagnostic: SyntaxDiagnostic, in document: Document) -> CompileError {
    let location = document.source.location(at: diagnostic.range.lowerBound)
    return .syntax(message: diagnostic.message, line: location.line, column: location.column)
  }

  mutating func compile(_ operation: OperationDefinitionNode) throws(CompileError) -> CompiledOperation {
    let root = types.root(operation.operation)
    let set = try selectionSet(operation.selectionSet, parent: root, parentName: root?.name)
    let used = document.fragments.filter { compiled[$0.name.value] != nil }
    let isWhole = document.operations.count == 1
    for diagnostic in document.diagnostics {
      let isUsed = ([operation.range] + used.map(\.range)).contains { range in
        range.lowerBound <= diagnostic.range.lowerBound && diagnostic.range.lowerBound <= range.upperBound
      }
      if isWhole || isUsed { throw OperationCompiler.error(diagnostic, in: document) }
    }
    let ranges = isWhole ? [0..<document.source.bytes.count] : ([operation.range] + used.map(\.range))
    let sent = DocumentRewriter(source: document.source.bytes, ranges: ranges, insertions: additions)
    let variables = operation.variableDefinitions.map { definition in
      CompiledVariable(
        name: definition.variable.name.value, typeDescription: definition.type.description,
        isNonNull: definition.type.isNonNull, defaultValue: definition.defaultValue.flatMap { constant($0) })
    }
    return CompiledOperation(
      operationType: operation.operation, name: operation.name?.value,
      documentText: sent.text, sourceMap: sent.map, rootTypeName: root?.name ?? rootTypeName(from: set),
      queryTypeName: types.root(.query)?.name, selections: set, variableDefinitions: variables,
      fragments: deferred.sorted { $0.id < $1.id }, hasIncremental: hasStream || !deferred.isEmpty, keyRules: keyRules)
  }

  mutating func compile(_ fragment: FragmentDefinitionNode) throws(CompileError) -> CompiledOperation {
    let name = fragment.name.value
    let condition = fragment.typeCondition.name.value
    let type = types.type(named: condition)
    open.insert(name)
    let set = try selectionSet(fragment.selectionSet, parent: type, parentName: condition)
    return CompiledOperation(
      operationType: .query, name: name, documentText: String(decoding: document.source.bytes, as: UTF8.self),
      rootTypeName: condition, rootIsAbstract: type?.isAbstract ?? true, selections: set,
      fragments: deferred.sorted { $0.id < $1.id }, hasIncremental: hasStream || !deferred.isEmpty)
  }

  /// Returns the name of the root type. Without a schema, a fragment on the root object may show an unusual name.
  private func rootTypeName(from set: CompiledSelectionSet) -> String? {
    for case .fragment(let fragment) in set.selections {
      if let name = fragment.typeCondition ?? rootTypeName(from: fragment.selectionSet) { return name }
    }
    return nil
  }

  // MARK: - Selections

  private mutating func selectionSet(
    _ node: SelectionSetNode, parent: TypeDefinition?, parentName: String?, added: [CompiledSelection] = []
  ) throws(CompileError) -> CompiledSelectionSet {
    depth += 1
    defer { depth -= 1 }
    if depth > OperationCompiler.depthLimit { throw .tooDeep(limit: OperationCompiler.depthLimit) }
    var selections = added
    for selection in node.selections {
      switch selection {
      case .field(let field): selections.append(try fieldSelection(field, parent: parent, parentName: parentName))
      case .inlineFragment(let fragment): selections.append(.fragment(try compile(fragment, parent: parent)))
      case .fragmentSpread(let spread): selections.append(.fragment(try compile(spread, parent: parent)))
      }
    }
    return CompiledSelectionSet(
      parentType: parentName, possibleTypes: parentName.flatMap { types.possibleTypes($0) }, selections: selections)
  }

  /// Returns a field. With `@defer`, which graphql-ruby accepts on fields, it is a deferred fragment with this one field.
  private mutating func fieldSelection(
    _ node: FieldNode, parent: TypeDefinition?, parentName: String?
  ) throws(CompileError) -> CompiledSelection {
    let id = takeID(for: node.directives)
    let field = try compile(node, parent: parent)
    guard id >= 0 else { return .field(field) }
    let set = CompiledSelectionSet(
      parentType: parentName, possibleTypes: parentName.flatMap { types.possibleTypes($0) }, selections: [.field(field)]
    )
    let fragment = CompiledFragment(
      id: id, conditions: field.conditions, deferral: deferDirective(node.directives),
      deferredField: field.responseKey, selectionSet: set)
    deferred.append(fragment)
    return .fragment(fragment)
  }

  private mutating func compile(_ node: FieldNode, parent: TypeDefinition?) throws(CompileError) -> CompiledField {
    let name = node.name.value
    let definition = types.field(name, of: parent)
    let type = name == "__typename" ? CompilerTypes.typename : definition.map { types.compiled($0.type) }
    var set: CompiledSelectionSet?
    if let selections = node.selectionSet {
      let inner = definition?.type.definition
      // Introspection results contain no records.
      let isIntrospection = name.hasPrefix("__") || inner?.name.hasPrefix("__") == true
      let added = options.addTypename && !isIntrospection ? addedSelections(selections, type: inner) : []
      set = try selectionSet(selections, parent: inner, parentName: inner?.name, added: added)
    }
    let stream = streamDirective(node.directives)
    if stream != nil { hasStream = true }
    return CompiledField(
      name: name, responseKey: node.responseKey, arguments: arguments(node.arguments, of: definition),
      conditions: conditions(node.directives), stream: stream, type: type, selectionSet: set)
  }

  private mutating func compile(
    _ node: InlineFragmentNode, parent: TypeDefinition?
  ) throws(CompileError) -> CompiledFragment {
    let condition = node.typeCondition?.name.value
    let id = takeID(for: node.directives)
    let inner = condition.map { types.type(named: $0) } ?? parent
    let set = try selectionSet(node.selectionSet, parent: inner, parentName: condition ?? parent?.name)
    return fragment(id: id, name: nil, condition: condition, parent: parent, directives: node.directives, set: set)
  }

  private mutating func compile(
    _ node: FragmentSpreadNode, parent: TypeDefinition?
  ) throws(CompileError) -> CompiledFragment {
    let name = node.name.value
    guard let definition = definitions[name] else {
      if let diagnostic = document.diagnostics.first { throw OperationCompiler.error(diagnostic, in: document) }
      throw .unknownFragment(name)
    }
    if let variable = definition.variableDefinitions.first {
      let problem = SyntaxDiagnostic(
        message: "The fragment \"\(name)\" declares variables, which this client does not support.",
        range: variable.range)
      throw .invalid([GraphQLDiagnostic(problem, in: document)])
    }
    let id = takeID(for: node.directives)
    let condition = definition.typeCondition.name.value
    let set: CompiledSelectionSet
    if let compiledSet = compiled[name] {
      set = compiledSet
    } else {
      guard open.insert(name).inserted else { throw .fragmentCycle(name) }
      set = try selectionSet(definition.selectionSet, parent: types.type(named: condition), parentName: condition)
      open.remove(name)
      compiled[name] = set
    }
    return fragment(id: id, name: name, condition: condition, parent: parent, directives: node.directives, set: set)
  }

  /// Assigns ids in document order, outer fragments first.
  private mutating func takeID(for directives: [DirectiveNode]) -> Int {
    guard directives.contains(where: { $0.name.hasValue("defer") }) else { return -1 }
    defer { nextID += 1 }
    return nextID
  }

  private mutating func fragment(
    id: Int, name: String?, condition: String?, parent: TypeDefinition?, directives: [DirectiveNode],
    set: CompiledSelectionSet
  ) -> CompiledFragment {
    let fragment = CompiledFragment(
      id: id, name: name, typeCondition: condition, possibleTypes: condition.flatMap { types.possibleTypes($0) },
      staticApplication: types.application(of: condition, on: parent), conditions: conditions(directives),
      deferral: id >= 0 ? deferDirective(directives) : nil, selectionSet: set)
    if id >= 0 { deferred.append(fragment) }
    return fragment
  }

  // MARK: - Additions for the cache

  /// Returns `__typename` and the key fields that a selection lacks, and records their insertion into the text.
  private mutating func addedSelections(_ node: SelectionSetNode, type: TypeDefinition?) -> [CompiledSelection] {
    let added = addedFields.additions(to: node, type: type)
    if !added.isEmpty {
      let offset = node.range.lowerBound + 1
      // The next token must not join the inserted text.
      let isFollowed = document.source.bytes[offset] > UInt8(ascii: " ")
      additions.append(
        DocumentRewriter.Insertion(
          offset: offset, text: " " + CacheFieldPlanner.text(of: added) + (isFollowed ? " " : "")))
    }
    return added
  }

  // MARK: - Directives

  private func conditions(_ directives: [DirectiveNode]) -> Conditions {
    var include: [CompiledCondition] = []
    var skip: [CompiledCondition] = []
    for directive in directives {
      if directive.name.hasValue("include") {
        include.append(condition(directive, absent: false))
      } else if directive.name.hasValue("skip") {
        skip.append(condition(directive, absent: false))
      }
    }
    return include.isEmpty && skip.isEmpty ? .none : Conditions(include: include, skip: skip)
  }

  private func condition(_ directive: DirectiveNode, absent: Bool) -> CompiledCondition {
    guard let value = directive.argument(named: "if")?.value else { return absent ? .always : .never }
    switch value.kind {
    case .variable: return .variable(value.variableName, absent: absent)
    case .boolean: return value.boolValue ? .always : .never
    case .int, .float, .string, .null, .enum, .list, .object: return absent ? .always : .never
    }
  }

  private func deferDirective(_ directives: [DirectiveNode]) -> CompiledDeferral? {
    directives.first { $0.name.hasValue("defer") }.map {
      CompiledDeferral(label: label($0), condition: condition($0, absent: true))
    }
  }

  private func streamDirective(_ directives: [DirectiveNode]) -> CompiledStream? {
    directives.first { $0.name.hasValue("stream") }.map { directive in
      CompiledStream(
        label: label(directive), condition: condition(directive, absent: true),
        initialCount: directive.argument(named: "initialCount").map { value($0.value) } ?? .constant(JSONValue(0)))
    }
  }

  private func label(_ directive: DirectiveNode) -> String? {
    guard let value = directive.argument(named: "label")?.value, value.kind == .string else { return nil }
    return value.stringValue
  }

  // MARK: - Values

  private func arguments(_ nodes: [ArgumentNode], of field: FieldDefinition?) -> [CompiledArgument] {
    var arguments = nodes.map { node in
      let definition = field?.argument(named: node.name.value)
      return CompiledArgument(
        name: node.name.value, value: value(node.value),
        defaultValue: definition?.defaultValue.flatMap { constant($0) },
        type: definition?.type)
    }
    for definition in field?.arguments ?? [] {
      guard !arguments.contains(where: { $0.name == definition.name }) else { continue }
      guard let value = definition.defaultValue.flatMap({ constant($0) }) else { continue }
      arguments.append(CompiledArgument(name: definition.name, value: .constant(value), type: definition.type))
    }
    return arguments
  }

  private func value(_ node: ValueNode) -> CompiledValue {
    switch node.kind {
    case .variable:
      .variable(node.variableName)
    case .list:
      CompiledValue.folding(list: node.elements.map { value($0) })
    case .object:
      CompiledValue.folding(
        fields: node.fields.map { CompiledValue.ObjectField(name: $0.name.value, value: value($0.value)) })
    case .int, .float, .string, .boolean, .null, .enum:
      .constant(ConstantValue.json(node))
    }
  }

  private func constant(_ node: ValueNode) -> JSONValue? {
    if case .constant(let value) = value(node) { value } else { nil }
  }
}
