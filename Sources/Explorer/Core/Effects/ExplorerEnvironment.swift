/// The explorer's access to the outside, as closures. Each group of effects declares the closures that it uses. The live
/// environment reaches a server and a cache; tests provide their own closures.
///
/// A closure with one result returns it. A closure with several results sends actions until it returns. Canceling the
/// task of a closure ends its work, including its network requests.
package struct ExplorerEnvironment: Sendable {
  package typealias Send = @Sendable (Action) -> Void

  package var runs = RunEnvironment()
  package var reading = ResponseEnvironment()
  package var text = EditorEnvironment()
  package var cache = CacheEnvironment()
  package var endpoint = EndpointEnvironment()
  package var history = HistoryEnvironment()
  package var sessions = SessionEnvironment()
  package var files = FileEnvironment()
  package var exports = ExportEnvironment()
  package var exchange = ExchangeEnvironment()
  package var requests = RequestsEnvironment()

  /// Sets the receiver of actions that no effect requested, such as changes to the cache.
  package var listen: @Sendable (@escaping Send) -> Void = { _ in }
  /// Schedules a changed session to be saved soon and returns immediately. Sends `operationFailed` when saving
  /// starts to fail.
  package var keepWorkspace: @Sendable (SavedSession, @escaping Send) -> Void = { _, _ in }
  /// Saves everything that is still pending, before the explorer exits.
  package var finishSaving: @Sendable () -> Void = {}
  /// Waits for a duration; returns early if the task is canceled. By default the clock never ticks.
  package var wait: @Sendable (Duration) async -> Void = { _ in
    let (stream, _) = AsyncStream<Never>.makeStream()
    for await _ in stream {}
  }

  package init() {}
}

/// A one-line description of why an operation of the environment failed.
package struct EnvironmentError: Error, Equatable, Sendable, CustomStringConvertible {
  package var message: String
  package var description: String { message }

  package init(_ message: String) { self.message = message }
}
