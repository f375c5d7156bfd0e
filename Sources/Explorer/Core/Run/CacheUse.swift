import ApusClientAPI
import ApusJSON

/// What a run took from the cache and what from the network, counted in fields that have no fields of their own; and what
/// it asked the cache for in vain.
package struct CacheUse: Equatable, Sendable {
  /// A place that the cache had no value for.
  package struct Miss: Equatable, Sendable {
    package var path: ResponsePath
    /// The record that was looked into, and the field's key in it.
    package var record: String
    package var field: String
    /// Why, in words.
    package var reason: String
    /// Whether there is such a record to go to.
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

  package init(fromCache: Int = 0, fromNetwork: Int = 0, misses: [Miss] = []) {
    self.fromCache = fromCache
    self.fromNetwork = fromNetwork
    self.misses = misses
  }

  /// In one line: `12 fields from the cache, 30 from the network, 2 missing`.
  package var summary: String {
    var parts: [String] = []
    func fields(_ count: Int) -> String { parts.isEmpty ? (count == 1 ? "1 field" : "\(count) fields") : "\(count)" }
    if fromCache > 0 || fromNetwork == 0 { parts.append("\(fields(fromCache)) from the cache") }
    if fromNetwork > 0 { parts.append("\(fields(fromNetwork)) from the network") }
    if !misses.isEmpty { parts.append("\(misses.count) missing in the cache") }
    return parts.joined(separator: ", ")
  }
}

extension CachePolicy {
  /// What the screen calls it.
  package var words: String {
    switch self {
    case .cacheFirst: "cache first"
    case .networkFirst: "network first"
    case .networkOnly: "network only"
    case .cacheOnly: "cache only"
    case .cacheAndNetwork: "cache and network"
    }
  }

  /// What it does, in a line.
  var explanation: String {
    switch self {
    case .cacheFirst: "the cache if it has everything, else a request"
    case .networkFirst: "a request; the cache where the network fails"
    case .networkOnly: "a request, whatever the cache has"
    case .cacheOnly: "the cache alone; what it lacks is told"
    case .cacheAndNetwork: "what the cache has, then a request in any case"
    }
  }
}

extension JSONValue {
  /// How many fields have no fields of their own, but for the hidden ones; a list of plain values is one.
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
    default: return 1
    }
  }
}

extension CacheUse {
  /// What was missed, each leading to its place.
  var items: [PickerItem] {
    misses.map { miss in
      PickerItem(
        title: miss.path.description, detail: miss.reason, note: miss.record, tone: .warning, choice: .miss(miss))
    }
  }
}
