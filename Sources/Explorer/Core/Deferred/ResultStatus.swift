import ApusClientAPI
import ApusJSON

/// The result status of a run, deferred fragment or streamed list. The deferred pane, the tree and the status
/// line share it.
package enum ResultStatus: CaseIterable, Equatable, Sendable {
  case pending, complete, fromCache
  /// The data arrived, and some of its fields have errors.
  case withErrors
  /// The server returned null.
  case null
  case failed
  /// The connection ended before the data arrived.
  case cut
  case cancelled
  /// The data can never arrive, because the object is null or has another type.
  case notExecuted
  /// The run is complete without a report about this item.
  case neverCame

  package var word: String {
    switch self {
    case .pending: "pending"
    case .complete: "complete"
    case .fromCache: "from the cache"
    case .withErrors: "partial errors"
    case .null: "null"
    case .failed: "failed"
    case .cut: "interrupted"
    case .cancelled: "canceled"
    case .notExecuted: "not executed"
    case .neverCame: "missing"
    }
  }

  /// Whether requested data is missing although the run has passed it.
  package var isFailure: Bool {
    switch self {
    case .withErrors, .null, .failed, .cut, .neverCame: true
    case .pending, .complete, .fromCache, .cancelled, .notExecuted: false
    }
  }

  /// The position when items are sorted by state: failures first.
  var rank: Int {
    switch self {
    case .failed: 0
    case .cut: 1
    case .neverCame: 2
    case .null: 3
    case .withErrors: 4
    case .cancelled: 5
    case .pending: 6
    case .complete: 7
    case .fromCache: 8
    case .notExecuted: 9
    }
  }

  /// The status of a response that ended. Without data the request has failed, even if its errors arrived in good order.
  package init(
    data: JSONValue?, _ errors: [GraphQLError], _ fragments: [DeferredFragment] = [], isFromCache: Bool = false
  ) {
    if let data, data.isNull {
      self = .null
    } else if !errors.isEmpty {
      self = data == nil ? .failed : .withErrors
    } else if fragments.lackOneSilently {
      self = .neverCame
    } else {
      self = isFromCache ? .fromCache : .complete
    }
  }

  /// The outcome of a run in a notification; nil if the run has not ended or the user ended it.
  var ending: String? {
    switch self {
    case .complete, .fromCache: "is complete"
    case .withErrors: "is complete with errors"
    case .null: "returned null"
    case .failed: "failed"
    case .cut: "was interrupted"
    case .neverCame: "is incomplete"
    case .pending, .cancelled, .notExecuted: nil
    }
  }

  /// The word for a run, of which some data arrived.
  package var wordOfRun: String { self == .neverCame ? "incomplete" : word }
}

extension ResponseFeature {
  /// The status of the run; nil if there is no run.
  package var runState: ResultStatus? { run.map(state) }

  /// Whether the run failed or has errors, so that its tab and its pane are marked.
  package var hasFailed: Bool {
    guard let run, let status = runState else { return false }
    return run.failure != nil || !run.errors.isEmpty || status.isFailure
  }

  private func state(of run: Run) -> ResultStatus {
    switch run.phase {
    case .sending, .receiving: return .pending
    case .cancelled: return .cancelled
    case .failed: return run.payloadCount > 0 && run.failure?.stage == .network ? .cut : .failed
    case .complete:
      let status = ResultStatus(data: tree.data, run.errors, run.fragments, isFromCache: run.isFromCache)
      // The errors of a subscription belong to its last event. Without data, they are the reason for its end.
      return run.operation?.kind == "subscription" && status == .withErrors ? .complete : status
    }
  }

  /// The status of a response from the history.
  package func state(of entry: HistoryEntry) -> ResultStatus {
    switch entry.status {
    case .failed: .failed
    case .cancelled: .cancelled
    // Errors that are not stored are only counted.
    case .complete where tree.errors.isEmpty && entry.errorCount > 0: .withErrors
    case .complete: ResultStatus(data: tree.data, tree.errors)
    }
  }

  package func state(of fragment: DeferredFragment) -> ResultStatus {
    state(fragment.state, fragment.shortfall, settledAfter: fragment.settledAfter)
  }

  package func state(of stream: StreamedList) -> ResultStatus {
    state(stream.state, stream.shortfall, settledAfter: stream.settledAfter)
  }

  private func state(
    _ state: DeferredState, _ shortfall: IncompleteReason?, settledAfter: Duration?
  ) -> ResultStatus {
    switch state {
    case .notExecuted: return .notExecuted
    case .pending: return payloads.isInPast ? .pending : stateOfUnsettled
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

  /// The status of an item without a report, derived from the run.
  private var stateOfUnsettled: ResultStatus {
    switch runState {
    case .pending: .pending
    case .cancelled: .cancelled
    case .cut: .cut
    case .failed: .failed
    case .complete, .fromCache, .withErrors, .null, .notExecuted, .neverCame, nil: .neverCame
    }
  }
}
