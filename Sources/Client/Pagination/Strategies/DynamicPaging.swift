import ApusClientAPI
import ApusJSON

/// A pager of an operation that someone typed: its data stays JSON, the pages' places go into variables.
public typealias DynamicQueryPager = GraphQLQueryPager<DynamicOperation, DynamicOperation>
/// How such a pager goes on.
public typealias DynamicPagingStrategy = PagingStrategy<DynamicOperation, DynamicOperation>

extension PagingStrategy where InitialQuery == DynamicOperation, PaginatedQuery == DynamicOperation {
  /// Forward by cursor: the connection at `path` tells in `pageInfo` whether there is more and where it begins; the
  /// cursor goes into the variable named `variable`.
  public static func cursorForward(path: ResponsePath, variable: String) -> PagingStrategy {
    PagingStrategy(next: cursorStep(.next, path) { [(variable, $0.json)] })
  }

  /// Backward by cursor.
  public static func cursorReverse(path: ResponsePath, variable: String) -> PagingStrategy {
    PagingStrategy(previous: cursorStep(.previous, path) { [(variable, $0.json)] })
  }

  /// Both ways; the cursor of the way not taken is null, as the two exclude each other.
  public static func cursorBoth(path: ResponsePath, after: String, before: String) -> PagingStrategy {
    PagingStrategy(
      next: cursorStep(.next, path) { [(after, $0.json), (before, .null)] },
      previous: cursorStep(.previous, path) { [(after, .null), (before, $0.json)] })
  }

  /// Both ways through the list at `path`, by the variables that hold its offset and its limit.
  public static func offset(path: ResponsePath, offset: String, limit: String) -> PagingStrategy {
    let pageInfo: OffsetReader = { edge in
      guard let size = edge.page.effective(limit)?.int else { return nil }
      let count = edge.page.data?.value(at: path)?.count ?? 0
      return OffsetPageInfo(offset: edge.page.effective(offset)?.int ?? 0, count: count, limit: size)
    }
    return PagingStrategy(
      next: { edge in
        guard let info = pageInfo(edge) else { return .end(.noPageInfo) }
        guard let slice = info.next else { return .end(.lastPage) }
        return .page(edge.page.query.setting([(offset, JSONValue(slice.offset)), (limit, JSONValue(slice.limit))]))
      },
      previous: { edge in
        guard let info = pageInfo(edge) else { return .end(.noPageInfo) }
        guard let slice = info.previous else { return .end(.lastPage) }
        return .page(edge.page.query.setting([(offset, JSONValue(slice.offset)), (limit, JSONValue(slice.limit))]))
      })
  }

  private static func cursorStep(
    _ direction: PagingDirection, _ path: ResponsePath,
    _ variables: @escaping @Sendable (PageCursor) -> [(String, JSONValue)]
  ) -> @Sendable (Edge) -> Step {
    { edge in
      let page = edge.page
      guard let connection = page.data?.value(at: path), !connection.isNull else { return .end(.lastPage) }
      switch ConnectionPageInfo(json: connection["pageInfo"])?.target(direction) {
      case nil: return .end(.noPageInfo)
      case .end(let end): return .end(end)
      case .cursor(let cursor): return .page(page.query.setting(variables(cursor)))
      }
    }
  }
}

extension Page where Query == DynamicOperation {
  /// A variable's value as the server saw it.
  fileprivate func effective(_ variable: String) -> JSONValue? {
    query.compiled.effectiveVariables(query.variables)[variable]
  }
}

extension DynamicOperation {
  /// The operation with other values for some variables.
  func setting(_ values: [(String, JSONValue)]) -> DynamicOperation {
    DynamicOperation(
      compiled: compiled, variables: values.reduce(variables) { $0.setting($1.0, to: $1.1) })
  }
}

extension JSONValue {
  /// The object with one member set; an empty object is the start where this is none.
  func setting(_ key: String, to value: JSONValue) -> JSONValue {
    guard kind == .object else { return .object([(key, value)]) }
    var members = self.members.map { ($0.key, $0.value) }
    if let index = members.firstIndex(where: { $0.0 == key }) {
      members[index].1 = value
    } else {
      members.append((key, value))
    }
    return .object(members)
  }
}
