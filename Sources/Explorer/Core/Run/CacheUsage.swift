import ApusClientAPI
import ApusJSON

/// The number of leaf fields that a run read from the cache and from the network, and its cache misses.
package struct CacheUsage: Equatable, Sendable {
  /// A field that the cache could not supply.
  package struct Miss: Equatable, Sendable {
    package var path: ResponsePath
    /// The cache key of the record that was read, and the field key in it: `Bird:b42` and `name`.
    package var record: String
    package var field: String
    /// The reason for the miss, as display text.
    package var reason: String
    /// Whether the record exists, so that it can be opened in the cache pane.
    package var hasRecord: Bool

    package init(path: ResponsePath, record: String, field: String, reason: String, hasRecord: Bool) {
      self.path = path
      self.record = record
      self.field = field
      self.reason = reason
      self.hasRecord = hasRecord
    }
  }

  package var fromCache: Int
  package var fromNetwork: Int
  package var misses: [Miss]
  /// The title of the cache change that the latest automatic refetch followed. The misses are then those of that
  /// change.
  package var refetchedAfter: String?

  package init(fromCache: Int = 0, fromNetwork: Int = 0, misses: [Miss] = []) {
    self.fromCache = fromCache
    self.fromNetwork = fromNetwork
    self.misses = misses
  }

  /// A one-line summary: `12 fields from the cache, 30 from the network, 2 missing in the cache`.
  package var summary: String {
    var parts: [String] = []
    func fields(_ count: Int) -> String { parts.isEmpty ? (count == 1 ? "1 field" : "\(count) fields") : "\(count)" }
    if fromCache > 0 || fromNetwork == 0 { parts.append("\(fields(fromCache)) from the cache") }
    if fromNetwork > 0 { parts.append("\(fields(fromNetwork)) from the network") }
    if !misses.isEmpty { parts.append("\(misses.count) missing in the cache") }
    let counts = parts.joined(separator: ", ")
    return refetchedAfter.map { "\(counts); sent again after: \($0)" } ?? counts
  }
}

extension CachePolicy {
  /// The display name of the policy.
  package var words: String {
    switch self {
    case .cacheFirst: "cache first"
    case .networkFirst: "network first"
    case .networkOnly: "network only"
    case .cacheOnly: "cache only"
    case .cacheAndNetwork: "cache and network"
    }
  }

  /// A one-line description of the policy.
  var explanation: String {
    switch self {
    case .cacheFirst: "the cache if it has all data, otherwise the network"
    case .networkFirst: "the network; the cache if the network fails"
    case .networkOnly: "always the network"
    case .cacheOnly: "never the network; missing data is reported"
    case .cacheAndNetwork: "the cached data first, then always the network"
    }
  }
}

extension JSONValue {
  /// Returns the number of leaf fields without the hidden ones. A list of scalars counts as one field.
  package func leafCount(without hidden: HiddenFields?) -> Int {
    switch kind {
    case .object:
      var count = 0
      forEachMember { key, member in
        guard let hidden else {
          count += member.leafCount(without: nil)
          return true
        }
        let name = String(decoding: key, as: UTF8.self)
        if !hidden.names.contains(name) { count += member.leafCount(without: hidden.children[name]) }
        return true
      }
      return count
    case .array:
      guard let first = elements.first(where: { !$0.isNull }), first.kind == .object || first.kind == .array else {
        return 1
      }
      return elements.reduce(0) { $0 + ($1.isNull ? 0 : $1.leafCount(without: hidden)) }
    case .string, .number, .bool, .null: return 1
    }
  }
}

extension CacheUsage {
  /// Cache misses as picker items; choosing one opens its location.
  var items: [PickerItem] {
    misses.map { miss in
      PickerItem(
        title: miss.path.description, detail: miss.reason, note: miss.record, tone: .warning, choice: .miss(miss))
    }
  }
}
