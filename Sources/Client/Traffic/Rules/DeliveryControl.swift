import Synchronization

/// The rules that change responses, and the payloads that wait until the user releases them (`--hold`).
///
/// A relay asks it for the rules of each new exchange and before it sends a held payload. The view changes the rules and releases
/// payloads.
///
/// | call | payloads that wait | later payloads |
/// |---|---|---|
/// | `release(_:)` | the next one of this operation is sent | wait |
/// | `releaseAll(of:)` | all of this operation are sent | do not wait |
/// | `releaseNext()` | the next one of each operation is sent | wait |
/// | `releaseAll()` | all are sent | do not wait |
/// | `use(_:)` with rules that hold | wait | wait if their operations began with rules that hold |
/// | `use(_:)` with rules that do not hold | all are sent | do not wait |
///
/// A release has no effect on an operation without a waiting payload, so that a key that is pressed once too often sends nothing.
/// The relay registers the next payload before it reports that payloads wait, so that a release after the report has an effect.
package final class DeliveryControl: Sendable {
  private struct State {
    var rules: DeliveryRules
    /// The operations whose next payload waits, each with a function that wakes its connection.
    var waiting: [TrafficOperationID: @Sendable () -> Void] = [:]
    /// The operations whose next payload was released, but has not been sent.
    var released: Set<TrafficOperationID> = []
    /// The operations whose payloads do not wait.
    var exempt: Set<TrafficOperationID> = []
  }

  private let state: Mutex<State>

  package init(_ rules: DeliveryRules = DeliveryRules()) { state = Mutex(State(rules: rules)) }

  // MARK: View

  /// The rules for exchanges that begin now.
  package var rules: DeliveryRules { state.withLock { $0.rules } }

  /// Replaces the rules.
  package func use(_ rules: DeliveryRules) {
    wake {
      $0.rules = rules
      return rules.holds ? [] : Array($0.waiting.keys)
    }
  }

  package func release(_ operation: TrafficOperationID) { wake { _ in [operation] } }

  package func releaseAll(of operation: TrafficOperationID) {
    wake {
      $0.exempt.insert(operation)
      return [operation]
    }
  }

  package func releaseNext() { wake { Array($0.waiting.keys) } }

  package func releaseAll() {
    wake {
      $0.rules.holds = false
      return Array($0.waiting.keys)
    }
  }

  /// Releases the operations that `change` returns, if their next payload waits.
  private func wake(_ change: (inout State) -> [TrafficOperationID]) {
    let functions = state.withLock { state in
      change(&state).compactMap { operation -> (@Sendable () -> Void)? in
        guard let wake = state.waiting.removeValue(forKey: operation) else { return nil }
        state.released.insert(operation)
        return wake
      }
    }
    for function in functions { function() }
  }

  // MARK: Relay

  /// Returns whether the next payload of an operation may be sent. If not, it waits, and `wake` is called when it is released.
  package func takeRelease(of operation: TrafficOperationID, wake: @escaping @Sendable () -> Void) -> Bool {
    state.withLock { state in
      let isReleased = state.released.remove(operation) != nil
      guard state.rules.holds, !isReleased, !state.exempt.contains(operation) else { return true }
      state.waiting[operation] = wake
      return false
    }
  }

  /// Removes an operation whose payloads do not wait any more, because it ended.
  package func forget(_ operation: TrafficOperationID) {
    state.withLock { state in
      state.waiting[operation] = nil
      state.released.remove(operation)
      state.exempt.remove(operation)
    }
  }

  /// Removes all operations of an exchange that ended.
  package func forget(exchange: Int) {
    state.withLock { state in
      state.waiting = state.waiting.filter { $0.key.exchange != exchange }
      state.released = state.released.filter { $0.exchange != exchange }
      state.exempt = state.exempt.filter { $0.exchange != exchange }
    }
  }
}
