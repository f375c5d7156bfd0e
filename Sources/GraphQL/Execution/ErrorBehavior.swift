/// The effect of a field error on the fields around it, as a request chooses it with `onError`.
///
/// Source: the specification's draft, error behavior.
package enum ErrorBehavior: String, Sendable, CaseIterable {
  /// Null replaces the nearest nullable field or list item around a non-nullable one.
  case propagate = "PROPAGATE"
  /// Null replaces the field itself, even where its type is not nullable.
  case null = "NULL"
  /// The whole result is null, and the first error is the only one.
  case halt = "HALT"
}
