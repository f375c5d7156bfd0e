import ApusJSON

/// Who answered.
public enum GraphQLResultSource: String, Sendable, Hashable {
  /// From the cache, without a request; or from the server.
  case cache, server
}

/// Whether more is to come.
public enum GraphQLResultResponse: String, Sendable, Hashable {
  /// A complete result has all that was asked for; a partial one has deferred parts still to come, or lacks what the
  /// cache does not have.
  case partial, complete
}

/// One result of an operation: the first, the last, or one between while deferred parts are still to come.
public struct GraphQLResult<Data: Sendable>: Sendable {
  /// The origin of a result.
  public typealias Source = GraphQLResultSource
  /// Whether more results follow.
  public typealias Response = GraphQLResultResponse

  /// The data merged so far; `nil` when the response has none.
  public let data: Data?
  /// Every error so far.
  public package(set) var errors: [GraphQLError]
  /// The extensions that the server added to the response.
  public let extensions: JSONValue?
  /// The origin of the result: the cache or the server.
  public let source: Source
  /// Whether the result has all that the operation asks for, or more is to come.
  public let response: Response
  /// Every deferred fragment known so far, with the state of each of its instances.
  public let fragments: [DeferredFragment]
  /// The fields of cache records that this result changed, as `key.field`.
  public package(set) var changedKeys: Set<String>
  /// Which payload of the response this is, from 0.
  public let part: Int
  /// The time since the request started.
  public let elapsed: Duration
  /// The size of the payload in bytes.
  public let byteCount: Int
  /// The places where this payload changed the data; `[]` alone means all of it.
  public let changedPaths: [ResponsePath]
  /// The request that brought the result, by which the cache's changes name it; `nil` where no request did. Queries that
  /// share one request have results of one name.
  public package(set) var request: RequestID?
  /// The JSON that the data was made of; `nil` where a caller made the result.
  package var json: JSONValue?
  /// Every streamed list known so far.
  package var streams: [DeferredStream] = []

  /// A result made by hand, for tests and for sources of one's own.
  public init(
    data: Data?, errors: [GraphQLError] = [], extensions: JSONValue? = nil, source: Source = .server,
    response: Response = .complete, fragments: [DeferredFragment] = [], changedKeys: Set<String> = [], part: Int = 0,
    elapsed: Duration = .zero, byteCount: Int = 0, changedPaths: [ResponsePath] = []
  ) {
    self.data = data
    self.errors = errors
    self.extensions = extensions
    self.source = source
    self.response = response
    self.fragments = fragments
    self.changedKeys = changedKeys
    self.part = part
    self.elapsed = elapsed
    self.byteCount = byteCount
    self.changedPaths = changedPaths
  }

  /// Whether there is data.
  package var hasData: Bool { data != nil }

  /// Returns the result with its data in another form.
  ///
  /// - Throws: What `transform` throws. It is not called where there is no data.
  public func map<Other: Sendable>(_ transform: (Data) throws -> Other) rethrows -> GraphQLResult<Other> {
    var result = GraphQLResult<Other>(
      data: try data.map(transform), errors: errors, extensions: extensions, source: source, response: response,
      fragments: fragments, changedKeys: changedKeys, part: part, elapsed: elapsed, byteCount: byteCount,
      changedPaths: changedPaths)
    (result.request, result.json, result.streams) = (request, json, streams)
    return result
  }
}

extension GraphQLResult: Equatable where Data: Equatable {
  /// Whether both say the same: data, errors, extensions, who answered, whether more is to come, and what became of each
  /// deferred fragment. When and by which request it came does not count.
  public static func == (left: GraphQLResult, right: GraphQLResult) -> Bool {
    left.source == right.source && left.response == right.response && left.errors == right.errors
      && left.extensions == right.extensions
      && left.fragments.elementsEqual(right.fragments) { one, other in
        one.path == other.path && one.label == other.label && one.typeCondition == other.typeCondition
          && one.state == other.state
      }
      && left.data == right.data
  }
}
