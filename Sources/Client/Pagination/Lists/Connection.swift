import ApusClientAPI
import ApusClientOperation
import ApusJSON

/// A connection in a result that can be paged: where it is, how far it goes, and how its other pages are asked for.
public struct Connection: Sendable, Hashable {
  /// Where the connection object is in the result.
  public internal(set) var path: ResponsePath
  /// The field's name in the schema.
  public let fieldName: String
  /// Under what response keys its lists stand: `edges`, or `nodes`; both where both are selected.
  public let listKeys: [String]
  /// Under what response key its page info stands.
  public let pageInfoKey: String
  /// Under what response keys the page info's fields stand, by their names; those that are not selected are absent.
  public let pageInfoKeys: [String: String]
  /// How the operation gives `after`, `before`, `first` and `last`.
  public let bindings: [String: ArgumentBinding]
  /// How many items a page has, where the operation says so.
  public let pageSize: Int?
  /// Whether it says so by `last`, which counts from the end.
  public let isSizedByLast: Bool
  /// How far this page goes, as the result tells.
  public let pageInfo: ConnectionPageInfo
  /// How many items the result has.
  public let itemCount: Int
  /// How many there are in all, where the connection tells (`totalCount`).
  public let totalCount: Int?

  /// Whether the next page can be asked for.
  public var canLoadNext: Bool { if case .cursor = pageInfo.target(.next) { true } else { false } }
  /// Whether the previous page can be asked for.
  public var canLoadPrevious: Bool {
    if case .cursor = pageInfo.target(.previous) { return true }
    return false
  }

  /// Where the connection's lists are in the result.
  public var listPaths: [ResponsePath] { listKeys.map { ResponsePath(path.components + [.key($0)]) } }

  /// The page info of another result of the same operation.
  func pageInfo(in data: JSONValue?) -> ConnectionPageInfo? {
    guard let object = data?.value(at: path)?[pageInfoKey], object.kind == .object else { return nil }
    return Self.pageInfo(object, keys: pageInfoKeys)
  }

  /// Whether another result of the operation has neither page info nor a list here: an empty page.
  private func isAbsent(in data: JSONValue?) -> Bool {
    guard let object = data?.value(at: path), object.kind == .object else { return true }
    return listKeys.allSatisfy { object[$0]?.kind != .array }
  }

  static func pageInfo(_ object: JSONValue, keys: [String: String]) -> ConnectionPageInfo? {
    let members = keys.compactMap { name, key in object[key].map { (name, $0) } }
    return ConnectionPageInfo(json: .object(members))
  }

  /// The operation for the page behind (or before) a cursor.
  public func operation(
    _ direction: PagingDirection, of cursor: PageCursor, from operation: DynamicOperation
  ) -> DynamicOperation {
    var change = ArgumentChange(path: path.keys, values: [], bindings: bindings)
    switch direction {
    case .next:
      change.values = [("after", cursor.json), ("before", nil)]
      if let pageSize, isSizedByLast { change.values += [("first", JSONValue(pageSize)), ("last", nil)] }
    case .previous:
      // The last ones before the cursor: `first` would take the list's beginning.
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

  /// What another page brings besides its items: the end of the page info that lies its way.
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
  /// The response keys on the way, without the indices of lists.
  var keys: [String] { components.compactMap { if case .key(let key) = $0 { key } else { nil } } }
}
