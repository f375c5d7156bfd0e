import ApusClientRecords

/// Finds the cached objects that a local change kept. It compares the change with the cache: an object is the one at its
/// path, and a list element one of the elements that were read, which it keeps being after it moved.
extension RecordMerge {
  /// Returns the cached object that each embedded object of a local change is. The others are new.
  func cachedObjects(in storage: inout StoredRecords, log: inout ChangeLog) -> [RecordID: RecordID] {
    var found: [RecordID: RecordID] = [:]
    for number in source.keys where source.exists(number) && storage.exists(records[number]) {
      guard !source.isEmbedded(number) || number == incoming.named else { continue }
      pairFields(of: number, with: records[number], in: &storage, &found, &log)
    }
    return found
  }

  private func pairFields(
    of number: RecordID, with cached: RecordID, in storage: inout StoredRecords,
    _ found: inout [RecordID: RecordID], _ log: inout ChangeLog
  ) {
    if !incoming.merges.isEmpty { assembleConnections(of: number, in: cached, of: &storage, log: &log) }
    var finder = FieldFinder(cached)
    for index in 0..<source.fieldCount(of: number) {
      let value = source.field(at: index, of: number)
      guard value.kind == .reference || value.kind == .list,
        let position = finder.index(of: fields[value.field], in: storage, near: index)
      else { continue }
      let old = storage.field(at: position, of: cached)
      if value.kind == .list, old.kind == .list {
        let range = readRange(of: FieldLocation(number, value.field), value, in: old, storage)
        pair(source.items(of: value), with: Array(storage.items(of: old)[range]), in: &storage, &found, &log)
      } else {
        pair(value, with: old, in: &storage, &found, &log)
      }
    }
  }

  /// Returns the items of a stored list that the change was made from: those of its page, if pages are merged.
  private func readRange(
    of place: FieldLocation, _ new: StoredValue, in list: StoredValue, _ storage: StoredRecords
  ) -> Range<Int> {
    guard let pending = incoming.merges[place], case .offset(let offset, let limit) = pending.merge,
      let window = OffsetWindow(offset: pending.arguments[offset], limit: pending.arguments[limit])
    else { return 0..<list.count }
    return window.part(of: list, in: storage)?.range ?? list.count..<list.count
  }

  private func pair(
    _ new: StoredValue, with old: StoredValue, in storage: inout StoredRecords,
    _ found: inout [RecordID: RecordID], _ log: inout ChangeLog
  ) {
    guard mayBeSame(new, old, in: storage) else { return }
    found[new.target] = old.target
    pairFields(of: new.target, with: old.target, in: &storage, &found, &log)
  }

  private func pair(
    _ newList: [StoredValue], with oldList: [StoredValue], in storage: inout StoredRecords,
    _ found: inout [RecordID: RecordID], _ log: inout ChangeLog
  ) {
    for (new, old) in partners(of: newList, in: oldList, storage) { pair(new, with: old, in: &storage, &found, &log) }
  }

  /// Returns the pairs of a list's elements, or of those of its lists: equal ones in order, then those with the same keyed
  /// reference, and the rest by index if the length is unchanged.
  private func partners(
    of newList: [StoredValue], in oldList: [StoredValue], _ storage: StoredRecords
  ) -> [(new: StoredValue, old: StoredValue)] {
    var (new, old): ([StoredValue], [StoredValue]) = ([], [])
    let aligned = align(newList, oldList, &new, &old, in: storage)
    var pairing = ElementPairing(count: new.count, readCount: old.count)
    let shapes = new.map(shape)
    let allShapes = Set(shapes)
    pairing.pair(
      byKeys: { [hash(of: new[$0], shapes[$0])] },
      { index in allShapes.map { hash(ofCached: old[index], $0, in: storage) } },
      if: { contains(old[$1], new[$0], in: storage) })
    pairing.pair(
      byKeys: { keyedReferences(of: new[$0]) }, { keyedReferences(ofCached: old[$0], in: storage) },
      if: { mayBeSame(new[$0], old[$1], in: storage) && !isDistinguished(new[$0], old[$1], in: storage) })
    pairing.pair(aligned) { mayBeSame(new[$0], old[$1], in: storage) }
    return pairing.partners.enumerated().compactMap { index, partner in partner.map { (new[index], old[$0]) } }
  }

  /// Collects the elements of nested lists. Returns the pairs of those at the same index in lists of unchanged length.
  private func align(
    _ newItems: [StoredValue], _ oldItems: [StoredValue], _ new: inout [StoredValue], _ old: inout [StoredValue],
    in storage: StoredRecords
  ) -> [(new: Int, read: Int)] {
    var pairs: [(new: Int, read: Int)] = []
    let isAligned = newItems.count == oldItems.count
    for index in 0..<max(newItems.count, oldItems.count) {
      let newItem = index < newItems.count ? newItems[index] : nil
      let oldItem = index < oldItems.count ? oldItems[index] : nil
      if newItem?.kind == .list || oldItem?.kind == .list {
        let inner = align(
          newItem.map { elements(of: $0, source) } ?? [], oldItem.map { elements(of: $0, storage) } ?? [], &new, &old,
          in: storage)
        if isAligned { pairs += inner }
        continue
      }
      if isAligned { pairs.append((new.count, old.count)) }
      if let newItem { new.append(newItem) }
      if let oldItem { old.append(oldItem) }
    }
    return pairs
  }

  private func elements(of value: StoredValue, _ storage: StoredRecords) -> [StoredValue] {
    value.kind == .list ? storage.items(of: value) : [value]
  }

  // MARK: Comparing

  /// Returns whether two values are embedded objects that can be of one type.
  private func mayBeSame(_ new: StoredValue, _ old: StoredValue, in storage: StoredRecords) -> Bool {
    new.kind == .reference && old.kind == .reference && source.isEmbedded(new.target)
      && storage.isEmbedded(old.target) && storage.exists(old.target)
      && !hasOtherType(new.target, than: old.target, in: storage)
  }

  /// Returns whether a cached value has everything that a value of the change has.
  private func contains(_ old: StoredValue, _ new: StoredValue, in storage: StoredRecords) -> Bool {
    guard old.kind == new.kind else { return false }
    switch new.kind {
    case .reference where source.isEmbedded(new.target):
      guard mayBeSame(new, old, in: storage) else { return false }
      var finder = FieldFinder(old.target)
      return (0..<source.fieldCount(of: new.target)).allSatisfy { index in
        let value = source.field(at: index, of: new.target)
        guard let position = finder.index(of: fields[value.field], in: storage, near: index) else { return false }
        return contains(storage.field(at: position, of: old.target), value, in: storage)
      }
    case .list:
      return old.count == new.count
        && (0..<new.count).allSatisfy {
          contains(storage.item(at: $0, of: old), source.item(at: $0, of: new), in: storage)
        }
    case .null, .missing, .scalar, .reference: return isEqual(old, new, in: storage)
    }
  }

  private func isDistinguished(_ new: StoredValue, _ old: StoredValue, in storage: StoredRecords) -> Bool {
    let (mine, others) = (keyedReferences(of: new), keyedReferences(ofCached: old, in: storage))
    return mine.contains { reference in others.contains { $0.field == reference.field && $0 != reference } }
  }

  // MARK: Keys of elements

  /// The fields of an element that determine its hash: those that are not lists or embedded objects.
  private func shape(of element: StoredValue) -> [FieldID] {
    guard element.kind == .reference else { return [] }
    return source.fields(of: element.target).filter { value in
      value.kind == .scalar || value.kind == .null || (value.kind == .reference && !source.isEmbedded(value.target))
    }.map(\.field)
  }

  private func hash(of element: StoredValue, _ shape: [FieldID]) -> Int {
    var hasher = Hasher()
    hasher.combine(shape)
    for field in shape {
      guard let value = source.value(of: field, in: element.target) else { continue }
      hash(value, of: source, &hasher) { records[$0] }
    }
    return hasher.finalize()
  }

  private func hash(ofCached element: StoredValue, _ shape: [FieldID], in storage: StoredRecords) -> Int {
    var hasher = Hasher()
    hasher.combine(shape)
    for field in shape where element.kind == .reference {
      guard let value = storage.value(of: fields[field], in: element.target) else { continue }
      hash(value, of: storage, &hasher) { $0 }
    }
    return hasher.finalize()
  }

  private func hash(
    _ value: StoredValue, of storage: StoredRecords, _ hasher: inout Hasher, _ target: (RecordID) -> RecordID
  ) {
    hasher.combine(value.kind)
    switch value.kind {
    case .reference: hasher.combine(target(value.target))
    case .scalar: storage.withText(of: value) { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    case .null, .missing, .list: break
    }
  }

  private struct KeyedReference: Hashable {
    let field: FieldID
    let record: RecordID
  }

  /// Returns the references of an element to keyed records, in the ids of the target.
  private func keyedReferences(of element: StoredValue) -> [KeyedReference] {
    guard element.kind == .reference else { return [] }
    return source.fields(of: element.target).compactMap { value in
      guard value.kind == .reference, !source.isEmbedded(value.target) else { return nil }
      return KeyedReference(field: fields[value.field], record: records[value.target])
    }
  }

  private func keyedReferences(ofCached element: StoredValue, in storage: StoredRecords) -> [KeyedReference] {
    guard element.kind == .reference, storage.exists(element.target) else { return [] }
    return storage.fields(of: element.target).compactMap { value in
      guard value.kind == .reference, !storage.isEmbedded(value.target) else { return nil }
      return KeyedReference(field: value.field, record: value.target)
    }
  }
}
