/// A deferred fragment. The value is available once the fragment has arrived; `$name` is its state.
///
///     if case .fulfilled(let friends) = person.asUser?.fragments.$deferredFriends { … }
@propertyWrapper
public struct Deferred<Part: Deferrable>: Sendable {
  /// The state of the fragment on this object.
  public enum State: Sendable, Hashable {
    /// The fragment has not arrived.
    case pending
    /// The fragment has arrived.
    case fulfilled(Part)
    /// The fragment will not arrive because of errors.
    case failed([GraphQLError])
    /// The fragment does not apply, because the object has another type.
    case notExecuted
  }

  private let data: DataDict
  private let label: String?

  /// Creates the property for a fragment of an object. The label distinguishes several deferrals of one named fragment
  /// on an object, and is not needed for a single one.
  public init(_dataDict: DataDict, label: String? = nil) {
    data = _dataDict
    self.label = label
  }

  /// The state with the value or the errors, computed from the data on each access.
  public var state: State {
    switch data.state(of: Part.self, label: label) {
    case .pending: .pending
    case .fulfilled: .fulfilled(Part(_dataDict: data))
    case .failed(let errors): .failed(errors)
    case .notExecuted: .notExecuted
    }
  }

  /// The state, accessed as `$name`.
  public var projectedValue: State { state }

  /// The fragment; `nil` while it is pending, if it failed, and if it was not executed.
  public var wrappedValue: Part? { if case .fulfilled(let part) = state { part } else { nil } }
}
