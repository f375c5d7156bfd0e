import ClientOperation
import JSON

/// A connection in a result that can be paged: where it is, how far it goes, and how its next page is asked for.
public struct Connection: Sendable, Hashable {
  /// How the operation gives the connection's cursor.
  public enum CursorBinding: Sendable, Hashable {
    /// By a variable, which is set for the next page.
    case variable(String)
    /// By a literal, which is rewritten.
    case literal
    /// Not at all: the argument is added.
    case absent
  }

  /// Where the connection object is in the result.
  public let path: ResponsePath
  /// The field's name in the schema.
  public let fieldName: String
  /// Under what response key its list stands: `edges`, or `nodes`; both where both are selected.
  public let listKeys: [String]
  public let pageInfoKey: String
  public let hasNextPageKey: String
  public let endCursorKey: String
  /// The argument that takes the cursor.
  public let cursorArgument: String
  public let binding: CursorBinding
  /// Whether the result says that there is more.
  public let hasNextPage: Bool
  /// Where the next page begins; `nil` when the server gave none.
  public let endCursor: String?
  /// How many items the result has.
  public let itemCount: Int
  /// How many there are in all, where the connection tells (`totalCount`).
  public let totalCount: Int?

  /// Whether the next page can be asked for.
  public var canLoadNext: Bool { hasNextPage && endCursor?.isEmpty == false }

  /// Where the connection's lists are in the result.
  public var listPaths: [ResponsePath] { listKeys.map { ResponsePath(path.components + [.key($0)]) } }

  /// What comes after a page of this connection.
  public func step(after page: Page) -> PagingStrategy.Step {
    guard let data = page.result.data, let info = data.value(at: path)?[pageInfoKey],
      let hasNext = info[hasNextPageKey]?.bool
    else { return .end(.noPageInfo) }
    guard hasNext else { return .end(.lastPage) }
    guard let cursor = info[endCursorKey], !cursor.isNull, cursor.string != "" else { return .end(.emptyCursor) }
    return .page(request(after: cursor, from: page.request))
  }

  /// The request for the page that begins behind a cursor.
  public func request(after cursor: JSONValue, from request: PageRequest) -> PageRequest {
    switch binding {
    case .variable(let name):
      return PageRequest(operation: request.operation, variables: request.variables.setting(name, to: cursor))
    case .literal, .absent:
      let keys = path.components.compactMap { if case .key(let key) = $0 { key } else { nil } }
      let rewriter = CursorRewriter(path: keys, argument: cursorArgument, cursor: cursor)
      return PageRequest(operation: rewriter.rewrite(request.operation), variables: request.variables)
    }
  }

  /// The data with the next page's items behind its own, and the next page's `pageInfo`.
  ///
  /// Items that a later page repeats (told by their `cursor` and their node's `id`) are left out.
  public func merge(_ next: JSONValue, into data: JSONValue) -> JSONValue {
    guard let connection = next.value(at: path), connection.kind == .object else { return data }
    var merged = data
    for (key, listPath) in zip(listKeys, listPaths) {
      guard let items = connection[key], items.kind == .array, let old = merged.value(at: listPath) else { continue }
      let known = Set(old.elements.suffix(items.count).compactMap(Self.identity))
      let new = items.elements.filter { item in Self.identity(item).map { !known.contains($0) } ?? true }
      if let changed = try? merged.appending(Array(new), at: listPath) { merged = changed }
    }
    if let info = connection[pageInfoKey],
      let changed = try? merged.replacing(at: ResponsePath(path.components + [.key(pageInfoKey)]), with: info)
    {
      merged = changed
    }
    return merged
  }

  private static func identity(_ item: JSONValue) -> JSONValue? {
    let node = item["node"] ?? item
    guard let id = node["id"] ?? node["nodeId"] ?? node["_id"], !id.isNull else { return nil }
    return .array([node["__typename"] ?? .null, id])
  }
}
