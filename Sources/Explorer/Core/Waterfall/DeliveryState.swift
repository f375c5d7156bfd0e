import ApusClientAPI

/// What became of a run, a deferred fragment or a streamed list, as rail, tree and status line tell it alike.
package enum DeliveryState: CaseIterable, Equatable, Sendable {
  case pending, complete, fromCache
  /// It came, and some of its fields with errors.
  case withErrors
  /// The server sent null for it.
  case null
  case failed
  /// The connection ended before it came.
  case cut
  case cancelled
  /// It could never come here: the object is of another type, or is null.
  case notExecuted
  /// The run is over, and said nothing of it.
  case neverCame

  package var word: String {
    switch self {
    case .pending: "pending"
    case .complete: "complete"
    case .fromCache: "from the cache"
    case .withErrors: "with errors"
    case .null: "null"
    case .failed: "failed"
    case .cut: "cut off"
    case .cancelled: "cancelled"
    case .notExecuted: "not executed"
    case .neverCame: "never came"
    }
  }

  /// The same of a run, of which some came.
  package var wordOfRun: String { self == .neverCame ? "not whole" : word }
}

extension TabResponse {
  /// What became of the run; nil where none was begun.
  package var runState: DeliveryState? { run.map(state) }

  private func state(of run: Run) -> DeliveryState {
    switch run.phase {
    case .sending, .receiving: return .pending
    case .cancelled: return .cancelled
    case .failed: return run.parts > 0 && run.failure?.stage == .network ? .cut : .failed
    case .complete:
      // The errors of a subscription are those of its last event; without data they are why it ended.
      if run.operation?.kind == "subscription" {
        return run.errors.isEmpty || tree.data?.isNull == false ? .complete : .withErrors
      }
      if !run.errors.isEmpty { return tree.data?.isNull == true ? .null : .withErrors }
      if run.fragments.lackOneSilently { return .neverCame }
      return run.isFromCache ? .fromCache : .complete
    }
  }

  package func state(of fragment: DeferredFragment) -> DeliveryState {
    state(fragment.state, fragment.shortfall, settledAfter: fragment.settledAfter)
  }

  package func state(of stream: DeferredStream) -> DeliveryState {
    state(stream.state, stream.shortfall, settledAfter: stream.settledAfter)
  }

  private func state(
    _ state: DeferredState, _ shortfall: DeliveryShortfall?, settledAfter: Duration?
  ) -> DeliveryState {
    switch state {
    case .notExecuted: return .notExecuted
    case .pending: return parts.isInPast ? .pending : stateOfUnsettled
    case .fulfilled:
      if shortfall == .errors { return .withErrors }
      return run?.isFromCache == true && settledAfter == nil ? .fromCache : .complete
    case .failed:
      switch shortfall {
      case .null: return .null
      case .cut: return .cut
      case .missing: return .neverCame
      case .errors, nil: return .failed
      }
    }
  }

  /// What became of that of which nothing was heard.
  private var stateOfUnsettled: DeliveryState {
    switch runState {
    case .pending: .pending
    case .cancelled: .cancelled
    case .cut: .cut
    case .failed: .failed
    case .complete, .fromCache, .withErrors, .null, .notExecuted, .neverCame, nil: .neverCame
    }
  }
}
