/// A write that is visible to readers until the server responds.
public struct OptimisticLayer: Sendable, Hashable {
  fileprivate let number: Int
}

/// The optimistic writes of a store, oldest first. The records do not change, so a layer can be removed without a trace.
struct OptimisticLayers {
  private struct Layer {
    let number: Int
    let mutations: [CacheMutation]
  }

  private var layers: [Layer] = []
  private var count = 0

  var isEmpty: Bool { layers.isEmpty }

  private func changeStamp(_ time: UInt32) -> ChangeStamp { ChangeStamp(stamp: .max, time: time) }

  /// Returns the records with the layers applied at a time.
  func applied(to records: RecordSet, at time: UInt32) -> RecordSet {
    var records = records
    for layer in layers { _ = records.apply(layer.mutations, changeStamp(time)) }
    return records
  }

  /// Returns all keys that the layers affect when they are applied to records.
  func changes(over records: RecordSet, at time: UInt32) -> ChangedKeys {
    var records = records
    var changed = ChangedKeys()
    for layer in layers { changed.formUnion(records.apply(layer.mutations, changeStamp(time))) }
    return changed
  }

  mutating func add(
    _ mutations: [CacheMutation], over base: RecordSet, at time: UInt32
  ) -> (OptimisticLayer, ChangedKeys) {
    var seen = applied(to: base, at: time)
    let changed = seen.apply(mutations, changeStamp(time))
    count += 1
    layers.append(Layer(number: count, mutations: mutations))
    return (OptimisticLayer(number: count), changed)
  }

  func contains(_ layer: OptimisticLayer) -> Bool { layers.contains { $0.number == layer.number } }

  /// Removes a layer. Returns the keys that this changes in the current records, or `nil` if the layer does not exist.
  ///
  /// The effect of a layer can have changed since it was added, through changes of the records and interactions with later
  /// layers. Therefore the records are computed with and without the layer. They differ at most in the keys changed by that
  /// layer and the later ones.
  mutating func remove(_ layer: OptimisticLayer, from base: RecordSet, at time: UInt32) -> ChangedKeys? {
    guard let index = layers.firstIndex(where: { $0.number == layer.number }) else { return nil }
    var without = base
    for lower in layers[..<index] { _ = without.apply(lower.mutations, changeStamp(time)) }
    var with = without
    var changed = with.apply(layers[index].mutations, changeStamp(time))
    for upper in layers[(index + 1)...] {
      changed.formUnion(with.apply(upper.mutations, changeStamp(time)))
      changed.formUnion(without.apply(upper.mutations, changeStamp(time)))
    }
    layers.remove(at: index)
    return changed
  }
}
