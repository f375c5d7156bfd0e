import ApusClientOperation
import ApusJSON

/// Pairs the elements of a list in two payloads: by their keys, else by the keys of the objects directly in them (as
/// `node` in `edges`), else by index.
struct PayloadElements {
  struct Partner {
    /// The index in the older list.
    let index: Int
    let isByIndex: Bool
  }

  /// The partner of each newer element.
  private(set) var partners: [Partner?]
  private var isTaken: [Bool]

  init(older: [JSONValue], newer: [JSONValue], _ node: PlanNode, _ identity: inout ObjectIdentity) {
    partners = Array(repeating: nil, count: newer.count)
    isTaken = Array(repeating: false, count: older.count)
    pairByKey(older.map { identity.key(of: $0, node) }, newer.map { identity.key(of: $0, node) })
    pairByInnerKey(
      older.indices.map { isTaken[$0] ? [] : identity.innerKeys(of: older[$0], node) },
      newer.indices.map { partners[$0] != nil ? [] : identity.innerKeys(of: newer[$0], node) })
    for index in newer.indices where partners[index] == nil && index < older.count && !isTaken[index] {
      partners[index] = Partner(index: index, isByIndex: true)
      isTaken[index] = true
    }
  }

  /// Older elements without a partner, those after the last newer element first.
  var rest: [Int] {
    let free = isTaken.indices.filter { !isTaken[$0] }
    return free.filter { $0 >= partners.count } + free.filter { $0 < partners.count }
  }

  // MARK: - Keys

  /// The older elements with one key, in order.
  private struct Bucket {
    var indexes: [Int] = []
    /// The number of leading indexes that are taken.
    var start = 0

    /// Returns the first element that is not taken.
    mutating func next(_ isTaken: [Bool]) -> Int? {
      while start < indexes.count, isTaken[indexes[start]] { start += 1 }
      return start < indexes.count ? indexes[start] : nil
    }
  }

  private enum TypeFilter: Hashable {
    case named(String), unnamed, any
  }

  private struct BucketID: Hashable {
    let type: TypeFilter
    let name: String
    let text: String
  }

  private mutating func pairByKey(_ older: [ObjectIdentity.Key], _ newer: [ObjectIdentity.Key]) {
    guard older.contains(where: { !$0.values.isEmpty }) else { return }
    var buckets: [BucketID: Bucket] = [:]
    for (index, key) in older.enumerated() {
      for (name, text) in key.values {
        for type in [key.typename.map { TypeFilter.named($0) } ?? .unnamed, .any] {
          buckets[BucketID(type: type, name: name, text: text), default: Bucket()].indexes.append(index)
        }
      }
    }
    for (index, key) in newer.enumerated() {
      let ids = key.values.flatMap { name, text in
        (key.typename.map { [.named($0), .unnamed] } ?? [TypeFilter.any]).map {
          BucketID(type: $0, name: name, text: text)
        }
      }
      var partner: Int?
      for id in ids where partner == nil { partner = buckets[id]?.next(isTaken) }
      guard let partner else { continue }
      partners[index] = Partner(index: partner, isByIndex: false)
      isTaken[partner] = true
    }
  }

  private typealias InnerKeys = [(responseKey: String, key: ObjectIdentity.Key)]

  /// Pairs elements whose inner objects have equal keys in all fields in which both lists have keyed objects.
  private mutating func pairByInnerKey(_ older: [InnerKeys], _ newer: [InnerKeys]) {
    let shared = Set(older.joined().map(\.responseKey)).intersection(newer.joined().map(\.responseKey))
    guard !shared.isEmpty else { return }
    let untyped = Set([older, newer].joined().joined().filter { $0.key.typename == nil }.map(\.responseKey))
    func text(_ keys: InnerKeys) -> String? {
      let parts = keys.filter { shared.contains($0.responseKey) }.map { responseKey, key in
        let typename = untyped.contains(responseKey) ? "" : key.typename ?? ""
        return [responseKey, typename, key.values[0].name, key.values[0].text].map { "\($0.utf8.count):\($0)" }.joined()
      }
      return parts.isEmpty ? nil : parts.sorted().joined()
    }
    var buckets: [String: Bucket] = [:]
    for (index, keys) in older.enumerated() {
      if let text = text(keys) { buckets[text, default: Bucket()].indexes.append(index) }
    }
    for (index, keys) in newer.enumerated() {
      guard let text = text(keys), let partner = buckets[text]?.next(isTaken) else { continue }
      partners[index] = Partner(index: partner, isByIndex: false)
      isTaken[partner] = true
    }
  }
}
