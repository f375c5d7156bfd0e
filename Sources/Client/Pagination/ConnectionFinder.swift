import ClientOperation
import JSON

/// Finds the connections in a result that can be paged.
///
/// A connection is an object whose selection has a `pageInfo` with `hasNextPage` and `endCursor`, and `edges` or
/// `nodes`, by the fields' names, whatever their aliases (Relay's "GraphQL Cursor Connections" specification).
public enum ConnectionFinder {
  /// The connections, the outer ones first; of a list of objects that each have one, each is found.
  public static func connections(
    in data: JSONValue, operation: CompiledOperation, variables: JSONValue = .object([])
  ) -> [Connection] {
    let plan = SelectionPlan(operation: operation, variables: variables)
    var found: [Connection] = []
    let keys = ConnectionKeys(operation)
    search(data, node: plan.root, path: [], keys: keys, found: &found)
    return found.sorted { $0.path.components.count < $1.path.components.count }
  }

  /// How many are found at most: a list of ten thousand objects with one each is of no use as a choice.
  private static let limit = 64

  private static func search(
    _ value: JSONValue, node: PlanNode, path: [PathComponent], keys: ConnectionKeys,
    found: inout [Connection]
  ) {
    guard found.count < limit else { return }
    switch value.kind {
    case .array:
      for (index, element) in value.elements.enumerated() {
        search(element, node: node, path: path + [.index(index)], keys: keys, found: &found)
        if found.count >= limit { return }
      }
    case .object:
      for field in node.fields(for: node.typename(of: value)).fields {
        guard let child = field.child, let member = value[field.responseKey], !member.isNull else { continue }
        let place = path + [.key(field.responseKey)]
        if member.kind == .object, let connection = connection(member, node: child, field: field, path: place) {
          found.append(connection)
        }
        if keys.lead(to: field) {
          search(member, node: child, path: place, keys: keys, found: &found)
        }
      }
    default: break
    }
  }

  private static func connection(
    _ object: JSONValue, node: PlanNode, field: PlanField, path: [PathComponent]
  ) -> Connection? {
    let fields = node.fields(for: node.typename(of: object)).fields
    let lists = fields.filter { ["edges", "nodes"].contains($0.field.name) && $0.child != nil }
      .filter { object[$0.responseKey]?.kind == .array }
    guard !lists.isEmpty, let info = fields.first(where: { $0.field.name == "pageInfo" }), let infoNode = info.child,
      let infoValue = object[info.responseKey], infoValue.kind == .object
    else { return nil }
    let infoFields = infoNode.fields(for: infoNode.typename(of: infoValue)).fields
    guard let hasNext = infoFields.first(where: { $0.field.name == "hasNextPage" }),
      let endCursor = infoFields.first(where: { $0.field.name == "endCursor" })
    else { return nil }
    let total = fields.first { $0.field.name == "totalCount" }
    return Connection(
      path: ResponsePath(path), fieldName: field.field.name, listKeys: lists.map(\.responseKey),
      pageInfoKey: info.responseKey, hasNextPageKey: hasNext.responseKey, endCursorKey: endCursor.responseKey,
      cursorArgument: "after", binding: binding(of: "after", in: field.field),
      hasNextPage: infoValue[hasNext.responseKey]?.bool ?? false,
      endCursor: infoValue[endCursor.responseKey].flatMap { $0.string ?? $0.numberText },
      itemCount: lists.first.flatMap { object[$0.responseKey]?.count } ?? 0,
      totalCount: total.flatMap { object[$0.responseKey]?.int })
  }

  private static func binding(of name: String, in field: CompiledField) -> Connection.CursorBinding {
    switch field.arguments.first(where: { $0.name == name })?.value {
    case .variable(let variable): .variable(variable)
    case .none: .absent
    default: .literal
    }
  }
}

/// Under which response keys of an operation a connection may be, so that the data under the others is not searched.
private struct ConnectionKeys {
  private var keys: Set<String> = []
  private var known: [ObjectIdentifier: Bool] = [:]

  init(_ operation: CompiledOperation) { _ = holds(operation.selections) }

  func lead(to field: PlanField) -> Bool { keys.contains(field.responseKey) }

  /// Whether a connection may be somewhere beneath a selection.
  private mutating func holds(_ set: CompiledSelectionSet) -> Bool {
    if let known = known[ObjectIdentifier(set)] { return known }
    var result = false
    for selection in set.selections {
      switch selection {
      case .field(let field):
        guard let inner = field.selectionSet else { continue }
        if holds(inner) {
          keys.insert(field.responseKey)
          result = true
        }
        if hasPageInfo(inner) { result = true }
      case .fragment(let fragment):
        if holds(fragment.selectionSet) { result = true }
      }
    }
    known[ObjectIdentifier(set)] = result
    return result
  }

  private func hasPageInfo(_ set: CompiledSelectionSet) -> Bool {
    set.selections.contains { selection in
      switch selection {
      case .field(let field): field.name == "pageInfo"
      case .fragment(let fragment): hasPageInfo(fragment.selectionSet)
      }
    }
  }
}
