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
  /// Whether the page has a list and nothing in it. Lists beside a page info count, and where there is none, all that are
  /// not inside of another list.
  var isEmpty: Bool {
    guard let data = result.json ?? (data as? JSONValue) ?? (data as? any SelectionSet)?.__data.json else {
      return false
    }
    let lists = Lists(in: data)
    let counts = lists.besidePageInfo.isEmpty ? lists.all : lists.besidePageInfo
    return !counts.isEmpty && counts.allSatisfy { $0 == 0 }
  }
}

/// The lengths of the lists in a page's data.
private struct Lists {
  private static let pageInfoFields = ["hasNextPage", "hasPreviousPage", "endCursor", "startCursor"]

  var all: [Int] = []
  var besidePageInfo: [Int] = []

  init(in data: JSONValue) { gather(data) }

  private mutating func gather(_ object: JSONValue) {
    var lists: [Int] = []
    var hasPageInfo = false
    for member in object.members {
      switch member.value.kind {
      case .array: lists.append(member.value.count)
      case .object:
        if Self.pageInfoFields.contains(where: { member.value[$0] != nil }) { hasPageInfo = true }
        gather(member.value)
      default: break
      }
    }
    all += lists
    if hasPageInfo { besidePageInfo += lists }
  }
}
