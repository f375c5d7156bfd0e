/// The handling of response data that does not match the operation: a null in a non-null field, a value of another
/// type, or an object of an impossible type.
public enum ResultChecking: Sendable, Hashable {
  /// The data is not checked.
  case none
  /// Each mismatch is added to the result's errors with its path. The data is unchanged.
  case reportErrors
  /// Each mismatch is added to the errors, and null propagates to the nearest nullable field (GraphQL specification,
  /// section 6.4.4). In a deferred fragment, it propagates no further than the fragment, which then failed.
  case propagateNulls
}
