import ApusClientAPI
import ApusClientOperation
import ApusJSON

/// The items of a pager's pages by key, to leave out of each page those that an earlier page has.
///
/// | list | item that an earlier page has | shown |
/// |---|---|---|
/// | offset, numbered | equal type and key | once |
/// | connection | an edge with an equal cursor and an equal node | once |
/// | connection, on a page that begins elsewhere by now | an equal node | once |
/// | any | all others | twice |
///
/// Lists whose arguments are equal on all pages are not paged, and stay as they are.
struct PageItems: Sendable {
  private struct Key: Hashable {
    let list: Int
    let item: JSONValue
    /// The cursor of an edge; `nil` for the key of its node alone.
    var cursor: JSONValue?
  }

  /// Lists of the initial page and the arguments of their fields, which differ on other pages if the list is paged.
  private var lists: [(path: ResponsePath, arguments: JSONValue)] = []
  private var keys: [PagePosition: Set<Key>] = [:]
  private var holders: [Key: Set<PagePosition>] = [:]

  /// Sets the items of a page. Returns the positions of later pages that have one of the items that came or went.
  mutating func set(_ page: Page<some QueryOperation>, at position: PagePosition) -> Set<PagePosition> {
    let found = Self.lists(of: page)
    if position == .first { lists = found.flatMap { list in list.paths.map { ($0, list.arguments) } } }
    var keys: Set<Key> = []
    for list in found {
      for path in list.paths {
        guard let number = number(path, list.arguments, at: position), let items = page.json?.value(at: path) else {
          continue
        }
        for item in items.elements { keys.formUnion(Self.keys(of: item, list: number)) }
      }
    }
    return change(position, to: keys)
  }

  mutating func remove(_ position: PagePosition) -> Set<PagePosition> { change(position, to: []) }

  private mutating func change(_ position: PagePosition, to keys: Set<Key>) -> Set<PagePosition> {
    let former = self.keys.updateValue(keys, forKey: position) ?? []
    var affected: Set<PagePosition> = []
    for key in former.symmetricDifference(keys) {
      if keys.contains(key) {
        holders[key, default: []].insert(position)
      } else {
        holders[key]?.remove(position)
        if holders[key]?.isEmpty == true { holders[key] = nil }
      }
      affected.formUnion(holders[key]?.filter { position < $0 } ?? [])
    }
    return affected
  }

  /// Returns a page without the items that an earlier page has.
  func shown<Query: QueryOperation>(
    _ page: Page<Query>, at position: PagePosition, isOutdated: Bool
  ) -> Page<Query> {
    var shown = page
    for list in position == .first ? [] : Self.lists(of: page) {
      for path in list.paths {
        guard let number = number(path, list.arguments, at: position),
          let items = page.json?.value(at: path)?.elements.map({ $0 })
        else { continue }
        let kept = items.indices.filter { index in
          let keys = Self.keys(of: items[index], list: number)
          let key = list.isConnection && !isOutdated ? keys.first { $0.cursor != nil } : keys.first
          return key.flatMap { holders[$0]?.contains { $0 < position } } != true
        }
        if kept.count < items.count { shown = shown.keeping(kept, of: items, at: path) ?? shown }
      }
    }
    return shown
  }

  /// Returns the number of a list on the initial page, of which this page has another part.
  private func number(_ path: ResponsePath, _ arguments: JSONValue, at position: PagePosition) -> Int? {
    lists.firstIndex { $0.path == path && (position == .first || $0.arguments != arguments) }
  }

  /// Returns the key of an item, and that of an edge with its cursor.
  private static func keys(of item: JSONValue, list: Int) -> [Key] {
    guard let key = item.itemKey else { return [] }
    let node = Key(list: list, item: key)
    guard item["node"] != nil, let cursor = item["cursor"] else { return [node] }
    return [node, Key(list: list, item: key, cursor: cursor)]
  }

  private struct PagedList {
    let paths: [ResponsePath]
    let arguments: JSONValue
    let isConnection: Bool
  }

  /// Returns the pageable lists of a page, except those inside items.
  private static func lists(of page: Page<some QueryOperation>) -> [PagedList] {
    guard let json = page.json else { return [] }
    let plan = SelectionPlan(operation: page.query.compiled, variables: page.query.variables)
    return PageableListFinder.lists(in: json, operation: page.query.compiled, variables: page.query.variables)
      .filter { $0.path.components.count == $0.path.keys.count }.map { list in
        let arguments = plan.field(at: list.path.keys)?.argumentValues(variables: plan.variables) ?? []
        let isConnection = if case .connection = list { true } else { false }
        return PagedList(
          paths: list.listPaths, arguments: .object(arguments.map { ($0.name, $0.value) }), isConnection: isConnection)
      }
  }
}

extension Page {
  /// Returns the page with some items of a list, or `nil` if the operation's type cannot represent it.
  fileprivate func keeping(_ kept: [Int], of items: [JSONValue], at list: ResponsePath) -> Page? {
    let ranks = Dictionary(uniqueKeysWithValues: zip(kept, kept.indices))
    func moved(_ path: ResponsePath) -> ResponsePath { path.withIndex(in: [list]) { ranks[$0] } }
    /// A path of an item that was left out became that of the list.
    func isKept(_ path: ResponsePath) -> Bool { path.components.count == moved(path).components.count }
    let fragments = result.fragments.filter { isKept($0.objectPath) }.map { $0.moved(to: moved($0.objectPath)) }
    guard let json = try? json?.replacing(at: list, with: .array(kept.map { items[$0] })),
      let data = try? query.makeData(from: ResponseData(json, fragments: fragments, plan: nil))
    else { return nil }
    var result = GraphQLResult(
      data: data, errors: result.errors.map { $0.at($0.path.map(moved)) }, extensions: result.extensions,
      source: result.source, completeness: result.completeness, fragments: fragments, changedKeys: result.changedKeys,
      payloadIndex: result.payloadIndex, elapsed: result.elapsed, byteCount: result.byteCount,
      changedPaths: [ResponsePath([])])
    (result.request, result.json) = (self.result.request, json)
    result.streams = self.result.streams.filter { isKept($0.path) }.map {
      StreamedList(
        label: $0.label, path: moved($0.path), state: $0.state, announcedAfter: $0.announcedAfter,
        settledAfter: $0.settledAfter, shortfall: $0.shortfall)
    }
    return Page(loaded, without: result)
  }
}
