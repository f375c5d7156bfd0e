import ApusGraphQLLanguage
import ApusGraphQLSchema

/// The default value of an input field must not depend on itself, directly or indirectly. Invalid:
/// `input A { b: B = {} } input B { a: A = {} }`.
///
/// Specification: Circular References (InputObjectDefaultValueHasCycle).
enum NoDefaultValueCyclesRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    // The nodes of the graph are input fields. The label of an edge is the default value that it comes from.
    var search = CycleSearch<ValueNode>(nodeCount: context.inputValueCount) { index in
      let field = context.inputValue(at: index)
      guard let type = inputObject(field.type, context), let value = defaultValue(of: field, context) else { return [] }
      var found = Found()
      collect(value, type, context, into: &found)
      return found.fields.map { CycleSearch.Edge(target: $0, label: value) }
    }
    for type in context.ownTypes where type.kind == .inputObject {
      for field in context.inputFields(of: type) where isFollowed(context.inputValue(at: field), context) {
        search.search(from: field) { start, cycle in
          let titles = titles(context)
          let via = cycle.dropFirst().compactMap { titles[$0.label.id] }.joined(separator: ", ")
          context.report(
            "Invalid circular reference. The default value of Input Object field \(titles[context.inputValue(at: start).defaultValue] ?? "") references itself\(via.isEmpty ? "" : " via the default values of: \(via)").",
            nodes: cycle.map(\.label))
          return !context.isStopped
        }
      }
    }
  }

  /// Fields in the order of discovery, without repetitions.
  private struct Found {
    private(set) var fields: [Int] = []
    private var isFound: Set<Int> = []

    mutating func add(_ field: Int) { if isFound.insert(field).inserted { fields.append(field) } }
  }

  /// Collects the fields whose default values apply because an input object literal omits them. The parser limits the depth.
  private static func collect(
    _ value: ValueNode, _ type: TypeDefinition, _ context: ValidationContext, into found: inout Found
  ) {
    for element in value.elements { collect(element, type, context, into: &found) }
    guard value.kind == .object else { return }
    var given: [NameID: ValueNode] = [:]
    for field in value.fields { given[context.schemaNameID(of: field.name)] = field.value }
    let fields = context.inputFields(of: type)
    guard context.spend(fields.count * 8) else { return }
    for index in fields {
      let field = context.inputValue(at: index)
      guard let inner = inputObject(field.type, context) else { continue }
      if let value = given[field.name] {
        collect(value, inner, context, into: &found)
      } else if isFollowed(field, context) {
        found.add(index)
      }
    }
  }

  private static func isFollowed(_ field: InputValueRecord, _ context: ValidationContext) -> Bool {
    defaultValue(of: field, context) != nil && inputObject(field.type, context) != nil
  }

  /// Returns the default value of a field that the document defines.
  private static func defaultValue(of field: InputValueRecord, _ context: ValidationContext) -> ValueNode? {
    field.defaultValue != 0 && context.isInDocument(field) ? ValueNode(context.document, field.defaultValue) : nil
  }

  private static func inputObject(_ type: PackedType, _ context: ValidationContext) -> TypeDefinition? {
    context.type(of: type).flatMap { $0.kind == .inputObject ? $0 : nil }
  }

  /// Returns the coordinate (`Type.field`) for each default value.
  private static func titles(_ context: ValidationContext) -> [NodeID: String] {
    var titles: [NodeID: String] = [:]
    for input in context.inputValueDefinitions {
      if case .inputObject = input.owner, let value = input.node.defaultValue { titles[value.id] = input.coordinate }
    }
    return titles
  }
}
