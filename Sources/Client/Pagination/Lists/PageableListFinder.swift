import ApusClientOperation
import ApusGraphQLSchema
import ApusJSON

/// Finds the lists in a result whose other pages can be requested.
///
/// - A connection is an object whose selections include `edges` or `nodes`, and a `pageInfo` with `hasNextPage` and
///   `endCursor` or with `hasPreviousPage` and `startCursor`. Field names count, not aliases. Source: GraphQL Cursor
///   Connections Specification.
/// - An offset list is a list, or the list in an object, whose field has an argument `offset`, `skip`, `page` or
///   `pageNumber`, in the operation or in the schema.
public enum PageableListFinder {
  /// Returns the lists, outer ones first. If each item of a list has a pageable list, all of these are returned, up to
  /// a limit of 500.
  public static func lists(
    in data: JSONValue, operation: CompiledOperation, variables: JSONValue = .object([])
  ) -> [PageableList] {
    lists(in: data, operation: operation, variables: variables, schema: nil)
  }

  package static func lists(
    in data: JSONValue, operation: CompiledOperation, variables: JSONValue = .object([]), schema: Schema?
  ) -> [PageableList] {
    let plan = SelectionPlan(operation: operation, variables: variables)
    var search = PageableListSearch(
      variables: plan.variables, schema: schema, keys: PageableKeys(operation, schema: schema))
    search.visit(data, node: plan.root, path: [])
    return search.found.sorted { $0.path.components.count < $1.path.components.count }
  }

  /// Returns whether an operation selects a list whose other pages can be requested, whatever its result contains.
  package static func selectsList(_ operation: CompiledOperation) -> Bool {
    PageableKeys(operation, schema: nil).hasCandidates
  }

  /// Returns a variable that is the cursor, offset or page number of a list and has another use in the operation as
  /// well; `nil` if there is none. Other pages need another document then.
  package static func sharedVariable(in operation: CompiledOperation) -> String? {
    VariableUses(in: operation).sharedPagingVariable(
      ["after", "before"] + PagingArgumentNames.offsets + PagingArgumentNames.pages)
  }

  /// Returns whether a result has none of the lists that its operation selects: they, or objects that contain them, are
  /// null or missing. Such lists are empty pages.
  package static func areAbsent(
    in data: JSONValue, operation: CompiledOperation, variables: JSONValue = .object([])
  ) -> Bool {
    let keys = PageableKeys(operation, schema: nil)
    guard keys.hasCandidates else { return false }
    let plan = SelectionPlan(operation: operation, variables: variables)
    var search = PageableListSearch(variables: plan.variables, schema: nil, keys: keys)
    search.visit(data, node: plan.root, path: [])
    return !search.hasCandidate
  }
}

/// The argument and field names that identify offset lists.
enum PagingArgumentNames {
  static let cursors = ["after", "before", "first", "last"]
  static let offsets = ["offset", "skip"]
  static let pages = ["page", "pageNumber"]
  static let offsetSizes = ["limit", "take", "first", "count"]
  static let pageSizes = ["perPage", "per_page", "pageSize", "page_size", "size", "limit", "first"]
  static let lists = ["items", "nodes", "results", "data", "records", "rows", "content", "edges", "list"]
  static let totals = ["totalCount", "total", "count", "total_count"]
}

private struct PageableListSearch {
  let variables: JSONValue
  let schema: Schema?
  let keys: PageableKeys
  var found: [PageableList] = []
  /// Whether the data has a list or page info at any path where the operation selects a pageable list.
  private(set) var hasCandidate = false

  /// The maximum number of lists to find. Ten thousand objects with a list each would not be a useful choice.
  private static let limit = 500

  mutating func visit(_ value: JSONValue, node: PlanNode, path: [PathComponent]) {
    guard found.count < Self.limit else { return }
    switch value.kind {
    case .array:
      for (index, element) in value.elements.enumerated() {
        visit(element, node: node, path: path + [.index(index)])
        if found.count >= Self.limit { return }
      }
    case .object:
      let typename = node.typename(of: value)
      for field in node.fields(for: typename).fields {
        guard let member = value[field.responseKey], !member.isNull else { continue }
        let place = path + [.key(field.responseKey)]
        if keys.isCandidate(field) {
          if holdsPage(member, field) { hasCandidate = true }
          if let list = list(member, field: field, in: typename, path: place) { found.append(list) }
        }
        if let child = field.child, keys.mayContainList(to: field) { visit(member, node: child, path: place) }
      }
    default: break
    }
  }

  private func list(
    _ value: JSONValue, field: PlanField, in typename: String?, path: [PathComponent]
  ) -> PageableList? {
    if value.kind == .object, let node = field.child,
      let connection = connection(value, node: node, field: field, path: path)
    {
      return .connection(connection)
    }
    return offsetList(value, field: field, in: typename, path: path).map { .offset($0) }
  }

  /// Returns whether a value is a list, or an object with a list or page info.
  private func holdsPage(_ value: JSONValue, _ field: PlanField) -> Bool {
    guard value.kind == .object, let node = field.child else { return value.kind == .array }
    return node.fields(for: node.typename(of: value)).fields.contains { inner in
      guard let member = value[inner.responseKey] else { return false }
      return member.kind == .array || member.kind == .object && inner.field.name == "pageInfo"
    }
  }

  // MARK: Connections

  private func connection(
    _ object: JSONValue, node: PlanNode, field: PlanField, path: [PathComponent]
  ) -> PageableConnection? {
    let fields = node.fields(for: node.typename(of: object)).fields
    // A null list is empty. Prefer lists that are not null.
    let selected = fields.filter { ["edges", "nodes"].contains($0.field.name) && $0.child != nil }
    let lists =
      selected.filter { object[$0.responseKey]?.kind == .array }
      + selected.filter { object[$0.responseKey]?.isNull == true }
    guard let first = lists.first else { return nil }
    let bindings = bindings(of: PagingArgumentNames.cursors, in: field.field)
    let cursors = edgeCursors(in: object, lists)
    let info = pageInfo(in: object, fields)
    // Without page info, only arguments distinguish a connection from another object with edges.
    guard info == nil ? cursors != nil && !bindings.isEmpty : info?.isSufficient(withCursors: cursors != nil) == true
    else { return nil }
    let arguments = field.field.argumentValues(variables: variables)
    let size = arguments.first { ["first", "last"].contains($0.name) && $0.value.int != nil }
    return PageableConnection(
      path: ResponsePath(path), fieldName: field.field.name, listKeys: lists.map(\.responseKey),
      pageInfoKey: info?.key, pageInfoKeys: info?.keys ?? [:], edgeCursors: cursors, bindings: bindings,
      pageSize: size?.value.int, isSizedByLast: size?.name == "last",
      object: object, itemCount: object[first.responseKey]?.count ?? 0, totalCount: total(fields, object)?.count)
  }

  /// The selected fields of a page info.
  private struct SelectedPageInfo {
    let key: String
    /// Response keys, by field name.
    let keys: [String: String]

    /// Whether the fields for one direction are selected. The edges may have the cursors.
    func isSufficient(withCursors: Bool) -> Bool {
      keys["hasNextPage"] != nil && (withCursors || keys["endCursor"] != nil)
        || keys["hasPreviousPage"] != nil && (withCursors || keys["startCursor"] != nil)
    }
  }

  private func pageInfo(in object: JSONValue, _ fields: [PlanField]) -> SelectedPageInfo? {
    guard let info = fields.first(where: { $0.field.name == "pageInfo" }), let node = info.child,
      let value = object[info.responseKey], value.kind == .object
    else { return nil }
    let selected = node.fields(for: node.typename(of: value)).fields.map { ($0.field.name, $0.responseKey) }
    return SelectedPageInfo(
      key: info.responseKey, keys: Dictionary(selected, uniquingKeysWith: { first, _ in first }))
  }

  /// Returns the response keys of the edges and of their cursors, if they are selected.
  private func edgeCursors(in object: JSONValue, _ lists: [PlanField]) -> EdgeCursors? {
    guard let edges = lists.first(where: { $0.field.name == "edges" }), let node = edges.child else { return nil }
    let edge = object[edges.responseKey]?.elements.first { $0.kind == .object } ?? .null
    let cursor = node.fields(for: node.typename(of: edge)).fields.first { $0.field.name == "cursor" }
    return cursor.map { EdgeCursors(edgesKey: edges.responseKey, cursorKey: $0.responseKey) }
  }

  private func total(_ fields: [PlanField], _ object: JSONValue) -> (key: String, count: Int)? {
    for name in PagingArgumentNames.totals {
      guard let field = fields.first(where: { $0.field.name == name }), let count = object[field.responseKey]?.int
      else { continue }
      return (field.responseKey, count)
    }
    return nil
  }

  // MARK: Offset lists

  private func offsetList(
    _ value: JSONValue, field: PlanField, in typename: String?, path: [PathComponent]
  ) -> OffsetList? {
    let arguments = Set(keys.arguments(of: field.field, in: typename))
    let unit: OffsetList.Unit
    let argument: String
    if let name = PagingArgumentNames.offsets.first(where: arguments.contains) {
      (unit, argument) = (.items, name)
    } else if let name = PagingArgumentNames.pages.first(where: arguments.contains) {
      (unit, argument) = (.pages, name)
    } else {
      return nil
    }
    let sizes = unit == .items ? PagingArgumentNames.offsetSizes : PagingArgumentNames.pageSizes
    let size = sizes.first(where: arguments.contains)
    let fields = field.child.map { $0.fields(for: $0.typename(of: value)).fields } ?? []
    guard let listKey = listKey(value, fields) else { return nil }
    let listPath = ResponsePath(path + (listKey.isEmpty ? [] : [.key(listKey)]))
    let items = listKey.isEmpty ? value : value[listKey]
    let values = field.field.argumentValues(variables: variables)
    let total = value.kind == .object ? total(fields, value) : nil
    return OffsetList(
      path: ResponsePath(path), listPath: listPath, fieldName: field.field.name, unit: unit, placeArgument: argument,
      sizeArgument: size, bindings: bindings(of: [argument] + [size].compactMap { $0 }, in: field.field),
      place: values.first { $0.name == argument }?.value.int,
      pageSize: size.flatMap { name in values.first { $0.name == name }?.value.int }, itemCount: items?.count ?? 0,
      totalKey: total?.key, totalCount: total?.count)
  }

  /// Returns the response key of the list in an object: empty if the value itself is the list, `nil` if there is none.
  private func listKey(_ value: JSONValue, _ fields: [PlanField]) -> String? {
    if value.kind == .array { return "" }
    let lists = fields.filter { value[$0.responseKey]?.kind == .array }
    for name in PagingArgumentNames.lists {
      if let field = lists.first(where: { $0.field.name == name }) { return field.responseKey }
    }
    return lists.count == 1 ? lists[0].responseKey : nil
  }

  private func bindings(of names: [String], in field: CompiledField) -> [String: ArgumentBinding] {
    var bindings: [String: ArgumentBinding] = [:]
    for name in names {
      let binding = field.binding(of: name)
      if binding != .absent { bindings[name] = binding }
    }
    return bindings
  }
}

/// The response keys of an operation below which pageable lists can occur, so that other data is not searched.
private struct PageableKeys {
  private let schema: Schema?
  private var leading: Set<String> = []
  private var candidates: Set<String> = []
  private var holdsList: [ObjectIdentifier: Bool] = [:]

  init(_ operation: CompiledOperation, schema: Schema?) {
    self.schema = schema
    _ = holds(operation.selections, in: operation.rootTypeName)
  }

  var hasCandidates: Bool { !candidates.isEmpty }
  func mayContainList(to field: PlanField) -> Bool { leading.contains(field.responseKey) }
  func isCandidate(_ field: PlanField) -> Bool { candidates.contains(field.responseKey) }

  /// Returns the arguments of a field: those in the operation and those in the schema.
  func arguments(of field: CompiledField, in typename: String?) -> [String] {
    let given = field.arguments.map(\.name)
    guard let typename, let definition = schema?.type(named: typename)?.field(named: field.name) else { return given }
    return given + definition.arguments.map(\.name)
  }

  /// Returns whether a selection set can contain a pageable list at any depth.
  private mutating func holds(_ set: CompiledSelectionSet, in typename: String?) -> Bool {
    if let holdsList = holdsList[ObjectIdentifier(set)] { return holdsList }
    var result = false
    for selection in set.selections {
      switch selection {
      case .field(let field):
        let inner = field.selectionSet
        if let inner, holds(inner, in: inner.parentType ?? field.type?.name) {
          leading.insert(field.responseKey)
          result = true
        }
        if inner.map({ isConnection($0, of: field) }) == true || takesPlace(field, in: set.parentType ?? typename) {
          candidates.insert(field.responseKey)
          result = true
        }
      case .fragment(let fragment):
        if holds(fragment.selectionSet, in: fragment.typeCondition ?? set.parentType ?? typename) { result = true }
      }
    }
    holdsList[ObjectIdentifier(set)] = result
    return result
  }

  private func takesPlace(_ field: CompiledField, in typename: String?) -> Bool {
    arguments(of: field, in: typename).contains {
      PagingArgumentNames.offsets.contains($0) || PagingArgumentNames.pages.contains($0)
    }
  }

  /// Returns whether a field's selection set has a list, and a page info for one direction. The edges may have the
  /// cursors; then the arguments of the field can replace the page info.
  private func isConnection(_ set: CompiledSelectionSet, of field: CompiledField) -> Bool {
    let fields = Self.fields(of: set)
    let lists = fields.filter { ["edges", "nodes"].contains($0.name) && $0.selectionSet != nil }
    guard !lists.isEmpty else { return false }
    let edges = lists.filter { $0.name == "edges" }.compactMap(\.selectionSet).flatMap(Self.fields)
    let hasCursors = edges.contains { $0.name == "cursor" }
    let infos = fields.filter { $0.name == "pageInfo" }.compactMap(\.selectionSet).flatMap(Self.fields)
    let names = Set(infos.map(\.name))
    if names.isEmpty { return hasCursors && field.arguments.contains { PagingArgumentNames.cursors.contains($0.name) } }
    return names.contains("hasNextPage") && (hasCursors || names.contains("endCursor"))
      || names.contains("hasPreviousPage") && (hasCursors || names.contains("startCursor"))
  }

  /// Returns the fields of a selection set, including those of its fragments.
  private static func fields(of set: CompiledSelectionSet) -> [CompiledField] {
    var fields: [CompiledField] = []
    var visited: Set<ObjectIdentifier> = []
    func collect(_ set: CompiledSelectionSet) {
      guard visited.insert(ObjectIdentifier(set)).inserted else { return }
      for selection in set.selections {
        switch selection {
        case .field(let field): fields.append(field)
        case .fragment(let fragment): collect(fragment.selectionSet)
        }
      }
    }
    collect(set)
    return fields
  }
}
