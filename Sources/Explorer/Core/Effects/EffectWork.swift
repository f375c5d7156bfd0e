/// The work of an effect in the environment, and its scheduling relative to other effects.
///
/// Each effect belongs to a key, such as `Key.records` for the list of records. At most one effect per key runs at a time.
enum EffectWork {
  typealias Key = any Hashable & Sendable
  typealias Perform = @Sendable (ExplorerEnvironment, @escaping ExplorerEnvironment.Send) async -> Void

  /// Starts the work after the running effect with its key has ended. Of several waiting effects, only the last one is run.
  case start(Key, EffectTraits = [], Perform)
  /// Cancels the running effect with the key and starts the work after it.
  case restart(Key, EffectTraits = [], Perform)
  /// Cancels the running effect with a key and discards those that wait for it.
  case cancel(Key)
  /// Performs the work synchronously, without a task.
  case immediately(@Sendable (ExplorerEnvironment) -> Void)
  /// Opens the endpoint that the effect is about.
  case open(Key, @Sendable (ExplorerEnvironment) async -> EndpointAnswer)
  /// Cancels the running effects at the endpoint, and closes it.
  case close
}

/// Additional scheduling rules for an effect.
struct EffectTraits: OptionSet {
  let rawValue: Int

  /// Finish the effect before the explorer exits, because the user expects to find its result.
  static let isFinishedFirst = Self(rawValue: 1)
  /// The effect never ends by itself and does not count as activity. A new one does not wait for the canceled one.
  static let isBackground = Self(rawValue: 2)
  /// Run every waiting effect, in order.
  static let isQueued = Self(rawValue: 4)
}

/// A key of any feature. Keys of different features are never equal, because their types differ.
struct EffectKey: Hashable, Sendable {
  private let key: EffectWork.Key

  init(_ key: EffectWork.Key) { self.key = key }

  static func == (left: EffectKey, right: EffectKey) -> Bool { AnyHashable(left.key) == AnyHashable(right.key) }

  func hash(into hasher: inout Hasher) { hasher.combine(key) }
}
