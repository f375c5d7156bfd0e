import ApusClientRecords
import ApusJSON

/// A range of a connection, assembled from cached pages: `birds(first: 20)` from two pages with ten birds each.
///
/// Starting at the requested cursor, edges are taken page by page as long as each page continues the previous one.
/// There is no range if a page or an edge is missing before the limit is reached, or if arguments of both directions
/// are given.
///
/// A server needs to report whether more items follow only in the direction of the request, so `false` for the other
/// direction is ignored. Source: GraphQL Cursor Connections Specification, "Pagination algorithm" and "PageInfo".
struct ConnectionSlice {
  /// A page as it was received.
  struct Page {
    /// The field that refers to the page's record.
    let field: FieldID
    let record: RecordID
    let arguments: JSONValue
    let edges: [StoredValue]
    let nodes: [StoredValue]
    let cursors: [String?]
    let pageInfo: RecordID?

    var count: Int { max(edges.count, nodes.count) }

    func has(_ argument: String) -> Bool { arguments[argument].map { !$0.isNull } ?? false }
  }

  /// A paging direction, with its names in the specification.
  private enum Direction {
    case forward, backward

    /// Names of the arguments for the number of items and for the cursor where they begin.
    var limit: String { self == .forward ? "first" : "last" }
    var begin: String { self == .forward ? "after" : "before" }
    /// The fields of a page info for the end of a page in this direction: whether more items follow, and the last
    /// cursor.
    var flag: String { self == .forward ? "hasNextPage" : "hasPreviousPage" }
    var endCursor: String { self == .forward ? "endCursor" : "startCursor" }
    var opposite: Direction { self == .forward ? .backward : .forward }

    func index(after index: Int) -> Int { self == .forward ? index + 1 : index - 1 }
    func firstIndex(of page: Page) -> Int { self == .forward ? 0 : page.count - 1 }
  }

  /// Fields of the pages that the range consists of.
  private(set) var fields: [FieldID] = []
  private(set) var edges: [StoredValue] = []
  private(set) var nodes: [StoredValue] = []
  private(set) var first: Page
  private(set) var last: Page
  private(set) var hasNextPage = false
  private(set) var hasPreviousPage = false
  private(set) var startCursor: String?
  private(set) var endCursor: String?

  /// The fields of the range's page info that differ from those of its pages.
  var pageInfo: [(name: String, value: JSONValue)] {
    let flags = [("hasNextPage", JSONValue(hasNextPage)), ("hasPreviousPage", JSONValue(hasPreviousPage))]
    let cursors = [("startCursor", startCursor), ("endCursor", endCursor)]
    return flags + cursors.compactMap { name, cursor in cursor.map { (name, JSONValue($0)) } }
  }

  private var count: Int { max(edges.count, nodes.count) }

  /// Creates the range that a field requests. Returns `nil` if the pages that may be read do not contain it.
  ///
  /// - Parameter key: The field's key in the record, such as `birds({"first":10})`.
  init?(_ key: String, of id: RecordID, in storage: StoredRecords, mayRead: (_ field: FieldID) -> Bool) {
    let requested = Self.arguments(of: key)
    func isWanted(_ argument: String) -> Bool { requested[argument].map { !$0.isNull } ?? false }
    let direction: Direction = isWanted("last") || isWanted("before") ? .backward : .forward
    if isWanted(direction.opposite.limit) || isWanted(direction.opposite.begin) { return nil }
    let pages = Self.pages(of: key, requested, of: id, in: storage, mayRead)
    let begin = requested[direction.begin]?.string
    guard let start = Self.position(after: begin, in: pages, direction, storage) else { return nil }
    (first, last) = (pages[start.page], pages[start.page])
    let limit = requested[direction.limit]?.int
    guard let end = walk(pages, from: start, begin, limit, direction, storage) else { return nil }
    let isBeginKnown = begin != nil
    switch direction {
    case .forward:
      last = end.page
      hasNextPage = end.hasMore
      hasPreviousPage = isBeginKnown || Self.flag("hasPreviousPage", of: first, in: storage) == true
    case .backward:
      first = end.page
      edges.reverse()
      nodes.reverse()
      hasPreviousPage = end.hasMore
      hasNextPage = isBeginKnown || Self.flag("hasNextPage", of: last, in: storage) == true
    }
    startCursor = edges.first.flatMap { Self.cursor(of: $0, in: storage) }
    endCursor = edges.last.flatMap { Self.cursor(of: $0, in: storage) }
    // A list of nodes has no cursors: use the last cursor of its page.
    switch direction {
    case .forward: endCursor = endCursor ?? end.cursor
    case .backward: startCursor = startCursor ?? end.cursor
    }
  }

  /// Returns the cached pages of a field that have the same arguments except for the paging arguments.
  private static func pages(
    of key: String, _ requested: JSONValue, of id: RecordID, in storage: StoredRecords, _ mayRead: (FieldID) -> Bool
  ) -> [Page] {
    let rest = withoutPaging(requested)
    return storage.pages(ofField: key, in: id).compactMap { slot -> Page? in
      guard slot.kind == .reference, storage.exists(slot.target), mayRead(slot.field) else { return nil }
      let arguments = Self.arguments(of: storage.fieldNames[slot.field])
      guard withoutPaging(arguments) == rest else { return nil }
      return Self.page(slot, arguments, in: storage)
    }
  }

  /// Takes edges page by page until there are enough or the list is known to end. Returns the last page, the cursor
  /// there, and whether more items follow; `nil` if the next page is not in the cache.
  private mutating func walk(
    _ pages: [Page], from start: Place, _ begin: String?, _ limit: Int?, _ direction: Direction,
    _ storage: StoredRecords
  ) -> (page: Page, cursor: String?, hasMore: Bool)? {
    var (number, index) = start
    var cursor = begin
    var visited: Set<RecordID> = []
    while true {
      let page = pages[number]
      visited.insert(page.record)
      fields.append(page.field)
      while page.cursors.indices.contains(index), count < limit ?? .max {
        if index < page.edges.count { edges.append(page.edges[index]) }
        if index < page.nodes.count { nodes.append(page.nodes[index]) }
        cursor = page.cursors[index] ?? cursor
        index = direction.index(after: index)
      }
      let isEnd = Self.isEnd(page, direction, storage)
      if isEnd || count == limit {
        return (page, cursor, hasMore: page.cursors.indices.contains(index) || !isEnd)
      }
      let edge = Self.text(direction.endCursor, of: page, in: storage) ?? cursor
      guard let next = Self.position(after: page, edge, in: pages, direction, storage),
        !visited.contains(pages[next.page].record)
      else { return nil }
      (number, index) = next
    }
  }

  private typealias Place = (page: Int, index: Int)

  /// Returns the position of the first item after a cursor (before it, if backward): in a page that was requested with
  /// this cursor, or next to the cursor's edge.
  private static func position(
    after cursor: String?, in pages: [Page], _ direction: Direction, _ storage: StoredRecords
  ) -> Place? {
    let requested = pages.firstIndex { page in
      page.arguments[direction.begin]?.string == cursor && page.count > 0
        && page.arguments[direction.opposite.limit]?.int == nil
    }
    if let requested { return (requested, direction.firstIndex(of: pages[requested])) }
    guard let cursor else {
      // A page from the other direction may include the first item.
      return pages.firstIndex { $0.count > 0 && isEnd($0, direction.opposite, storage) }
        .map { ($0, direction.firstIndex(of: pages[$0])) }
    }
    for (number, page) in pages.enumerated() {
      guard let index = page.cursors.firstIndex(of: cursor) else { continue }
      let next = direction.index(after: index)
      // After the last edge of the last page, the range is empty but complete.
      if page.cursors.indices.contains(next) || isEnd(page, direction, storage) { return (number, next) }
    }
    return nil
  }

  /// Returns the position of the first item after a page: next to its last edge or, for a page from the other
  /// direction, at the cursor that it was requested with.
  private static func position(
    after page: Page, _ edge: String?, in pages: [Page], _ direction: Direction, _ storage: StoredRecords
  ) -> Place? {
    if let edge, let next = position(after: edge, in: pages, direction, storage) { return next }
    guard let cursor = page.arguments[direction.opposite.begin]?.string else { return nil }
    for (number, other) in pages.enumerated() {
      if let index = other.cursors.firstIndex(of: cursor) { return (number, index) }
    }
    return nil
  }

  /// Returns whether no items follow a page, in a direction for which the server must report this.
  private static func isEnd(_ page: Page, _ direction: Direction, _ storage: StoredRecords) -> Bool {
    let isAsked = page.has(direction.limit) || !page.has(direction.opposite.begin)
    return isAsked && flag(direction.flag, of: page, in: storage) == false
  }

  private static let paging: Set<String> = ["first", "after", "last", "before"]

  private static func arguments(of key: String) -> JSONValue {
    guard let open = key.firstIndex(of: "(") else { return .object([]) }
    return JSONBytes.document(Array(key[key.index(after: open)...].dropLast().utf8)) ?? .object([])
  }

  private static func withoutPaging(_ arguments: JSONValue) -> JSONValue {
    .object(arguments.members.filter { !paging.contains($0.key) }.map { ($0.key, $0.value) })
  }

  /// Returns a page as it was received, or `nil` if one of its lists is an incomplete stream.
  private static func page(_ slot: StoredValue, _ arguments: JSONValue, in storage: StoredRecords) -> Page? {
    let id = slot.target
    let isOpen = ["edges", "nodes"].contains {
      value($0, of: id, in: storage).map { $0.kind == .list && $0.isOpen } ?? false
    }
    if isOpen { return nil }
    func items(_ name: String) -> [StoredValue] {
      guard let list = value(name, of: id, in: storage), list.kind == .list else { return [] }
      return storage.items(of: list)
    }
    let edges = items("edges")
    let info = value("pageInfo", of: id, in: storage)
    let pageInfo = info?.kind == .reference ? info?.target : nil
    let nodes = items("nodes")
    var cursors = edges.map { cursor(of: $0, in: storage) }
    while cursors.count < nodes.count { cursors.append(nil) }
    return Page(
      field: slot.field, record: id, arguments: arguments, edges: edges, nodes: nodes, cursors: cursors,
      pageInfo: pageInfo.flatMap { storage.exists($0) ? $0 : nil })
  }

  private static func value(_ name: String, of id: RecordID, in storage: StoredRecords) -> StoredValue? {
    storage.fieldNames.find(name).flatMap { storage.value(of: $0, in: id) }
  }

  private static func cursor(of edge: StoredValue, in storage: StoredRecords) -> String? {
    guard edge.kind == .reference, let slot = value("cursor", of: edge.target, in: storage) else { return nil }
    return text(slot, in: storage)
  }

  private static func text(_ value: StoredValue, in storage: StoredRecords) -> String? {
    value.kind == .scalar ? storage.json(value).string : nil
  }

  private static func flag(_ name: String, of page: Page, in storage: StoredRecords) -> Bool? {
    guard let info = page.pageInfo, let flag = value(name, of: info, in: storage), flag.kind == .scalar else {
      return nil
    }
    return storage.json(flag).bool
  }

  private static func text(_ name: String, of page: Page, in storage: StoredRecords) -> String? {
    guard let info = page.pageInfo, let slot = value(name, of: info, in: storage) else { return nil }
    return text(slot, in: storage)
  }
}
