import ApusClientAPI
import ApusJSON

/// A pager of an operation with untyped JSON data. Cursors and offsets are passed in variables.
public typealias DynamicQueryPager = GraphQLQueryPager<DynamicOperation, DynamicOperation>
/// A paging strategy of an operation with untyped JSON data.
public typealias DynamicPagingStrategy = PagingStrategy<DynamicOperation, DynamicOperation>

extension PagingStrategy where InitialQuery == DynamicOperation, PaginatedQuery == DynamicOperation {
  /// Returns a strategy that loads next pages of the connection at `path`, as its `pageInfo` field describes. The cursor is
  /// passed in the given variable.
  public static func cursorForward(path: ResponsePath, variable: String) -> PagingStrategy {
    PagingStrategy(next: cursorStep(.next, path) { [(variable, $0.json)] })
  }

  /// Returns a strategy that loads previous pages of the connection at `path`. The cursor is passed in the given variable.
  public static func cursorReverse(path: ResponsePath, variable: String) -> PagingStrategy {
    PagingStrategy(previous: cursorStep(.previous, path) { [(variable, $0.json)] })
  }

  /// Returns a strategy for both directions. The cursor variable of the other direction is null, because they exclude each
  /// other.
  public static func cursorBoth(path: ResponsePath, after: String, before: String) -> PagingStrategy {
    PagingStrategy(
      next: cursorStep(.next, path) { [(after, $0.json), (before, .null)] },
      previous: cursorStep(.previous, path) { [(after, .null), (before, $0.json)] })
  }

  /// Returns a strategy for both directions of the list at `path`, with variables for the offset and the limit.
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
      }
    ).endingAtRepeatedItems()
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
  /// Returns the effective value of a variable, including defaults.
  fileprivate func effective(_ variable: String) -> JSONValue? {
    query.compiled.effectiveVariables(query.variables)[variable]
  }
}

extension DynamicOperation {
  /// Returns the operation with new values for some variables.
  func setting(_ values: [(String, JSONValue)]) -> DynamicOperation {
    DynamicOperation(
      compiled: compiled, variables: values.reduce(variables) { $0.setting($1.0, to: $1.1) })
  }
}

extension JSONValue {
  /// Returns the object with one member set. Other values are treated as an empty object.
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
