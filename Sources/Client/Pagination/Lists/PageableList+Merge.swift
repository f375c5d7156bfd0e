import ApusClientAPI
import ApusJSON

/// Puts the pages of a list into one result, as they came from the server: no cache is needed.
extension PageableList {
  /// The data with another page's items after (or before) its own.
  ///
  /// If items were added in front of the list after the last page was fetched, the next page begins with the last items of that
  /// page: these are left out. Other repeated items stay. Going forward it costs the page, not the data.
  public func merge(_ next: JSONValue, into data: JSONValue, _ direction: PagingDirection = .next) -> JSONValue {
    merging(next, into: data, direction).data
  }

  package func merging(
    _ next: JSONValue, into data: JSONValue, _ direction: PagingDirection = .next
  ) -> MergedPage {
    var merged = MergedPage(data: data, listPaths: listPaths, direction: direction)
    for (number, path) in listPaths.enumerated() {
      guard let items = next.value(at: path), items.kind == .array, let old = data.value(at: path),
        old.kind == .array || old.isNull
      else { continue }
      let elements = items.elements.map { $0 }
      let new = new(elements, beside: old, direction)
      if number == 0 { (merged.itemCount, merged.newItems) = (old.count, new) }
      let added = Array(elements[new])
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

  /// The longest seam that is searched for.
  private static let longestSeam = 500

  /// The items without those at the seam that both pages have in the same order.
  private func new(_ items: [JSONValue], beside old: JSONValue, _ direction: PagingDirection) -> Range<Int> {
    let longest = Swift.min(items.count, old.count, Self.longestSeam)
    let seam = stride(from: longest, to: 0, by: -1).first { count in
      (0..<count).allSatisfy { offset in
        direction == .next
          ? isSame(items[offset], old[old.count - count + offset])
          : isSame(items[items.count - count + offset], old[offset])
      }
    }
    return direction == .next ? (seam ?? 0)..<items.count : 0..<(items.count - (seam ?? 0))
  }

  /// Whether two items are one: edges by their cursors, other items of a list by offset by their identities. A connection's
  /// pages follow one another, whatever is added in front.
  private func isSame(_ item: JSONValue?, _ other: JSONValue?) -> Bool {
    guard let item, let other, let identity = Self.identity(item), identity == Self.identity(other) else {
      return false
    }
    if let cursor = item["cursor"], item["node"] != nil { return cursor == other["cursor"] }
    if case .connection = self { return false }
    return true
  }

  /// The type and the id of an item, or of the node of an edge.
  private static func identity(_ item: JSONValue) -> JSONValue? {
    let node = item["node"] ?? item
    guard node.kind == .object, let id = node["id"] ?? node["nodeId"] ?? node["_id"], !id.isNull else { return nil }
    return .array([node["__typename"] ?? .null, id])
  }
}

/// The data of a result with a page that was merged into it.
package struct MergedPage: Sendable {
  package fileprivate(set) var data: JSONValue
  /// The items of the page that were added, by their indices in the page.
  package fileprivate(set) var newItems = 0..<0
  fileprivate let listPaths: [ResponsePath]
  fileprivate let direction: PagingDirection
  /// The number of items that the list had before.
  fileprivate var itemCount = 0

  fileprivate init(data: JSONValue, listPaths: [ResponsePath], direction: PagingDirection) {
    (self.data, self.listPaths, self.direction) = (data, listPaths, direction)
  }

  /// Returns the path in the merged data for a path in the data before.
  package func path(ofKnown path: ResponsePath) -> ResponsePath {
    direction == .previous ? path.shifted(in: listPaths, by: newItems.count) : path
  }

  /// Returns the path in the merged data for a path in the page.
  package func path(ofNew path: ResponsePath) -> ResponsePath {
    direction == .next ? path.shifted(in: listPaths, by: itemCount - newItems.lowerBound) : path
  }

  /// Returns the errors of the data before and those of the page, with their paths in the merged data.
  package func errors(_ known: [GraphQLError], and new: [GraphQLError]) -> [GraphQLError] {
    known.map { $0.at($0.path.map(path(ofKnown:))) } + new.map { $0.at($0.path.map(path(ofNew:))) }
  }
}

extension GraphQLError {
  /// The error with another path.
  package func at(_ path: ResponsePath?) -> GraphQLError {
    GraphQLError(message: message, locations: locations, path: path, extensions: extensions)
  }
}

extension ResponsePath {
  /// A path through an item of a list, for the item's new index; other paths stay the same.
  fileprivate func shifted(in lists: [ResponsePath], by offset: Int) -> ResponsePath {
    for list in lists where components.starts(with: list.components) {
      let place = list.components.count
      guard place < components.count, case .index(let index) = components[place] else { continue }
      var shifted = components
      shifted[place] = .index(index + offset)
      return ResponsePath(shifted)
    }
    return self
  }
}
