/// A fragment that arrives later than its object. The value is there once it has arrived; `$name` tells its state.
///
///     if case .fulfilled(let friends) = person.asUser?.fragments.$deferredFriends { … }
@propertyWrapper
public struct Deferred<Part: Deferrable>: Sendable {
  /// What became of the fragment on this object.
  public enum State: Sendable, Hashable {
    /// Still to come.
    case pending
    /// It has arrived.
    case fulfilled(Part)
    /// It will not come; the errors say why.
    case failed([GraphQLError])
    /// It could never come here: the object is of another type.
    case notExecuted
  }

  private let data: DataDict
  private let label: String?

  /// A fragment of the object. The label tells apart deferrals of one named fragment on one object; where there is only
  /// one, it need not be given.
  public init(_dataDict: DataDict, label: String? = nil) {
    data = _dataDict
    self.label = label
  }

  /// What became of the fragment, with its value or the errors; computed from the data each time.
  public var state: State {
    switch data.state(of: Part.self, label: label) {
    case .pending: .pending
    case .fulfilled: .fulfilled(Part(_dataDict: data))
    case .failed(let errors): .failed(errors)
    case .notExecuted: .notExecuted
    }
  }

  /// The state, for `$name`.
  public var projectedValue: State { state }

  /// The fragment's value once it has arrived; `nil` while it is pending, when it failed and when it was not executed.
  public var wrappedValue: Part? { if case .fulfilled(let part) = state { part } else { nil } }
}
