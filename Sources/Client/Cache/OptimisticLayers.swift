/// A write that lies over the records until the server has answered.
public struct OptimisticLayer: Sendable, Hashable {
  fileprivate let number: Int
}

/// The optimistic writes of a store, the oldest first. The records beneath stay as they are, so that taking away any
/// layer leaves what would have been there without it.
struct OptimisticLayers {
  private struct Layer {
    let number: Int
    let mutations: [CacheMutation]
    /// What taking it away changes.
    let changed: ChangedKeys
  }

  private var layers: [Layer] = []
  private var count = 0

  var isEmpty: Bool { layers.isEmpty }

  /// The records as they look through the layers. Layers have no times of their own.
  func applied(to records: RecordSet) -> RecordSet {
    var records = records
    for layer in layers { _ = records.apply(layer.mutations, ChangeMoment(stamp: .max, time: 0)) }
    return records
  }

  mutating func add(_ mutations: [CacheMutation], over base: RecordSet) -> (OptimisticLayer, ChangedKeys) {
    var seen = applied(to: base)
    let changed = seen.apply(mutations, ChangeMoment(stamp: .max, time: 0))
    // What the layer wrote is another value without it, even where it was the same when it was laid.
    var uncovered = RecordSet(keepsReferrers: true)
    var all = uncovered.apply(mutations, ChangeMoment(stamp: .max, time: 0))
    all.formUnion(changed)
    count += 1
    layers.append(Layer(number: count, mutations: mutations, changed: all))
    return (OptimisticLayer(number: count), changed)
  }

  /// What taking a layer away changes; `nil` when it is gone already.
  mutating func remove(_ layer: OptimisticLayer) -> ChangedKeys? {
    guard let index = layers.firstIndex(where: { $0.number == layer.number }) else { return nil }
    return layers.remove(at: index).changed
  }
}
