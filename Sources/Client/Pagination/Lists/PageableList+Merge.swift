import ApusClientAPI
import ApusJSON

/// Merging the pages of a list into one result, without a cache.
extension PageableList {
  /// Returns the data with the items of another page after (or before) its own.
  ///
  /// An item is omitted if the data has it already: an item of an offset list with an equal type and key, which a server
  /// sends again if items were inserted before the page, and an edge of a connection with an equal cursor and an equal node.
  /// Other items of connections are kept, because insertions do not shift the pages of a connection.
  public func merge(_ next: JSONValue, into data: JSONValue, _ direction: PagingDirection = .next) -> JSONValue {
    var keys = ItemKeys(of: self, in: data)
    return merging(next, into: data, direction, keys: &keys).data
  }

  /// Merges a page as `merge` does, in time proportional to the page. `keys` are those of the items in the data, to which
  /// those of the page are added.
  package func merging(
    _ next: JSONValue, into data: JSONValue, _ direction: PagingDirection = .next, keys: inout ItemKeys
  ) -> MergedPage {
    var merged = MergedPage(data: data, listPaths: listPaths, direction: direction)
    for (number, path) in listPaths.enumerated() {
      guard let items = next.value(at: path), items.kind == .array, let old = data.value(at: path),
        old.kind == .array || old.isNull
      else { continue }
      let elements = items.elements.map { $0 }
      let new = keys.insertNew(elements, list: number)
      if number == 0 { (merged.itemCount, merged.newItems) = (old.count, new) }
      let added = new.map { elements[$0] }
      let changed =
        old.isNull || direction == .previous
        ? try? merged.data.replacing(at: path, with: .array(added + old.elements))
        : try? merged.data.appending(added, at: path)
      if let changed { merged.data = changed }
    }
    if case .connection(let connection) = self {
      merged.data = connection.mergePageInfo(next, into: merged.data, direction)
    }
    return merged
  }
}

/// The keys of the items that the pages of a list have brought.
package struct ItemKeys: Sendable {
  /// For each list of a connection, `edges` and `nodes`.
  private var keys: [Set<JSONValue>]
  private let isConnection: Bool

  /// Creates the keys of the items of a list in a result.
  package init(of list: PageableList, in data: JSONValue) {
    if case .connection = list { isConnection = true } else { isConnection = false }
    keys = list.listPaths.map { _ in [] }
    for (number, path) in list.listPaths.enumerated() {
      _ = insertNew(data.value(at: path)?.elements.map { $0 } ?? [], list: number)
    }
  }

  /// Adds the keys of a page's items. Returns the indexes of the items whose key is new, or that have none. An item that
  /// occurs twice in one page is kept twice.
  fileprivate mutating func insertNew(_ items: [JSONValue], list: Int) -> [Int] {
    let itemKeys = items.map(key(of:))
    let new = items.indices.filter { index in itemKeys[index].map { !keys[list].contains($0) } ?? true }
    keys[list].formUnion(itemKeys.compactMap { $0 })
    return new
  }

  private func key(of item: JSONValue) -> JSONValue? {
    guard isConnection else { return item.itemKey }
    guard item["node"] != nil, let cursor = item["cursor"], let key = item.itemKey else { return nil }
    return .array([key, cursor])
  }
}

/// The data of a result after another page was merged into it.
package struct MergedPage: Sendable {
  package fileprivate(set) var data: JSONValue
  /// The indexes, in the page, of the items that were added, in ascending order.
  package fileprivate(set) var newItems: [Int] = [] {
    didSet { ranks = Dictionary(uniqueKeysWithValues: zip(newItems, newItems.indices)) }
  }
  /// The place of each added item among them, by its index in the page.
  private var ranks: [Int: Int] = [:]
  fileprivate let listPaths: [ResponsePath]
  fileprivate let direction: PagingDirection
  /// The number of items in the list before the merge.
  fileprivate var itemCount = 0

  fileprivate init(data: JSONValue, listPaths: [ResponsePath], direction: PagingDirection) {
    (self.data, self.listPaths, self.direction) = (data, listPaths, direction)
  }

  /// Returns the path in the merged data for a path in the previous data.
  package func path(ofKnown path: ResponsePath) -> ResponsePath {
    direction == .previous ? path.withIndex(in: listPaths) { $0 + newItems.count } : path
  }

  /// Returns the path in the merged data for a path in the page. A path in an omitted item becomes that of the list.
  package func path(ofNew path: ResponsePath) -> ResponsePath {
    let offset = direction == .next ? itemCount : 0
    return path.withIndex(in: listPaths) { index in ranks[index].map { $0 + offset } }
  }

  /// Returns the errors of the previous data and of the page, with their paths in the merged data.
  package func errors(_ old: [GraphQLError], and new: [GraphQLError]) -> [GraphQLError] {
    old.map { $0.at($0.path.map(path(ofKnown:))) } + new.map { $0.at($0.path.map(path(ofNew:))) }
  }
}

extension GraphQLError {
  /// Returns the error with another path.
  package func at(_ path: ResponsePath?) -> GraphQLError {
    GraphQLError(message: message, locations: locations, path: path, extensions: extensions)
  }
}

extension ResponsePath {
  /// Returns the path with another index of the list item that it contains, or the path of the list if the item has none.
  func withIndex(in lists: [ResponsePath], _ newIndex: (Int) -> Int?) -> ResponsePath {
    for list in lists where components.starts(with: list.components) {
      let depth = list.components.count
      guard depth < components.count, case .index(let index) = components[depth] else { continue }
      guard let new = newIndex(index) else { return list }
      return ResponsePath(list.components + [.index(new)] + components.dropFirst(depth + 1))
    }
    return self
  }
}
