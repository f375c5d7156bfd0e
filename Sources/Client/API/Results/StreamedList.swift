import ApusJSON

/// The reason why a resolved fragment or stream is incomplete, in addition to its state.
package enum IncompleteReason: String, Sendable, Equatable {
  /// The data arrived, with errors in some of its fields.
  case errors
  /// The server sent null for it, without an error.
  case null
  /// The response ended before it arrived, although more was promised.
  case cut
  /// The response said that it was complete, but it or some of its fields were missing.
  case missing

  /// Whether no server error describes the reason.
  package var isSilent: Bool { self != .errors }
}

/// A list whose items arrive incrementally.
package struct StreamedList: Sendable, Equatable {
  package let label: String?
  package let path: ResponsePath
  package var state: DeferredState
  /// The time from the start of the request to the payload with the list's first items.
  package let announcedAfter: Duration?
  package var settledAfter: Duration?
  package var shortfall: IncompleteReason?

  package init(
    label: String?, path: ResponsePath, state: DeferredState, announcedAfter: Duration? = nil,
    settledAfter: Duration? = nil, shortfall: IncompleteReason? = nil
  ) {
    self.label = label
    self.path = path
    self.state = state
    self.announcedAfter = announcedAfter
    self.settledAfter = settledAfter
    self.shortfall = shortfall
  }

  /// Returns the list in another element of an enclosing list.
  package func moved(to path: ResponsePath) -> StreamedList {
    StreamedList(
      label: label, path: path, state: state, announcedAfter: announcedAfter, settledAfter: settledAfter,
      shortfall: shortfall)
  }

  /// Whether the list ended before its last item.
  package var hasFailed: Bool { if case .failed = state { true } else { false } }
}
