import ApusJSON

/// A stretch of a connection that follows the Relay specification, found in the pages that the cache has of it.
///
/// From the cursor that is asked for, edges are taken page by page for as long as each page continues the one before. A
/// gap between two pages, or too few edges before one, and there is no stretch; neither where arguments of both directions
/// are asked for. That there are no more items on the side that a page was not asked towards, a server need not know: its
/// `false` says nothing there. Source: GraphQL Cursor Connections, sections 4.4 (Pagination algorithm) and 5.1 (PageInfo).
struct ConnectionStretch {
  /// One page as it was answered.
  struct Page {
    /// The field that leads to it, and the record that it is.
    let field: UInt32
    let record: UInt32
    let arguments: JSONValue
    let edges: [ValueSlot]
    let nodes: [ValueSlot]
    let cursors: [String?]
    let pageInfo: UInt32?

    var count: Int { max(edges.count, nodes.count) }

    func has(_ argument: String) -> Bool { arguments[argument].map { !$0.isNull } ?? false }
  }

  /// The fields of the pages that it was put together from.
  private(set) var fields: [UInt32] = []
  private(set) var edges: [ValueSlot] = []
  private(set) var nodes: [ValueSlot] = []
  private(set) var first: Page
  private(set) var last: Page
  private(set) var hasNextPage = false
  private(set) var hasPreviousPage = false
  private(set) var startCursor: String?
  private(set) var endCursor: String?

  private static let paging: Set<String> = ["first", "after", "last", "before"]

  /// `nil` when the pages that may be read do not hold what the field asks for.
  init?(_ field: ReaderField, of id: UInt32, in table: RecordTable, mayRead: (_ field: UInt32) -> Bool) {
    let wanted = Self.arguments(of: field.key)
    func isWanted(_ argument: String) -> Bool { wanted[argument].map { !$0.isNull } ?? false }
    let isBackward = isWanted("last") || isWanted("before")
    if isBackward, isWanted("first") || isWanted("after") { return nil }
    let rest = Self.withoutPaging(wanted)
    let pages = table.fields(of: id).compactMap { slot -> Page? in
      let key = table.fieldKeys.name(slot.field)
      guard field.isPage(key), slot.kind == .reference, table.entries[slot.target].exists, mayRead(slot.field) else {
        return nil
      }
      let arguments = Self.arguments(of: key)
      guard Self.withoutPaging(arguments) == rest else { return nil }
      return Self.page(slot, arguments, in: table)
    }
    let from = isBackward ? wanted["before"] : wanted["after"]
    let limit = (isBackward ? wanted["last"] : wanted["first"])?.int
    guard let start = Self.start(from?.string, in: pages, isBackward: isBackward, table) else { return nil }
    var (page, index) = start
    var visited: Set<UInt32> = []
    (first, last) = (pages[page], pages[page])
    var cursor = from?.string
    while true {
      let current = pages[page]
      visited.insert(current.record)
      fields.append(current.field)
      if isBackward { first = current } else { last = current }
      while isBackward ? index >= 0 : index < current.count, max(edges.count, nodes.count) < limit ?? .max {
        if index < current.edges.count { edges.append(current.edges[index]) }
        if index < current.nodes.count { nodes.append(current.nodes[index]) }
        cursor = current.cursors[index] ?? cursor
        index += isBackward ? -1 : 1
      }
      if max(edges.count, nodes.count) == limit { break }
      if Self.isEnd(current, isBackward: isBackward, table) { break }
      let edge = Self.text(isBackward ? "startCursor" : "endCursor", of: current, in: table) ?? cursor
      guard let next = Self.next(to: current, edge, in: pages, isBackward: isBackward, table),
        !visited.contains(pages[next.page].record)
      else { return nil }
      (page, index) = next
    }
    let isInside = isBackward ? index >= 0 : index < pages[page].count
    let goesOn = isInside || !Self.isEnd(pages[page], isBackward: isBackward, table)
    if isBackward {
      edges.reverse()
      nodes.reverse()
      hasPreviousPage = goesOn
      hasNextPage = from?.string != nil || Self.flag("hasNextPage", of: last, in: table) == true
    } else {
      hasNextPage = goesOn
      hasPreviousPage = from?.string != nil || Self.flag("hasPreviousPage", of: first, in: table) == true
    }
    startCursor = edges.first.flatMap { Self.cursor(of: $0, in: table) } ?? (isBackward ? cursor : nil)
    endCursor = edges.last.flatMap { Self.cursor(of: $0, in: table) } ?? (isBackward ? nil : cursor)
  }

  /// Where the items behind a cursor (backward: before it) begin: a page that was asked for with it, or the place after
  /// its edge.
  private static func start(
    _ cursor: String?, in pages: [Page], isBackward: Bool, _ table: RecordTable
  ) -> (page: Int, index: Int)? {
    let argument = isBackward ? "before" : "after"
    let opposite = isBackward ? "first" : "last"
    for (number, page) in pages.enumerated() where page.arguments[argument]?.string == cursor && page.count > 0 {
      guard page.arguments[opposite]?.int == nil else { continue }
      return (number, isBackward ? page.count - 1 : 0)
    }
    guard let cursor else {
      // The end of a connection may be known from the other side.
      return pages.firstIndex { $0.count > 0 && isEnd($0, isBackward: !isBackward, table) }
        .map { ($0, isBackward ? pages[$0].count - 1 : 0) }
    }
    for (number, page) in pages.enumerated() {
      guard let index = page.cursors.firstIndex(of: cursor) else { continue }
      let next = isBackward ? index - 1 : index + 1
      if page.cursors.indices.contains(next) { return (number, next) }
      // Behind the last edge of the last page there is nothing, and that is known.
      if isEnd(page, isBackward: isBackward, table) { return (number, next) }
    }
    return nil
  }

  /// Where the items behind a whole page begin: behind its last edge, or where the page was asked to begin from, seen from
  /// the other side.
  private static func next(
    to page: Page, _ edge: String?, in pages: [Page], isBackward: Bool, _ table: RecordTable
  ) -> (page: Int, index: Int)? {
    if let edge, let next = start(edge, in: pages, isBackward: isBackward, table) { return next }
    guard let cursor = page.arguments[isBackward ? "after" : "before"]?.string else { return nil }
    for (number, other) in pages.enumerated() {
      if let index = other.cursors.firstIndex(of: cursor) { return (number, index) }
    }
    return nil
  }

  /// Whether there are no items behind (backward: before) a page, as far as the server had to know that.
  private static func isEnd(_ page: Page, isBackward: Bool, _ table: RecordTable) -> Bool {
    let isAsked = isBackward ? page.has("last") || !page.has("after") : page.has("first") || !page.has("before")
    return isAsked && flag(isBackward ? "hasPreviousPage" : "hasNextPage", of: page, in: table) == false
  }

  private static func arguments(of key: String) -> JSONValue {
    guard let open = key.firstIndex(of: "(") else { return .object([]) }
    return JSONText.document(Array(key[key.index(after: open)...].dropLast().utf8)) ?? .object([])
  }

  private static func withoutPaging(_ arguments: JSONValue) -> JSONValue {
    .object(arguments.members.filter { !paging.contains($0.key) }.map { ($0.key, $0.value) })
  }

  private static func page(_ slot: ValueSlot, _ arguments: JSONValue, in table: RecordTable) -> Page? {
    let id = slot.target
    func items(_ name: String) -> [ValueSlot] {
      guard let list = value(name, of: id, in: table), list.kind == .list else { return [] }
      return (0..<list.count).map { table.slots.element(list.run, $0) }
    }
    let edges = items("edges")
    let info = value("pageInfo", of: id, in: table)
    let pageInfo = info?.kind == .reference ? info?.target : nil
    let nodes = items("nodes")
    var cursors = edges.map { cursor(of: $0, in: table) }
    while cursors.count < nodes.count { cursors.append(nil) }
    return Page(
      field: slot.field, record: id, arguments: arguments, edges: edges, nodes: nodes, cursors: cursors,
      pageInfo: pageInfo.flatMap { table.entries[$0].exists ? $0 : nil })
  }

  private static func value(_ name: String, of id: UInt32, in table: RecordTable) -> ValueSlot? {
    table.fieldKeys.index(of: name).flatMap { table.value(ofField: $0, in: id) }
  }

  private static func cursor(of edge: ValueSlot, in table: RecordTable) -> String? {
    guard edge.kind == .reference, let slot = value("cursor", of: edge.target, in: table) else { return nil }
    return text(slot, in: table)
  }

  private static func text(_ slot: ValueSlot, in table: RecordTable) -> String? {
    switch slot.kind {
    case .shortText, .text, .longText:
      return table.withText(slot) { JSONText.value(of: $0, isString: slot.isString).string }
    default: return nil
    }
  }

  private static func flag(_ name: String, of page: Page, in table: RecordTable) -> Bool? {
    guard let info = page.pageInfo, let slot = value(name, of: info, in: table), slot.kind == .shortText else {
      return nil
    }
    return table.withText(slot) { JSONText.value(of: $0, isString: false).bool }
  }

  private static func text(_ name: String, of page: Page, in table: RecordTable) -> String? {
    guard let info = page.pageInfo, let slot = value(name, of: info, in: table) else { return nil }
    return text(slot, in: table)
  }
}

extension RecordReader {
  /// Writes a connection object: edges and nodes of the stretch, a page info that tells where it begins and ends, and
  /// everything else as its last page has it.
  mutating func write(_ stretch: ConnectionStretch, _ shapes: ReaderShapes) {
    let page = table.entries[stretch.last.record]
    let shape = shapes.shape(type: page.type, in: table)
    dependOn(page.hash, ChangedKeys.wholeRecord)
    text.append(UInt8(ascii: "{"))
    var isFirst = true
    for (index, field) in shape.fields.enumerated() where field.usages.isEmpty {
      dependOn(page.hash, field.hash)
      let start = text.count
      if !isFirst { text.append(UInt8(ascii: ",")) }
      shape.appendMember(index, to: text)
      let isThere = within(field) { reader in
        switch (field.name, field.child) {
        case ("edges", let child?) where !stretch.edges.isEmpty || stretch.nodes.isEmpty:
          reader.writeList(stretch.edges, child: child, field.plan)
          return true
        case ("nodes", let child?) where !stretch.nodes.isEmpty || stretch.edges.isEmpty:
          reader.writeList(stretch.nodes, child: child, field.plan)
          return true
        case ("pageInfo", let child?):
          reader.writePageInfo(stretch, child)
          return true
        default:
          guard let slot = reader.value(of: field, in: stretch.last.record) else { return false }
          return field.child.map { reader.write(slot, child: $0, field.plan, level: 0) }
            ?? (reader.isRight(slot, field) && reader.writeLeaf(slot))
        }
      }
      if isThere {
        isFirst = false
      } else {
        text.cut(to: start)
        missIfRequired(field, in: stretch.last.record)
      }
    }
    text.append(UInt8(ascii: "}"))
  }

  private func value(of field: ReaderField, in id: UInt32) -> ValueSlot? {
    field.symbol == RecordTable.none ? nil : table.value(ofField: field.symbol, in: id)
  }

  private mutating func writePageInfo(_ stretch: ConnectionStretch, _ shapes: ReaderShapes) {
    let id = stretch.last.pageInfo
    let shape = shapes.shape(type: id.map { table.entries[$0].type } ?? RecordTable.none, in: table)
    text.append(UInt8(ascii: "{"))
    var isFirst = true
    for (index, field) in shape.fields.enumerated() where field.usages.isEmpty {
      let known: JSONValue? =
        switch field.name {
        case "hasNextPage": JSONValue(stretch.hasNextPage)
        case "hasPreviousPage": JSONValue(stretch.hasPreviousPage)
        case "startCursor": stretch.startCursor.map { JSONValue($0) }
        case "endCursor": stretch.endCursor.map { JSONValue($0) }
        default: nil
        }
      let slot = id.flatMap { value(of: field, in: $0) }
      guard known != nil || slot.map({ field.child == nil && isRight($0, field) }) == true else {
        missIfRequired(field, in: id)
        continue
      }
      let start = text.count
      if !isFirst { text.append(UInt8(ascii: ",")) }
      shape.appendMember(index, to: text)
      if let known {
        var json = known.description
        json.withUTF8 { text.append($0) }
      } else if slot.map({ writeLeaf($0) }) != true {
        text.cut(to: start)
        missIfRequired(field, in: id)
        continue
      }
      isFirst = false
    }
    text.append(UInt8(ascii: "}"))
  }
}
