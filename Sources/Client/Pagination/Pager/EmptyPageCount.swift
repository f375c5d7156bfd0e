import ApusClientAPI
import ApusJSON

/// The number of consecutive empty pages at each end.
struct EmptyPageCount: Sendable {
  private var next = 0
  private var previous = 0

  subscript(direction: PagingDirection) -> Int { direction == .next ? next : previous }

  /// Records a completely loaded page. `nil` is the initial page, which counts for both directions.
  mutating func came(at direction: PagingDirection?, isEmpty: Bool) {
    if direction != .previous { next = isEmpty ? (direction == nil ? 1 : next + 1) : 0 }
    if direction != .next { previous = isEmpty ? (direction == nil ? 1 : previous + 1) : 0 }
  }
}

extension Page {
  /// Whether the page has a list without items. If there are lists next to a page info, only these count; otherwise, all
  /// lists that are not nested in another list. A null list is empty.
  var isEmpty: Bool {
    guard let json else { return false }
    let lists = Lists(in: json)
    return lists.paged.isEmpty ? lists.hasNullBesidePageInfo : lists.paged.allSatisfy { $0.count == 0 }
  }

  /// The items of the lists that `isEmpty` looks at, in their order.
  var items: [JSONValue] { json.map { Lists(in: $0).paged.flatMap { Array($0.elements) } } ?? [] }

  /// Whether the operation selects pageable lists and the result has none of them.
  var lacksList: Bool {
    guard let json else { return false }
    return PageableListFinder.areAbsent(in: json, operation: query.compiled, variables: query.variables)
  }
}

extension BoundaryPage {
  var items: [JSONValue] {
    switch self {
    case .first(let page): page.items
    case .other(let page): page.items
    }
  }

  var lacksList: Bool {
    switch self {
    case .first(let page): page.lacksList
    case .other(let page): page.lacksList
    }
  }

  var errors: [GraphQLError] {
    switch self {
    case .first(let page): page.errors
    case .other(let page): page.errors
    }
  }
}

/// The lists of a page's data that are not nested in another list.
private struct Lists {
  private static let pageInfoFields = ["hasNextPage", "hasPreviousPage", "endCursor", "startCursor"]

  private var all: [JSONValue] = []
  private var besidePageInfo: [JSONValue] = []
  private(set) var hasNullBesidePageInfo = false

  init(in data: JSONValue) { gather(data) }

  /// The lists next to a page info; all lists if there is none.
  var paged: [JSONValue] { besidePageInfo.isEmpty ? all : besidePageInfo }

  private mutating func gather(_ object: JSONValue) {
    var lists: [JSONValue] = []
    var (hasPageInfo, hasNull) = (false, false)
    for member in object.members {
      switch member.value.kind {
      case .array: lists.append(member.value)
      case .object:
        if Self.pageInfoFields.contains(where: { member.value[$0] != nil }) { hasPageInfo = true }
        gather(member.value)
      case .null: hasNull = true
      default: break
      }
    }
    all += lists
    if hasPageInfo { besidePageInfo += lists }
    if hasPageInfo, hasNull { hasNullBesidePageInfo = true }
  }
}
