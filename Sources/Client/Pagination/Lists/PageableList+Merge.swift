import ApusClientAPI
import ApusJSON

/// Merging the pages of a list into one result, without a cache.
extension PageableList {
  /// Returns the data with the items of another page after (or before) its own.
  ///
  /// If items were inserted at the start of the list after the last page was fetched, the next page repeats the last items
  /// of that page, and these are omitted. Other repeated items are kept. Merging a next page takes time proportional to the
  /// page, not to the data.
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

  /// The maximum number of repeated items at the start or end of a page.
  private static let longestSeam = 500

  /// Returns the indexes of the items that are not repeated at the boundary between both pages, in the same order.
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

  /// Returns whether two items are the same: edges with equal cursors, and items of offset lists with equal type and id. For
  /// connections without cursors, it returns false, because insertions do not shift the pages of a connection.
  private func isSame(_ item: JSONValue?, _ other: JSONValue?) -> Bool {
    guard let item, let other, let identity = Self.identity(item), identity == Self.identity(other) else {
      return false
    }
    if let cursor = item["cursor"], item["node"] != nil { return cursor == other["cursor"] }
    if case .connection = self { return false }
    return true
  }

  /// Returns the type and id of an item, or of the node of an edge.
  private static func identity(_ item: JSONValue) -> JSONValue? {
    let node = item["node"] ?? item
    guard node.kind == .object, let id = node["id"] ?? node["nodeId"] ?? node["_id"], !id.isNull else { return nil }
    return .array([node["__typename"] ?? .null, id])
  }
}

/// The data of a result after another page was merged into it.
package struct MergedPage: Sendable {
  package fileprivate(set) var data: JSONValue
  /// The indexes, in the page, of the items that were added.
  package fileprivate(set) var newItems = 0..<0
  fileprivate let listPaths: [ResponsePath]
  fileprivate let direction: PagingDirection
  /// The number of items in the list before the merge.
  fileprivate var itemCount = 0

  fileprivate init(data: JSONValue, listPaths: [ResponsePath], direction: PagingDirection) {
    (self.data, self.listPaths, self.direction) = (data, listPaths, direction)
  }

  /// Returns the path in the merged data for a path in the previous data.
  package func path(ofKnown path: ResponsePath) -> ResponsePath {
    direction == .previous ? path.shifted(in: listPaths, by: newItems.count) : path
  }

  /// Returns the path in the merged data for a path in the page.
  package func path(ofNew path: ResponsePath) -> ResponsePath {
    direction == .next ? path.shifted(in: listPaths, by: itemCount - newItems.lowerBound) : path
  }

  /// Returns the errors of the previous data and of the page, with their paths in the merged data.
  package func errors(_ existing: [GraphQLError], and new: [GraphQLError]) -> [GraphQLError] {
    existing.map { $0.at($0.path.map(path(ofKnown:))) } + new.map { $0.at($0.path.map(path(ofNew:))) }
  }
}

extension GraphQLError {
  /// Returns the error with another path.
  package func at(_ path: ResponsePath?) -> GraphQLError {
    GraphQLError(message: message, locations: locations, path: path, extensions: extensions)
  }
}

extension ResponsePath {
  /// Returns the path with the index of a list item shifted, or the same path if it does not contain an item of the lists.
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
