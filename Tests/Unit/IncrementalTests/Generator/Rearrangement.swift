import ApusJSON
import ApusTestSupport

/// Changes a response into another one that a server may send with the same meaning: fragments in an earlier payload, and
/// independent entries in another order and in other payloads.
enum Rearrangement {
  static func rearranged(_ payloads: [JSONValue], _ random: inout SplitMix) -> [JSONValue] {
    guard payloads.count > 1, let first = payloads.first else { return payloads }
    // The v0.2 format has dependencies among its entries, so its payloads stay whole.
    let isAnnounced = payloads.contains { $0["pending"] != nil }
    return isAnnounced
      ? shuffled(payloads, &random) : rearranged(first, entries: payloads.flatMap { list($0, "incremental") }, &random)
  }

  // MARK: - The 2022 format

  private static func rearranged(
    _ first: JSONValue, entries: [JSONValue], _ random: inout SplitMix
  ) -> [JSONValue] {
    var data = first["data"] ?? .null
    var rest = entries.filter { entry in
      guard random.next() % 3 == 0, let object = entry["data"], object.kind == .object, entry["errors"] == nil,
        let path = entry["path"].flatMap({ ResponsePath($0) }), let target = data.value(at: path),
        target.kind == .object, !hasRevivals(target, object),
        let inlined = try? data.mergingDeeply(object, at: path)
      else { return true }
      data = inlined
      return false
    }
    let members = first.members.filter { !["data", "incremental", "hasNext"].contains($0.key) }.map {
      ($0.key, $0.value)
    }
    var payloads: [JSONValue] = [.object([("data", data)] + members + [("hasNext", true)])]
    while !rest.isEmpty {
      var chosen: [JSONValue] = []
      for _ in 0..<(1 + random.next() % 3) where !rest.isEmpty {
        let possible = rest.indices.filter { place(of: rest[$0], in: data) != nil }
        let index = possible.isEmpty ? 0 : possible[Int(random.next() % UInt64(possible.count))]
        let entry = rest.remove(at: index)
        data = merged(entry, into: data)
        chosen.append(entry)
      }
      payloads.append(["incremental": .array(chosen), "hasNext": true])
    }
    payloads.append(["hasNext": false])
    return payloads
  }

  /// Whether one execution has null where another has a value, so that the order of the payloads matters.
  private static func hasRevivals(_ target: JSONValue, _ object: JSONValue) -> Bool {
    var tree = PlainMerge.Tree(target)
    return tree.merge(PlainMerge.Tree(object))
  }

  /// Returns the path at which an entry can be merged now.
  private static func place(of entry: JSONValue, in data: JSONValue) -> ResponsePath? {
    guard let path = entry["path"].flatMap({ ResponsePath($0) }) else { return nil }
    guard entry["items"] != nil else { return data.value(at: path)?.kind == .object ? path : nil }
    let list = ResponsePath(Array(path.components.dropLast()))
    guard case .index(let index)? = path.components.last else { return nil }
    return data.value(at: list)?.count == index ? list : nil
  }

  private static func merged(_ entry: JSONValue, into data: JSONValue) -> JSONValue {
    guard let place = place(of: entry, in: data) else { return data }
    if let items = entry["items"] { return (try? data.appending(items.elements.map { $0 }, at: place)) ?? data }
    return entry["data"].flatMap { $0.isNull ? nil : try? data.mergingDeeply($0, at: place) } ?? data
  }

  // MARK: - The v0.2 format

  /// Returns the payloads in an order in which each has the ids and the objects that it needs.
  private static func shuffled(_ payloads: [JSONValue], _ random: inout SplitMix) -> [JSONValue] {
    var plain = PlainMerge()
    var ids: Set<String> = []
    var result: [JSONValue] = []
    var rest = payloads
    func add(_ payload: JSONValue) {
      plain.receive(payload)
      for pending in list(payload, "pending") { ids.insert(pending["id"]?.string ?? "") }
      result.append(payload)
    }
    add(rest.removeFirst())
    while !rest.isEmpty {
      let possible = rest.indices.filter { index in
        let own = ids.union(list(rest[index], "pending").compactMap { $0["id"]?.string })
        let used = list(rest[index], "incremental") + list(rest[index], "completed")
        return used.allSatisfy { own.contains($0["id"]?.string ?? "") }
          && list(rest[index], "incremental").allSatisfy { plain.hasPlace(for: $0) }
          && isInOrder(rest[index], after: rest[..<index])
      }
      add(rest.remove(at: possible.isEmpty ? 0 : possible[Int(random.next() % UInt64(possible.count))]))
    }
    return result.enumerated().map { index, payload in
      .object(
        payload.members.map { ($0.key, $0.key == "hasNext" ? JSONValue(index < result.count - 1) : $0.value) })
    }
  }

  /// Whether no earlier payload has an entry of the same fragment or stream, or data that a completed one may share.
  private static func isInOrder(_ payload: JSONValue, after earlier: ArraySlice<JSONValue>) -> Bool {
    let ids = { (payload: JSONValue) in
      Set((list(payload, "incremental") + list(payload, "completed")).compactMap { $0["id"]?.string })
    }
    let own = ids(payload)
    let sent = Set(list(payload, "incremental").compactMap { $0["id"]?.string })
    if !earlier.isEmpty, !list(payload, "completed").allSatisfy({ sent.contains($0["id"]?.string ?? "") }) {
      return false
    }
    return earlier.allSatisfy { ids($0).isDisjoint(with: own) }
  }

  private static func list(_ payload: JSONValue, _ name: String) -> [JSONValue] {
    payload[name]?.elements.map { $0 } ?? []
  }
}
