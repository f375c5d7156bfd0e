/// Work for the history of requests.
package enum HistoryEffect: Equatable, Sendable {
  case record(HistoryEntry)
  case search(String)
  case open(Int, HistoryPurpose)
  /// Lists the recently used endpoints.
  case listEndpoints
  /// Removes every run.
  case clear

  private enum Key: Hashable {
    case recording(String, Duration)
    case search, endpoints, clearing
  }

  var work: EffectWork {
    switch self {
    // Every run is recorded, so none replaces another one that waits.
    case .record(let entry):
      .start(Key.recording(entry.operation, entry.elapsed), .isFinishedFirst) { environment, send in
        await environment.history.record(entry)
        send(.history(.recorded))
        environment.history.reportTrouble(send)
      }
    case .search(let text):
      .start(Key.search) { environment, send in
        send(.history(.found(await environment.history.search(text), filter: text)))
        environment.history.reportTrouble(send)
      }
    case .open(let id, let purpose):
      .start(Key.search) { environment, send in
        let entry = await environment.history.entry(id)
        send(
          entry.map { .history(.opened($0, purpose)) } ?? .operationFailed("The run is no longer in the history"))
      }
    case .clear:
      .start(Key.clearing) { environment, send in
        if let count = await environment.history.clear() { send(.history(.cleared(count))) }
        environment.history.reportTrouble(send)
      }
    case .listEndpoints: .start(Key.endpoints) { $1(.history(.endpointsFound(await $0.history.endpoints()))) }
    }
  }
}

/// Access to the history of requests.
package struct HistoryEnvironment: Sendable {
  package var record: @Sendable (HistoryEntry) async -> Void = { _ in }
  package var search: @Sendable (String) async -> [PickerItem] = { _ in [] }
  package var entry: @Sendable (Int) async -> HistoryEntry? = { _ in nil }
  /// Returns the recently used endpoints, newest first.
  package var endpoints: @Sendable () async -> [PickerItem] = { [] }
  /// Removes every run and returns their number; nil if that failed.
  package var clear: @Sendable () async -> Int? = { nil }
  /// Returns the reason why the history could not be used, once per failure; otherwise nil.
  package var trouble: @Sendable () -> String? = { nil }

  package init() {}

  fileprivate func reportTrouble(_ send: ExplorerEnvironment.Send) {
    if let reason = trouble() { send(.operationFailed("The history is not available: \(reason)")) }
  }
}
