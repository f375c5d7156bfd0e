import ApusJSON

/// A difference between two responses.
package struct ValueChange: Equatable, Sendable {
  package enum Kind: Equatable, Sendable {
    case added, removed, changed
    /// A list item moved to another index.
    case moved
  }

  package var path: ResponsePath
  package var kind: Kind
  package var before: JSONValue?
  package var after: JSONValue?
}

/// Computes the differences between two values as a list of leaf paths, up to a limit.
package enum ValueDifference {
  package static let limit = 2000

  /// Returns the differences, ignoring the hidden fields, which the explorer added.
  package static func between(
    _ before: JSONValue, _ after: JSONValue, without hidden: HiddenFields? = nil, limit: Int = limit
  ) -> [ValueChange] {
    var changes: [ValueChange] = []
    compare(before, after, [], hidden, limit, &changes)
    return changes
  }

  private static func compare(
    _ before: JSONValue?, _ after: JSONValue?, _ path: [PathComponent], _ hidden: HiddenFields?, _ limit: Int,
    _ changes: inout [ValueChange]
  ) {
    guard changes.count < limit else { return }
    switch (before, after) {
    case (let before?, let after?) where before.kind == .object && after.kind == .object:
      let isShown = { (key: String) in hidden?.names.contains(key) != true }
      for (key, value) in before.members where isShown(key) {
        compare(value, after[key], path + [.key(key)], hidden?.children[key], limit, &changes)
      }
      for (key, value) in after.members where before[key] == nil && isShown(key) {
        compare(nil, value, path + [.key(key)], hidden?.children[key], limit, &changes)
      }
    case (let before?, let after?) where before.kind == .array && after.kind == .array:
      if let match = ListAlignment(before, after) {
        for (index, earlier) in match.before.enumerated() {
          let path = path + [.index(index)]
          if match.moved.contains(index), changes.count < limit {
            changes.append(ValueChange(path: ResponsePath(path), kind: .moved))
          }
          compare(earlier.flatMap { before[$0] }, after[index], path, hidden, limit, &changes)
        }
        for index in match.removed { compare(before[index], nil, path + [.index(index)], hidden, limit, &changes) }
        return
      }
      for index in 0..<max(before.count, after.count) {
        compare(
          index < before.count ? before[index] : nil, index < after.count ? after[index] : nil, path + [.index(index)],
          hidden, limit, &changes)
      }
    case (let before?, let after?):
      if before != after {
        changes.append(ValueChange(path: ResponsePath(path), kind: .changed, before: before, after: after))
      }
    case (let before?, nil):
      changes.append(ValueChange(path: ResponsePath(path), kind: .removed, before: before, after: nil))
    case (nil, let after?):
      changes.append(ValueChange(path: ResponsePath(path), kind: .added, before: nil, after: after))
    case (nil, nil): break
    }
  }
}
