import ApusClientAPI

/// The state of the fields in a `defer`, with their value once they have arrived.
public enum DeferredValue<Value> {
  /// The fields have not arrived.
  case pending
  /// The fields have arrived.
  case fulfilled(Value)
  /// The fields will not arrive because of errors.
  case failed([GraphQLError])
  /// The fields do not apply to this object.
  case notExecuted

  /// The value, if the fields have arrived.
  public var value: Value? { if case .fulfilled(let value) = self { value } else { nil } }
  /// Whether the fields have not arrived.
  public var isPending: Bool { if case .pending = self { true } else { false } }
  /// Errors; empty unless the fields failed.
  public var errors: [GraphQLError] { if case .failed(let errors) = self { errors } else { [] } }

  /// Returns the state with a transformed value.
  ///
  /// - Throws: An error of `transform`.
  public func map<Other>(_ transform: (Value) throws -> Other) rethrows -> DeferredValue<Other> {
    switch self {
    case .pending: .pending
    case .fulfilled(let value): .fulfilled(try transform(value))
    case .failed(let errors): .failed(errors)
    case .notExecuted: .notExecuted
    }
  }
}

extension DeferredValue: Sendable where Value: Sendable {}
extension DeferredValue: Equatable where Value: Equatable {}
extension DeferredValue: Hashable where Value: Hashable {}
