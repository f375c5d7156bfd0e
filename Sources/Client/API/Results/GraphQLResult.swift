import ApusJSON

/// The origin of a result.
public enum GraphQLResultSource: String, Sendable, Hashable {
  /// The cache, without a request; or the server.
  case cache, server
}

/// Whether a result is complete.
public enum GraphQLResultCompleteness: String, Sendable, Hashable {
  /// A complete result has everything requested. A partial result has pending fragments, or lacks data that is not in
  /// the cache.
  case partial, complete
}

/// A result of an operation. An operation with deferred fragments emits several.
public struct GraphQLResult<Data: Sendable>: Sendable {
  /// The origin of a result.
  public typealias Source = GraphQLResultSource
  /// Whether a result is complete.
  public typealias Completeness = GraphQLResultCompleteness

  /// The merged data; `nil` if the response has none.
  public let data: Data?
  /// Errors so far.
  public package(set) var errors: [GraphQLError]
  /// The response's extensions.
  public let extensions: JSONValue?
  /// The origin of the result.
  public let source: Source
  /// Whether the result is complete.
  public let completeness: Completeness
  /// Deferred fragments discovered so far, one element per instance.
  public let fragments: [DeferredFragment]
  /// Cache record fields that this result changed, as `key.field`.
  public package(set) var changedKeys: Set<String>
  /// The index of the payload, from 0.
  public let payloadIndex: Int
  /// The time since the start of the request.
  public let elapsed: Duration
  /// The size of the payload in bytes.
  public let byteCount: Int
  /// Paths at which this payload changed the data; `[]` alone means all of it.
  public let changedPaths: [ResponsePath]
  /// The request of the result, which the cache's change notifications also name; `nil` if there was no request.
  /// Queries that share a request share its identifier.
  public package(set) var request: RequestID?
  /// The JSON data; `nil` for a result created in code.
  package var json: JSONValue?
  /// Streamed lists discovered so far.
  package var streams: [StreamedList] = []

  /// Creates a result, for tests and custom sources.
  public init(
    data: Data?, errors: [GraphQLError] = [], extensions: JSONValue? = nil, source: Source = .server,
    completeness: Completeness = .complete, fragments: [DeferredFragment] = [], changedKeys: Set<String> = [],
    payloadIndex: Int = 0, elapsed: Duration = .zero, byteCount: Int = 0, changedPaths: [ResponsePath] = []
  ) {
    self.data = data
    self.errors = errors
    self.extensions = extensions
    self.source = source
    self.completeness = completeness
    self.fragments = fragments
    self.changedKeys = changedKeys
    self.payloadIndex = payloadIndex
    self.elapsed = elapsed
    self.byteCount = byteCount
    self.changedPaths = changedPaths
  }

  package var hasData: Bool { data != nil }

  /// Returns the result with transformed data.
  ///
  /// - Throws: An error of `transform`, which is called only if there is data.
  public func map<Other: Sendable>(_ transform: (Data) throws -> Other) rethrows -> GraphQLResult<Other> {
    var result = GraphQLResult<Other>(
      data: try data.map(transform), errors: errors, extensions: extensions, source: source,
      completeness: completeness, fragments: fragments, changedKeys: changedKeys, payloadIndex: payloadIndex,
      elapsed: elapsed, byteCount: byteCount, changedPaths: changedPaths)
    (result.request, result.json, result.streams) = (request, json, streams)
    return result
  }
}

extension GraphQLResult: Equatable where Data: Equatable {
  /// Whether data, errors, extensions, origin, completeness and the states of deferred fragments are equal. Times and
  /// requests are ignored.
  public static func == (left: GraphQLResult, right: GraphQLResult) -> Bool {
    left.source == right.source && left.completeness == right.completeness && left.errors == right.errors
      && left.extensions == right.extensions
      && left.fragments.elementsEqual(right.fragments) { one, other in
        one.path == other.path && one.label == other.label && one.typeCondition == other.typeCondition
          && one.state == other.state
      }
      && left.data == right.data
  }
}
