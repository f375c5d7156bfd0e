import ApusClientAPI
import ApusClientOperation
import ApusJSON

/// A connection in a result: its location, its page info, and the arguments that request its other pages. Source:
/// GraphQL Cursor Connections Specification.
public struct PageableConnection: Sendable, Hashable {
  /// The path of the connection object in the result.
  public internal(set) var path: ResponsePath
  /// The field's name in the schema.
  public let fieldName: String
  /// Response keys of its lists: of `edges`, `nodes` or both, depending on the selection.
  public let listKeys: [String]
  /// The response key of its page info; `nil` if none is selected. The edges have the cursors then, and an empty page
  /// is the end of the list.
  public let pageInfoKey: String?
  /// Response keys of the page info's fields, by field name. Fields that are not selected are absent.
  public let pageInfoKeys: [String: String]
  /// Response keys of the edges' cursors; `nil` if they are not selected.
  let edgeCursors: EdgeCursors?
  /// Bindings of the arguments `after`, `before`, `first` and `last`, by name. Missing arguments are absent.
  public let bindings: [String: ArgumentBinding]
  /// The number of items per page, or `nil` if the operation does not specify it.
  public let pageSize: Int?
  /// Whether the page size is specified by `last`, which counts from the end of the list.
  public let isSizedByLast: Bool
  /// The page info in the result.
  public let pageInfo: ConnectionPageInfo
  /// The number of items in the result.
  public let itemCount: Int
  /// The total number of items (`totalCount`), or `nil` if the result does not contain it.
  public let totalCount: Int?

  init(
    path: ResponsePath, fieldName: String, listKeys: [String], pageInfoKey: String?, pageInfoKeys: [String: String],
    edgeCursors: EdgeCursors?, bindings: [String: ArgumentBinding], pageSize: Int?, isSizedByLast: Bool,
    object: JSONValue, itemCount: Int, totalCount: Int?
  ) {
    self.path = path
    self.fieldName = fieldName
    self.listKeys = listKeys
    self.pageInfoKey = pageInfoKey
    self.pageInfoKeys = pageInfoKeys
    self.edgeCursors = edgeCursors
    self.bindings = bindings
    self.pageSize = pageSize
    self.isSizedByLast = isSizedByLast
    self.itemCount = itemCount
    self.totalCount = totalCount
    pageInfo =
      Self.pageInfo(of: object, infoKey: pageInfoKey, keys: pageInfoKeys, cursors: edgeCursors) ?? ConnectionPageInfo()
  }

  /// The direction of the pages after the first one: backward if the operation has `last`, or `before` without `first`
  /// and `after`.
  package var direction: PagingDirection {
    isSizedByLast || bindings["before"] != nil && bindings["first"] == nil && bindings["after"] == nil
      ? .previous : .next
  }

  /// Whether the next page can be requested.
  public var canLoadNext: Bool { if case .cursor = pageInfo.target(.next) { true } else { false } }
  /// Whether the previous page can be requested.
  public var canLoadPrevious: Bool {
    if case .cursor = pageInfo.target(.previous) { return true }
    return false
  }

  /// The reason why no further page can be requested in the direction of the list; `nil` if one can.
  var end: PagingStopReason? {
    switch pageInfo.target(direction) {
    case .cursor: nil
    case .end(let reason): reason
    }
  }

  /// Paths of the connection's lists in the result.
  public var listPaths: [ResponsePath] { listKeys.map { ResponsePath(path.components + [.key($0)]) } }

  /// Returns the page info in another result of the operation.
  func pageInfo(in data: JSONValue?) -> ConnectionPageInfo? {
    guard let object = data?.value(at: path), object.kind == .object else { return nil }
    return Self.pageInfo(of: object, infoKey: pageInfoKey, keys: pageInfoKeys, cursors: edgeCursors)
  }

  /// Returns whether another result of the operation has no list for the connection, which means that the page is
  /// empty.
  private func isAbsent(in data: JSONValue?) -> Bool {
    guard let object = data?.value(at: path), object.kind == .object else { return true }
    return listKeys.allSatisfy { object[$0]?.kind != .array }
  }

  /// Returns the page info of a connection object, with the cursors of its edges if the page info has none.
  private static func pageInfo(
    of object: JSONValue, infoKey: String?, keys: [String: String], cursors: EdgeCursors?
  ) -> ConnectionPageInfo? {
    let edges = cursors.flatMap { object[$0.edgesKey] }
    var info = ConnectionPageInfo(hasNextPage: (edges?.count ?? 0) > 0, hasPreviousPage: (edges?.count ?? 0) > 0)
    if let infoKey {
      guard let value = object[infoKey], value.kind == .object else { return nil }
      let members = keys.compactMap { name, key in value[key].map { (name, $0) } }
      info = ConnectionPageInfo(json: .object(members)) ?? info
    }
    if let cursors, let edges, edges.count > 0 {
      let (first, last) = (edges[0], edges[edges.count - 1])
      if keys["endCursor"] == nil { info.endCursor = last?[cursors.cursorKey].map(PageCursor.init) }
      if keys["startCursor"] == nil { info.startCursor = first?[cursors.cursorKey].map(PageCursor.init) }
    }
    return info
  }

  /// Returns the operation that requests the page after (or before) a cursor.
  ///
  /// - Parameters:
  ///   - direction: The direction of the page.
  ///   - cursor: The cursor of the last (or first) item.
  ///   - operation: The operation of a page of this connection.
  public func operation(
    _ direction: PagingDirection, of cursor: PageCursor, from operation: DynamicOperation
  ) -> DynamicOperation {
    var change = ArgumentChange(path: path.keys, values: [], bindings: bindings)
    switch direction {
    case .next:
      change.values = [("after", cursor.json), ("before", nil)]
      if let pageSize, isSizedByLast { change.values += [("first", JSONValue(pageSize)), ("last", nil)] }
    case .previous:
      // Requests the last items before the cursor; `first` would request the beginning of the list.
      change.values = [("before", cursor.json), ("after", nil)]
      if let pageSize, !isSizedByLast { change.values += [("last", JSONValue(pageSize)), ("first", nil)] }
    }
    return change.apply(to: operation)
  }

  func step(_ direction: PagingDirection, from page: Page<DynamicOperation>) -> DynamicPagingStrategy.Step {
    switch pageInfo(in: page.data)?.target(direction) {
    case nil: .end(isAbsent(in: page.data) ? .lastPage : .noPageInfo)
    case .end(let end): .end(end)
    case .cursor(let cursor): .page(operation(direction, of: cursor, from: page.query))
    }
  }

  /// Returns the data with the page info of another page for its end of the list.
  func mergePageInfo(_ next: JSONValue, into data: JSONValue, _ direction: PagingDirection) -> JSONValue {
    guard let pageInfoKey, let info = next.value(at: path)?[pageInfoKey], info.kind == .object else { return data }
    let names = direction == .next ? ["hasNextPage", "endCursor"] : ["hasPreviousPage", "startCursor"]
    var merged = data
    for key in names.compactMap({ pageInfoKeys[$0] }) {
      guard let value = info[key] else { continue }
      let place = ResponsePath(path.components + [.key(pageInfoKey), .key(key)])
      if let changed = try? merged.replacing(at: place, with: value) { merged = changed }
    }
    return merged
  }
}

/// The response keys of a connection's edges and of their cursors.
struct EdgeCursors: Sendable, Hashable {
  let edgesKey: String
  let cursorKey: String
}

extension ResponsePath {
  /// Response keys of the path, without list indexes.
  var keys: [String] { components.compactMap { if case .key(let key) = $0 { key } else { nil } } }
}
