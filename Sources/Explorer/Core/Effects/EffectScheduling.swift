/// A subject of effects. Of those with one key one runs at a time, and cancelling goes by it.
enum EffectKey: Hashable {
  case schema, clock, analysis, variables, completion, format, writing, records, record, preview, eviction, writes,
    pages
  case events, layout, order, comparison, recordPlace, link, form, check, copying, importing, session
  case clipboard
  case reading(Int), measuring(Int), search, filter, export, connection, credentials, endpoints, historySearch, files
  case run(Int)
  case recording(String, Duration)
  case file(Int)
  case writtenFile(String)
  case answer, audit
}

/// The way in which an effect is run beside those that are under way.
enum EffectScheduling {
  /// The screen does it.
  case byScreen
  /// Done immediately, beside all others.
  case immediately(@Sendable (ExplorerWorld) -> Void)
  /// Waits until the effect under way with its key has ended; of those that wait, the last one is run.
  case start(EffectKey, EffectTraits = [])
  /// Cancels the effect under way with its key.
  case restart(EffectKey, EffectTraits = [])
  /// Ends the effect with a key, and those that wait for it.
  case cancel(EffectKey)
}

/// The ways in which an effect differs from most.
struct EffectTraits: OptionSet {
  let rawValue: Int

  /// It is finished before the explorer ends: the user counts on finding its result again.
  static let isFinishedFirst = Self(rawValue: 1)
  /// It sends a request to the endpoint, or reads the results of one.
  static let usesEndpoint = Self(rawValue: 2)
  /// Another endpoint is open after it. What uses the one before has ended when it begins.
  static let leavesEndpoint = Self(rawValue: 4)
  /// It never ends by itself, and the explorer counts as idle meanwhile. A new one does not wait for the canceled one.
  static let isBackground = Self(rawValue: 8)
  /// Each of those that wait is run, in its turn.
  static let isQueued = Self(rawValue: 16)
}
