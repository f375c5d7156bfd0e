import ApusClientAPI

/// What became of the fields of a `defer`: their value once it is there, and until then their state.
public enum DeferredValue<Value> {
  /// Still to come.
  case pending
  /// They are there.
  case fulfilled(Value)
  /// They will not come; the errors say why.
  case failed([GraphQLError])
  /// They could never come here.
  case notExecuted

  /// The value, if it is there.
  public var value: Value? { if case .fulfilled(let value) = self { value } else { nil } }
  /// Whether it is still to come.
  public var isPending: Bool { if case .pending = self { true } else { false } }
  /// Why it will not come; empty in every other state.
  public var errors: [GraphQLError] { if case .failed(let errors) = self { errors } else { [] } }

  /// The same state with another value.
  ///
  /// - Throws: What `transform` throws.
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
