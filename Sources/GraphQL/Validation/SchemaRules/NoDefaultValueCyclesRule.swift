import ApusGraphQLLanguage
import ApusGraphQLSchema

/// The default value of an input field must not depend on itself, directly or indirectly.
///
/// Specification: Circular References (InputObjectDefaultValueHasCycle).
enum NoDefaultValueCyclesRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    // The nodes of the graph are input fields. The label of an edge is the default value that it comes from.
    var search = CycleSearch(nodeCount: context.inputValueCount) { index in
      let field = context.inputValue(at: index)
      guard let type = inputObject(field.type, context), field.defaultValue != 0 else { return [] }
      var found = Found()
      collect(field.defaultValue, type, context, into: &found)
      return found.fields.map { CycleSearch.Edge(target: $0, label: field.defaultValue) }
    }
    let titles = titles(context)
    for type in context.ownTypes where context.kind(ofType: type) == .inputObject {
      for field in context.inputFields(of: type) where isFollowed(context.inputValue(at: field), context) {
        search.search(from: field) { start, cycle in
          let via = cycle.dropFirst().compactMap { titles[$0.label] }.joined(separator: ", ")
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
    private var existing: Set<Int> = []

    mutating func add(_ field: Int) { if existing.insert(field).inserted { fields.append(field) } }
  }

  /// Collects the fields whose default values apply because an input object literal omits them. The parser limits the depth.
  private static func collect(
    _ value: NodeID, _ type: UInt32, _ context: ValidationContext, into found: inout Found
  ) {
    if context.kind(value) == .listValue {
      for element in context.document.children(of: value) { collect(element, type, context, into: &found) }
    }
    guard context.kind(value) == .objectValue else { return }
    var given: [UInt32: NodeID] = [:]
    for field in context.document.children(of: value) {
      given[context.schemaName(of: field + 1)] = context.next(field + 1)
    }
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
    field.defaultValue != 0 && inputObject(field.type, context) != nil
      && context.isInDocument(field)
  }

  private static func inputObject(_ type: PackedType, _ context: ValidationContext) -> UInt32? {
    context.type(of: type).flatMap { context.kind(ofType: $0) == .inputObject ? $0 : nil }
  }

  /// Returns the coordinate (`Type.field`) for each default value.
  private static func titles(_ context: ValidationContext) -> [NodeID: String] {
    var titles: [NodeID: String] = [:]
    for place in context.inputValueDefinitions where place.location == .inputFieldDefinition {
      if let value = InputValueDefinitionNode(context.document, place.node).defaultValue {
        titles[value.id] = place.coordinate(context)
      }
    }
    return titles
  }
}
