import ApusJSON

/// Why something that came behind the first part is less than whole, beyond what its state says.
package enum DeliveryShortfall: String, Sendable, Equatable {
  /// It came, and some of its fields with errors.
  case errors
  /// The server sent null for it, and no error.
  case null
  /// The response ended before it came, and had promised more.
  case cut
  /// The response said that it was whole, and it was not in it.
  case missing

  /// Whether no error of the server tells of it.
  package var isSilent: Bool { self != .errors }
}

/// A list whose items arrive one after the other.
package struct DeferredStream: Sendable, Equatable {
  package let label: String?
  package let path: ResponsePath
  package var state: DeferredState
  package var settledAfter: Duration?
  package var shortfall: DeliveryShortfall?

  package init(
    label: String?, path: ResponsePath, state: DeferredState, settledAfter: Duration? = nil,
    shortfall: DeliveryShortfall? = nil
  ) {
    self.label = label
    self.path = path
    self.state = state
    self.settledAfter = settledAfter
    self.shortfall = shortfall
  }

  /// Whether the list ended before its last item.
  package var hasFailed: Bool { if case .failed = state { true } else { false } }
}
