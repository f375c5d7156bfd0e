import ApusGraphQLLanguage
import ApusGraphQLSchema

/// The field set of a `@key`, `@requires` or `@provides`, resolved in the subgraph: `id organization { id }`.
struct FieldSet {
  /// A directive with a field set.
  enum Purpose: String {
    case key, requires, provides
  }

  /// A selected field.
  struct Member {
    let field: FieldDefinition
    /// The type that the field is selected on.
    let parent: TypeDefinition
    let isLeaf: Bool
    /// Whether the field, or a field around it, is external.
    let isExternal: Bool
  }

  let purpose: Purpose
  /// The node of the argument's value.
  let value: ValueNode
  private(set) var members: [Member] = []
  /// The normalized field set with sorted fields. `name id` and `id name` are equal.
  private(set) var canonical = ""
  /// First problems of the field set. Each is a clause whose subject is the directive.
  private(set) var problems: [String] = []

  private static let maximumProblems = 20

  private let externals: ExternalFields
  private let context: ValidationContext

  /// - Parameter type: The parent type of the fields.
  init(
    _ purpose: Purpose, _ value: ValueNode, on type: TypeDefinition, externals: ExternalFields,
    _ context: ValidationContext
  ) {
    self.purpose = purpose
    self.value = value
    self.externals = externals
    self.context = context
    let text = value.stringValue
    let isBraced = text.first { !$0.isWhitespace } == "{"
    let document = Document(parsing: isBraced ? text : "{\(text)\n}", name: "field set")
    let definitions = document.definitions
    if let diagnostic = document.diagnostics.first {
      report("is not a list of fields: \(diagnostic.message)")
    } else if definitions.count == 1, case .operation(let operation) = definitions[0], operation.isShorthand {
      canonical = read(operation.selectionSet, on: type, isExternal: false)
    } else {
      report("is not a list of fields.")
    }
  }

  private mutating func report(_ problem: String) {
    if problems.count < Self.maximumProblems { problems.append(problem) }
  }

  /// Reads a selection set. The parser limits its depth.
  private mutating func read(_ set: SelectionSetNode, on type: TypeDefinition, isExternal: Bool) -> String {
    var parts: [String] = []
    for selection in set.selections {
      if !selection.directives.isEmpty { report("has a directive, which a field set cannot have.") }
      switch selection {
      case .field(let field): parts.append(read(field, on: type, isExternal: isExternal))
      case .inlineFragment(let fragment): parts.append(read(fragment, on: type, isExternal: isExternal))
      case .fragmentSpread(let spread):
        report("spreads the fragment \"\(spread.name.value)\", which a field set cannot do.")
      }
    }
    return parts.sorted().joined(separator: " ")
  }

  private mutating func read(_ node: FieldNode, on type: TypeDefinition, isExternal: Bool) -> String {
    let name = node.name.value
    if node.alias != nil { report("has the alias \"\(node.responseKey)\", which a field set cannot have.") }
    if name == "__typename", type.isComposite { return name }
    guard let field = type.schema.names.find(name).flatMap({ type.declaredField(named: $0) }) else {
      let fields = type.fields
      let near = context.near(name, among: fields.count) { fields.map(\.name) }
      report(
        "selects the field \"\(name)\", which \"\(type.name)\" does not have.\(NameSuggestions.didYouMean(near))")
      return name
    }
    let title = "\"\(type.name).\(name)\""
    check(field, title)
    checkArguments(node, of: field, title)
    let isExternal = isExternal || externals.contains(field, of: type, context)
    let inner = field.type.definition
    let isLeaf = inner.map { !$0.isComposite } ?? true
    members.append(Member(field: field, parent: type, isLeaf: isLeaf, isExternal: isExternal))
    let arguments = node.arguments.map { Printer.print($0) }.sorted().joined(separator: ",")
    let head = arguments.isEmpty ? name : "\(name)(\(arguments))"
    guard let inner, inner.isComposite else {
      if node.selectionSet != nil { report("selects fields of \(title), whose type has none.") }
      return head
    }
    guard let set = node.selectionSet else {
      report("selects \(title) without fields of its type \"\(inner.name)\".")
      return head
    }
    return "\(head){\(read(set, on: inner, isExternal: isExternal))}"
  }

  private mutating func read(_ fragment: InlineFragmentNode, on type: TypeDefinition, isExternal: Bool) -> String {
    guard let condition = fragment.typeCondition else {
      return read(fragment.selectionSet, on: type, isExternal: isExternal)
    }
    let name = condition.name.value
    guard let target = type.schema.type(named: name), target.isComposite, type.schema.overlaps(type, target) else {
      report("has a fragment on \"\(name)\", which no object of type \"\(type.name)\" can be.")
      return name
    }
    return "...\(name){\(read(fragment.selectionSet, on: target, isExternal: isExternal))}"
  }

  /// Checks the restrictions on fields of `@key` and `@provides`.
  private mutating func check(_ field: FieldDefinition, _ title: String) {
    if purpose != .requires, !field.arguments.isEmpty {
      report("selects \(title), which has arguments.")
    }
    if purpose == .key, let type = field.keyTypeProblem, !field.type.isNonNull, !field.type.isList {
      report("selects \(title), whose type is \(type).")
    }
  }

  private mutating func checkArguments(_ node: FieldNode, of field: FieldDefinition, _ title: String) {
    for argument in node.arguments where field.argument(named: argument.name.value) == nil {
      report("gives \(title) the argument \"\(argument.name.value)\", which it does not have.")
    }
    guard purpose == .requires else { return }
    for argument in field.arguments where argument.isRequired && node.argument(named: argument.name) == nil {
      report("selects \(title) without its argument \"\(argument.name)\".")
    }
  }
}

extension FieldDefinition {
  /// The kind of the field's type, with its article, if keys should not select such fields.
  var keyTypeProblem: String? {
    if let type = type.definition, type.isAbstract { return type.kind == .union ? "a union" : "an interface" }
    return type.isList && !type.isNonNull ? "a list that can be null" : nil
  }
}

/// The fields of a subgraph that are external, by themselves or through their type.
struct ExternalFields {
  /// Nodes of the field definitions.
  private var nodes: Set<NodeID> = []
  /// External fields with their types. In version 2, the directive on an object type marks all its fields.
  private(set) var marked: [(field: FieldDefinitionNode, owner: TypeDefinitionNode)] = []

  init(_ context: ValidationContext, directive: String, isVersion2: Bool) {
    let wholeTypes = Set(
      context.typeDefinitions.filter { $0.kind == .object && $0.directive(named: directive) != nil }
        .map { context.nameID(of: $0.name) })
    for type in context.typeDefinitions {
      let isWhole = wholeTypes.contains(context.nameID(of: type.name))
      for field in type.fields {
        let isMarked = field.directive(named: directive) != nil
        if isMarked || isWhole && isVersion2 { marked.append((field, type)) }
        if isMarked || isWhole { nodes.insert(field.id) }
      }
    }
  }

  /// Treats key fields of a type that another subgraph defines as fields of this subgraph, which resolves them.
  mutating func exclude(keysOfExtensions members: [FieldSet.Member]) {
    for member in members { nodes.remove(member.field.node.id) }
  }

  /// Whether a field, or its implementation in an object type, is external.
  func contains(_ field: FieldDefinition, of type: TypeDefinition, _ context: ValidationContext) -> Bool {
    if nodes.isEmpty { return false }
    return Self.implementations(of: field, of: type, context).contains { nodes.contains($0) }
  }

  /// Returns the node of a field and, if its parent type is an interface, those of its implementations.
  static func implementations(
    of field: FieldDefinition, of type: TypeDefinition, _ context: ValidationContext
  ) -> [NodeID] {
    guard type.kind == .interface else { return [field.node.id] }
    let possibleTypes = type.possibleTypes
    guard context.spend(possibleTypes.count * 4) else { return [field.node.id] }
    return [field.node.id] + possibleTypes.compactMap { $0.declaredField(named: field.nameID)?.node.id }
  }
}
