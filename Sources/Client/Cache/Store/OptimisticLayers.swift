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
  }

  private var layers: [Layer] = []
  private var count = 0

  var isEmpty: Bool { layers.isEmpty }

  private func moment(_ time: UInt32) -> ChangeMoment { ChangeMoment(stamp: .max, time: time) }

  /// The records as they look through the layers at a time.
  func applied(to records: RecordSet, at time: UInt32) -> RecordSet {
    var records = records
    for layer in layers { _ = records.apply(layer.mutations, moment(time)) }
    return records
  }

  /// Everything that the layers touch when they are laid over some records.
  func changes(over records: RecordSet, at time: UInt32) -> ChangedKeys {
    var records = records
    var changed = ChangedKeys()
    for layer in layers { changed.formUnion(records.apply(layer.mutations, moment(time))) }
    return changed
  }

  mutating func add(
    _ mutations: [CacheMutation], over base: RecordSet, at time: UInt32
  ) -> (OptimisticLayer, ChangedKeys) {
    var seen = applied(to: base, at: time)
    let changed = seen.apply(mutations, moment(time))
    count += 1
    layers.append(Layer(number: count, mutations: mutations))
    return (OptimisticLayer(number: count), changed)
  }

  func contains(_ layer: OptimisticLayer) -> Bool { layers.contains { $0.number == layer.number } }

  /// Takes a layer away and tells what that changes in the records as they are by now; `nil` when it is gone already.
  ///
  /// What the layer did can be another thing than when it was laid: it was written beneath it since, and the layers above
  /// do other things without it. So both worlds are made, with it and without it, and they differ in no more than what
  /// made them.
  mutating func remove(_ layer: OptimisticLayer, from base: RecordSet, at time: UInt32) -> ChangedKeys? {
    guard let index = layers.firstIndex(where: { $0.number == layer.number }) else { return nil }
    var without = base
    for lower in layers[..<index] { _ = without.apply(lower.mutations, moment(time)) }
    var with = without
    var changed = with.apply(layers[index].mutations, moment(time))
    for upper in layers[(index + 1)...] {
      changed.formUnion(with.apply(upper.mutations, moment(time)))
      changed.formUnion(without.apply(upper.mutations, moment(time)))
    }
    layers.remove(at: index)
    return changed
  }
}
