import ApusClientAPI
import ApusClientOperation
import ApusJSON

/// A connection in a result: its location, its page info, and the arguments that request its other pages. Source: GraphQL
/// Cursor Connections Specification.
public struct PageableConnection: Sendable, Hashable {
  /// The path of the connection object in the result.
  public internal(set) var path: ResponsePath
  /// The field's name in the schema.
  public let fieldName: String
  /// The response keys of its lists: of `edges`, `nodes` or both, depending on the selection.
  public let listKeys: [String]
  /// The response key of its page info.
  public let pageInfoKey: String
  /// The response keys of the page info's fields, by field name. Fields that are not selected are absent.
  public let pageInfoKeys: [String: String]
  /// The bindings of the arguments `after`, `before`, `first` and `last`, by name. Missing arguments are absent.
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

  /// Whether the next page can be requested.
  public var canLoadNext: Bool { if case .cursor = pageInfo.target(.next) { true } else { false } }
  /// Whether the previous page can be requested.
  public var canLoadPrevious: Bool {
    if case .cursor = pageInfo.target(.previous) { return true }
    return false
  }

  /// The paths of the connection's lists in the result.
  public var listPaths: [ResponsePath] { listKeys.map { ResponsePath(path.components + [.key($0)]) } }

  /// Returns the page info in another result of the operation.
  func pageInfo(in data: JSONValue?) -> ConnectionPageInfo? {
    guard let object = data?.value(at: path)?[pageInfoKey], object.kind == .object else { return nil }
    return Self.pageInfo(object, keys: pageInfoKeys)
  }

  /// Returns whether another result of the operation has no list for the connection, which means that the page is empty.
  private func isAbsent(in data: JSONValue?) -> Bool {
    guard let object = data?.value(at: path), object.kind == .object else { return true }
    return listKeys.allSatisfy { object[$0]?.kind != .array }
  }

  static func pageInfo(_ object: JSONValue, keys: [String: String]) -> ConnectionPageInfo? {
    let members = keys.compactMap { name, key in object[key].map { (name, $0) } }
    return ConnectionPageInfo(json: .object(members))
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
    guard let info = next.value(at: path)?[pageInfoKey], info.kind == .object else { return data }
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

extension ResponsePath {
  /// The response keys of the path, without list indexes.
  var keys: [String] { components.compactMap { if case .key(let key) = $0 { key } else { nil } } }
}
