/// What a client does with data that contradicts its operation: a null where the type has none, a value of another
/// type, an object of a type that cannot stand there.
public enum ResultChecking: Sendable, Hashable {
  /// The data is given out as it came.
  case none
  /// What is wrong is added to the result's errors, with its path; the data is given out as it came.
  case reporting
  /// What is wrong is added to the errors, and makes the nearest nullable place around it null (GraphQL specification,
  /// section 6.4.4); in a deferred fragment it goes no further than making the fragment failed.
  case bubbling
}
