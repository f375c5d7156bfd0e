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
  private var json: JSONValue? { result.json ?? (data as? JSONValue) ?? (data as? any SelectionSet)?.__data.json }

  /// Whether the page has a list without items. If there are lists next to a page info, only these count; otherwise, all
  /// lists that are not nested in another list. A null list is empty.
  var isEmpty: Bool {
    guard let json else { return false }
    let lists = Lists(in: json)
    let counts = lists.besidePageInfo.isEmpty ? lists.all : lists.besidePageInfo
    return counts.isEmpty ? lists.hasNullBesidePageInfo : counts.allSatisfy { $0 == 0 }
  }

  /// Whether the operation selects pageable lists and the result has none of them.
  var lacksList: Bool {
    guard let json else { return false }
    return PageableListFinder.areAbsent(in: json, operation: query.compiled, variables: query.variables)
  }
}

extension BoundaryPage {
  var lacksList: Bool {
    switch self {
    case .first(let page): page.lacksList
    case .other(let page): page.lacksList
    }
  }
}

/// The lengths of the lists in a page's data.
private struct Lists {
  private static let pageInfoFields = ["hasNextPage", "hasPreviousPage", "endCursor", "startCursor"]

  var all: [Int] = []
  var besidePageInfo: [Int] = []
  var hasNullBesidePageInfo = false

  init(in data: JSONValue) { gather(data) }

  private mutating func gather(_ object: JSONValue) {
    var lists: [Int] = []
    var (hasPageInfo, hasNull) = (false, false)
    for member in object.members {
      switch member.value.kind {
      case .array: lists.append(member.value.count)
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
