/// A key that identifies related effects. At most one effect per key runs at a time, and effects are canceled by key.
enum EffectKey: Hashable {
  case clock, analysis, variables, completion, format, writing, records, record, preview, writes, pagingOffers
  case schema(EndpointID), connection(EndpointID), credentials(EndpointID), audit(EndpointID), eviction(EndpointID)
  case events, layout, order, comparison, recordPlace, link, form, check, copying, importing, session
  case clipboard
  case reading(Int), measuring(Int), pages(Int), search, filter, export, endpoints, historySearch, files
  case run(Int)
  case recording(String, Duration)
  case file(Int)
  case writtenFile(String)
  case answer
}

/// The scheduling of an effect relative to the running ones.
enum EffectScheduling {
  /// The screen performs the effect.
  case byScreen
  /// Performs the effect synchronously, without a task.
  case immediately(@Sendable (ExplorerEnvironment) -> Void)
  /// Starts the effect after the running one with its key has ended. Of several waiting
  /// effects, only the last one is run.
  case start(EffectKey, EffectTraits = [])
  /// Cancels the running effect with the key and starts the new one after it.
  case restart(EffectKey, EffectTraits = [])
  /// Cancels the running effect with a key and discards those that wait for it.
  case cancel(EffectKey)
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
