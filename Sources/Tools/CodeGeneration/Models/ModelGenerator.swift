import ApusGraphQLLanguage
import ApusGraphQLSchema

/// Generates the files of models: operations, fragments and mocks, and the types of the schema.
struct ModelGenerator {
  let schema: Schema
  let settings: GenerationSettings
  let source: DocumentSource
  private let keyFields: KeyFields

  init(schema: Schema, documents: [Document], settings: GenerationSettings) throws(GenerationError) {
    self.schema = schema
    self.settings = settings
    keyFields = KeyFields(schema: schema, settings: settings)
    source = try DocumentSource(
      documents, schema: schema, keyFields: keyFields, skipsInvalid: settings.skipsInvalid)
  }

  func sections() throws(GenerationError) -> [(folder: String, sections: [FileSection])] {
    let document = source.document
    let fragments = document.fragments.filter { !source.invalid.contains("fragment " + $0.name.value) }
    let operations = document.operations.filter { !source.invalid.contains("operation " + ($0.name?.value ?? "")) }
    let names = ModelNames(
      schema: schema, settings: settings, fragments: fragments.map(\.name.value),
      operations: operations.map { ($0.name?.value ?? "", Self.suffix($0)) })
    let context = ModelContext(source, schema: schema)
    var builder = ModelBuilder(context, names: names)
    let writer = OperationWriter(document: document, schema: schema, names: names, settings: settings)
    let order = FragmentOrder(fragments)
    let mocks = MockWriter(names: names, access: settings.access.rawValue)
    var mockPieces: [Piece] = []
    var fragmentPieces: [Piece] = []
    for fragment in order.sorted {
      guard let model = builder.model(of: fragment, isMutable: fragment.directives.isLocalCacheMutation) else {
        continue
      }
      try Self.checkSize(at: "fragment \(fragment.name.value)", in: context)
      fragmentPieces.append(Piece(name: model.name, text: writer.fragment(fragment, model)))
      if settings.mocks { mockPieces.append(mocks.piece(model.name, of: model)) }
    }
    var operationPieces: [Piece] = []
    for operation in operations {
      let name = names.operation(operation.name?.value ?? "")
      let isLocal = operation.directives.isLocalCacheMutation
      guard let data = builder.data(of: operation, in: name, isMutable: isLocal) else { continue }
      let used = order.used(by: operation.erased)
      context.count(used)
      try Self.checkSize(at: "operation \(operation.name?.value ?? "")", in: context)
      operationPieces.append(Piece(name: name, text: writer.operation(operation, data, fragments: used)))
      if settings.mocks { mockPieces.append(mocks.piece(name, of: data)) }
    }
    let types = SchemaTypesWriter(schema: schema, names: names, settings: settings, keyFields: keyFields)
    let areFew = fragmentPieces.count + operationPieces.count <= Self.limitOfOwnFiles
    return [
      ("Fragments", Self.sections("Fragments", fragmentPieces, areFew: areFew)),
      ("Operations", Self.sections("Operations", operationPieces, areFew: areFew)),
      ("Schema", types.sections()),
      ("Mocks", Self.sections("Mocks", mockPieces, areFew: false)),
    ]
  }

  private static func checkSize(at definition: String, in context: ModelContext) throws(GenerationError) {
    guard context.isFull else { return }
    let reason = "each model has every field of the fragments that it spreads, and of those that they spread"
    throw GenerationError([
      GenerationDiagnostic(
        message: "\(definition): the models are too large to compile: \(reason). Spread fewer fragments.")
    ])
  }

  /// The maximum number of operations and fragments for one file each. A debug build compiles 25 files per job, and
  /// each job reads all the others: a thousand small files take 17 percent longer than the same text in large ones.
  private static let limitOfOwnFiles = 100

  private static func sections(_ name: String, _ pieces: [Piece], areFew: Bool) -> [FileSection] {
    let pieces = pieces.sorted { $0.name < $1.name }
    if areFew { return pieces.map { FileSection(name: $0.name, pieces: [$0]) } }
    return pieces.isEmpty ? [] : [FileSection(name: name, pieces: pieces)]
  }

  private static func suffix(_ operation: OperationDefinitionNode) -> String {
    if operation.directives.isLocalCacheMutation { return "LocalCacheMutation" }
    return operation.operation.rawValue.prefix(1).uppercased() + operation.operation.rawValue.dropFirst()
  }
}

/// Sorts fragments after those that they use.
struct FragmentOrder {
  private(set) var sorted: [FragmentDefinitionNode] = []
  private let definitions: [String: FragmentDefinitionNode]
  private var spreads: [String: [String]] = [:]

  init(_ fragments: [FragmentDefinitionNode]) {
    definitions = Dictionary(fragments.map { ($0.name.value, $0) }, uniquingKeysWith: { first, _ in first })
    for (name, fragment) in definitions { spreads[name] = Self.spreads(in: fragment.erased) }
    var visited: Set<String> = []
    for fragment in fragments.sorted(by: { $0.name.value < $1.name.value }) { visit(fragment.name.value, &visited) }
  }

  private mutating func visit(_ name: String, _ visited: inout Set<String>) {
    guard visited.insert(name).inserted, let fragment = definitions[name] else { return }
    for inner in spreads[name] ?? [] { visit(inner, &visited) }
    sorted.append(fragment)
  }

  /// Returns the fragments that a definition uses, in order.
  func used(by node: AnyNode) -> [FragmentDefinitionNode] {
    var found: [String] = []
    var seen: Set<String> = []
    var pending = Self.spreads(in: node)[...]
    while let name = pending.popFirst() {
      guard seen.insert(name).inserted else { continue }
      found.append(name)
      pending.append(contentsOf: spreads[name] ?? [])
    }
    return found.compactMap { definitions[$0] }
  }

  private static func spreads(in node: AnyNode) -> [String] {
    let document = node.document
    var names: [String] = []
    for id in Int(node.id)..<Int(document.nodes[Int(node.id)].next) where document.nodes[id].kind == .fragmentSpread {
      names.append(FragmentSpreadNode(document, NodeID(id)).name.value)
    }
    return names
  }
}
