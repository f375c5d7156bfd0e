/// The elements of a list that several payloads bring. A payload names an element by its index in the first one, also after
/// another payload has moved it.
struct MutableList: Sendable {
  enum Place: Equatable {
    case at(Int)
    /// A payload removed the element.
    case removed
    case missing
  }

  var items: [MutableJSON]
  /// The index of each element in the first payload; `nil` for one that has none, and for all until one was moved.
  private var origins: [Int?]?
  /// The number of indexes in the first payload.
  private var originCount = 0

  init(_ items: [MutableJSON]) { self.items = items }

  func place(of index: Int) -> Place {
    guard let origins else { return items.indices.contains(index) ? .at(index) : .missing }
    if let place = origins.firstIndex(of: index) { return .at(place) }
    return (0..<originCount).contains(index) ? .removed : .missing
  }

  /// Sets the items of a stream, beginning with an index; `nil` for the end of the list.
  mutating func add(_ added: [MutableJSON], at start: Int?) {
    for (offset, item) in added.enumerated() {
      let index = start.map { $0 + offset } ?? items.count
      if case .at(let place) = place(of: index) {
        items[place] = item
      } else {
        items.append(item)
        origins?.append(index)
        originCount = max(originCount, index + 1)
      }
    }
  }

  /// Merges the same list of another payload. It determines length and order, but a stream keeps its further items.
  mutating func merge(_ added: [MutableJSON], _ fields: SelectedFields, isStreamed: Bool) {
    let partners = partners(of: added, fields)
    var merged = zip(added, partners).map { item, partner in
      guard let partner else { return item }
      var pair = items[partner.index]
      // Elements without a key are the same only if nothing differs.
      if partner.isByIndex, pair.hasOtherLeaf(than: item, fields) { return item }
      pair.merge(item, fields)
      return pair
    }
    let former = origins ?? items.indices.map { $0 }
    originCount = max(originCount, items.count)
    var sources = partners.map { $0.flatMap { former[$0.index] } }
    if isStreamed, items.count > added.count {
      let taken = Set(partners.compactMap { $0?.index })
      let free = items.indices.filter { !taken.contains($0) }
      for index in (free.filter { $0 >= added.count } + free.filter { $0 < added.count }).prefix(
        items.count - added.count)
      {
        merged.append(items[index])
        sources.append(former[index])
      }
    }
    items = merged
    // An element without a partner has the index that it has in this payload, unless another one has it.
    for index in sources.indices where sources[index] == nil && !sources.contains(index) { sources[index] = index }
    origins = sources
  }

  /// Returns the element with the same key for each newer one, else with the same keys directly in it, else at the same
  /// index.
  private func partners(of added: [MutableJSON], _ fields: SelectedFields) -> [(index: Int, isByIndex: Bool)?] {
    var partners: [(index: Int, isByIndex: Bool)?] = Array(repeating: nil, count: added.count)
    var free = Set(items.indices)
    func pair(isByIndex: Bool = false, _ isPair: (_ older: Int, _ newer: Int) -> Bool) {
      for newer in added.indices where partners[newer] == nil {
        let candidates = isByIndex ? [newer].filter(free.contains) : items.indices.filter(free.contains)
        guard let older = candidates.first(where: { isPair($0, newer) }) else { continue }
        partners[newer] = (older, isByIndex)
        free.remove(older)
      }
    }
    pair { items[$0].hasKey(of: added[$1], fields) }
    pair { items[$0].hasInnerKey(of: added[$1], fields) }
    pair(isByIndex: true) { _, _ in true }
    return partners
  }
}
