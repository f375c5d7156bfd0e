// Former names of public declarations, which the next version removes.

import ApusJSON

/// The former name of `FieldValue`.
@available(*, deprecated, renamed: "FieldValue")
public typealias FieldView = FieldValue

/// The former name of `GraphQLResultCompleteness`.
@available(*, deprecated, renamed: "GraphQLResultCompleteness")
public typealias GraphQLResultResponse = GraphQLResultCompleteness

extension GraphQLResult {
  /// The former name of `Completeness`.
  @available(*, deprecated, renamed: "Completeness")
  public typealias Response = Completeness

  /// The former name of `payloadIndex`.
  @available(*, deprecated, renamed: "payloadIndex")
  public var part: Int { payloadIndex }

  /// The former name of `completeness`.
  @available(*, deprecated, renamed: "completeness")
  public var response: Completeness { completeness }
}

extension SubscriptionState {
  /// The former name of `active`.
  @available(*, deprecated, renamed: "active")
  public static var live: Self { .active }
}

extension ResultChecking {
  /// The former name of `reportErrors`.
  @available(*, deprecated, renamed: "reportErrors")
  public static var reporting: Self { .reportErrors }

  /// The former name of `propagateNulls`.
  @available(*, deprecated, renamed: "propagateNulls")
  public static var bubbling: Self { .propagateNulls }
}

extension DataDict {
  /// The former name of `mergeFields(of:)`.
  @available(*, deprecated, renamed: "mergeFields(of:)")
  public mutating func takeFields(of view: (any SelectionSet)?) { mergeFields(of: view) }
}

extension GraphQLResult {
  /// The initializer with the former label of `completeness`.
  @available(*, deprecated, message: "Use 'completeness' and 'payloadIndex'")
  public init(
    data: Data?, errors: [GraphQLError] = [], extensions: JSONValue? = nil, source: Source = .server,
    response: Completeness, fragments: [DeferredFragment] = [], changedKeys: Set<String> = [], part: Int = 0,
    elapsed: Duration = .zero, byteCount: Int = 0, changedPaths: [ResponsePath] = []
  ) {
    self.init(
      data: data, errors: errors, extensions: extensions, source: source, completeness: response,
      fragments: fragments, changedKeys: changedKeys, payloadIndex: part, elapsed: elapsed, byteCount: byteCount,
      changedPaths: changedPaths)
  }
}
