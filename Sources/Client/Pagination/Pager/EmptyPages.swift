import ApusClientAPI
import ApusJSON

/// How many empty pages came last, one after the other, on either side.
struct EmptyPageCount: Sendable {
  private var next = 0
  private var previous = 0

  subscript(direction: PagingDirection) -> Int { direction == .next ? next : previous }

  /// A whole page came; `nil` stands for the first one, from which both sides begin.
  mutating func came(at direction: PagingDirection?, isEmpty: Bool) {
    if direction != .previous { next = isEmpty ? (direction == nil ? 1 : next + 1) : 0 }
    if direction != .next { previous = isEmpty ? (direction == nil ? 1 : previous + 1) : 0 }
  }
}

extension Page {
  private var json: JSONValue? { result.json ?? (data as? JSONValue) ?? (data as? any SelectionSet)?.__data.json }

  /// Whether the page has a list and nothing in it. Lists beside a page info count, and where there is none, all that are
  /// not inside of another list. A list that is null is empty.
  var isEmpty: Bool {
    guard let json else { return false }
    let lists = Lists(in: json)
    let counts = lists.besidePageInfo.isEmpty ? lists.all : lists.besidePageInfo
    return counts.isEmpty ? lists.hasNullBesidePageInfo : counts.allSatisfy { $0 == 0 }
  }

  /// Whether the operation selects lists with pages and the result has none of them.
  var lacksList: Bool {
    guard let json else { return false }
    return PageableListFinder.areAbsent(in: json, operation: query.compiled, variables: query.variables)
  }
}

extension EdgePage {
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
