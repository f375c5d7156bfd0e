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
///
/// A value; that it is one reference inside, whatever its data is, makes it cheap to hand on.
public struct GraphQLResult<Data: Sendable>: Sendable {
  /// Who answered.
  public typealias Source = GraphQLResultSource
  /// Whether more is to come.
  public typealias Response = GraphQLResultResponse

  @usableFromInline var box: ResultBox

  /// The data merged so far; `nil` when the response has none.
  public var data: Data? {
    guard let value = box.facts.data else { return nil }
    guard let data = value as? Data else {
      preconditionFailure("data of \(type(of: value)) is asked for as \(Data.self)")
    }
    return data
  }
  /// Whether there is data.
  package var hasData: Bool { box.facts.data != nil }

  /// Every error so far.
  public package(set) var errors: [GraphQLError] {
    get { box.facts.errors }
    set { change { $0.errors = newValue } }
  }
  /// What the server adds to the response.
  public var extensions: JSONValue? { box.facts.extensions }
  /// Who answered: the cache or the server.
  public var source: Source { box.facts.source }
  /// Whether all that was asked for is there, or more is to come.
  public var response: Response { box.facts.response }
  /// Every deferred fragment known so far, with the state of each of its instances.
  public var fragments: [DeferredFragment] { box.facts.fragments }
  /// The fields of cache records that this result changed, as `key.field`.
  public package(set) var changedKeys: Set<String> {
    get { box.facts.changedKeys }
    set { change { $0.changedKeys = newValue } }
  }
  /// Which payload of the response this is, from 0.
  public var part: Int { box.facts.part }
  /// The time since the request started.
  public var elapsed: Duration { box.facts.elapsed }
  /// How many bytes the payload had.
  public var byteCount: Int { box.facts.byteCount }
  /// Where this payload changed the data; `[]` alone stands for all of it.
  public var changedPaths: [ResponsePath] { box.facts.changedPaths }
  /// The request that brought it, by which the cache's changes name it; `nil` where no request did. Queries that share one
  /// request have results of one name.
  public package(set) var request: RequestID? {
    get { box.facts.request }
    set { change { $0.request = newValue } }
  }
  /// What the data was made of; `nil` where a caller made the result.
  package var json: JSONValue? {
    get { box.facts.json }
    set { change { $0.json = newValue } }
  }
  /// Every streamed list known so far.
  package var streams: [DeferredStream] {
    get { box.facts.streams }
    set { change { $0.streams = newValue } }
  }

  /// A result made by hand, for tests and for sources of one's own.
  public init(
    data: Data?, errors: [GraphQLError] = [], extensions: JSONValue? = nil, source: Source = .server,
    response: Response = .complete, fragments: [DeferredFragment] = [], changedKeys: Set<String> = [], part: Int = 0,
    elapsed: Duration = .zero, byteCount: Int = 0, changedPaths: [ResponsePath] = []
  ) {
    self.init(
      value: data.map { $0 as any Sendable }, errors: errors, extensions: extensions, source: source,
      response: response, fragments: fragments, changedKeys: changedKeys, part: part, elapsed: elapsed,
      byteCount: byteCount, changedPaths: changedPaths)
  }

  /// A result whose data is known to be of the type that the result promises.
  package init(
    value: (any Sendable)?, errors: [GraphQLError], extensions: JSONValue? = nil, source: Source = .server,
    response: Response = .complete, fragments: [DeferredFragment] = [], changedKeys: Set<String> = [], part: Int = 0,
    elapsed: Duration = .zero, byteCount: Int = 0, changedPaths: [ResponsePath] = [], request: RequestID? = nil,
    json: JSONValue? = nil, streams: [DeferredStream] = []
  ) {
    box = ResultBox(
      ResultFacts(
        data: value, errors: errors, extensions: extensions, source: source, response: response, fragments: fragments,
        changedKeys: changedKeys, part: part, elapsed: elapsed, byteCount: byteCount, changedPaths: changedPaths,
        request: request, json: json, streams: streams))
  }

  @inlinable init(_ box: ResultBox) { self.box = box }

  /// The same result with its data in another form.
  ///
  /// - Throws: What `transform` throws. It is not called where there is no data.
  public func map<Other: Sendable>(_ transform: (Data) throws -> Other) rethrows -> GraphQLResult<Other> {
    let other = try data.map(transform)
    var result = GraphQLResult<Other>(box)
    result.change { $0.data = other.map { $0 as any Sendable } }
    return result
  }

  /// The same result for somebody who knows the type of its data.
  @inlinable package func known<Other: Sendable>(as type: Other.Type = Other.self) -> GraphQLResult<Other> {
    GraphQLResult<Other>(box)
  }

  private mutating func change(_ change: (inout ResultFacts) -> Void) {
    var facts = box.facts
    change(&facts)
    box = ResultBox(facts)
  }
}

extension GraphQLResult: Equatable where Data: Equatable {
  /// Whether both say the same: data, errors, extensions, who answered, whether more is to come, and what became of each
  /// deferred fragment. When and by which request it came does not count.
  public static func == (left: GraphQLResult, right: GraphQLResult) -> Bool {
    if left.box !== right.box {
      let isAlike = { (one: DeferredFragment, other: DeferredFragment) in
        one.path == other.path && one.label == other.label && one.typeCondition == other.typeCondition
          && one.state == other.state
      }
      guard left.source == right.source, left.response == right.response, left.errors == right.errors,
        left.extensions == right.extensions, left.fragments.elementsEqual(right.fragments, by: isAlike)
      else { return false }
    }
    return left.data == right.data
  }
}

/// What a result tells beside its data, as one reference.
@usableFromInline
final class ResultBox: Sendable {
  fileprivate let facts: ResultFacts

  fileprivate init(_ facts: ResultFacts) { self.facts = facts }
}

/// Each fact stands with the property of the result that has its name.
fileprivate struct ResultFacts: Sendable {
  var data: (any Sendable)?
  var errors: [GraphQLError]
  let extensions: JSONValue?
  let source: GraphQLResultSource
  let response: GraphQLResultResponse
  let fragments: [DeferredFragment]
  var changedKeys: Set<String>
  let part: Int
  let elapsed: Duration
  let byteCount: Int
  let changedPaths: [ResponsePath]
  var request: RequestID?
  var json: JSONValue?
  var streams: [DeferredStream]
}
