import JSON

/// How a pager gets from one page to the next: a value of a few functions, so that a new kind of paging is a few lines.
public struct PagingStrategy: Sendable {
  /// What comes after (or before) a page.
  public enum Step: Sendable {
    case page(PageRequest)
    case end(PagingEnd)
  }

  /// From the last page forward.
  public let next: @Sendable (_ page: Page) -> Step
  /// From the first page backward; `nil` where there is no way back.
  public let previous: (@Sendable (_ page: Page) -> Step)?

  public init(
    next: @escaping @Sendable (_ page: Page) -> Step, previous: (@Sendable (_ page: Page) -> Step)? = nil
  ) {
    self.next = next
    self.previous = previous
  }

  /// Forward by cursor: the connection at `path` tells in `pageInfo` whether there is more and where it begins; the
  /// cursor goes into the variable named `variable`.
  public static func cursorForward(path: ResponsePath, variable: String) -> PagingStrategy {
    PagingStrategy(next: { page in
      guard let info = page.result.data?.value(at: path)?["pageInfo"], let hasNext = info["hasNextPage"]?.bool else {
        return .end(.noPageInfo)
      }
      guard hasNext else { return .end(.lastPage) }
      guard let cursor = info["endCursor"], cursor.string != "", !cursor.isNull else { return .end(.emptyCursor) }
      let variables = page.variables.setting(variable, to: cursor)
      return .page(PageRequest(operation: page.request.operation, variables: variables))
    })
  }

  /// Forward through a connection that was found in a result: its pages are asked for by variable, or by rewriting the
  /// argument in the operation.
  public static func forward(through connection: Connection) -> PagingStrategy {
    PagingStrategy(next: { page in connection.step(after: page) })
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
