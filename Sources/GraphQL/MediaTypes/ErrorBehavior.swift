/// The effect of a field error on the result, as chosen by a request with `onError`.
///
/// Source: error behavior in the draft of the specification.
public enum ErrorBehavior: String, Sendable, Hashable, CaseIterable {
  /// Null propagates to the nearest nullable field or list item.
  case propagate = "PROPAGATE"
  /// The field itself becomes null, even if its type is non-null.
  case null = "NULL"
  /// The whole result becomes null, and only the first error is reported.
  case halt = "HALT"
}
