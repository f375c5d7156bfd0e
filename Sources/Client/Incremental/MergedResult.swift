import ApusClientAPI
import ApusGraphQLMediaTypes
import ApusJSON

/// The state of a response after a payload.
package struct MergedResult: Sendable {
  /// The data so far; `nil` if the response has no `data` entry, JSON null if it is null.
  package let data: JSONValue?
  /// Errors so far.
  package let errors: [GraphQLError]
  /// Protocol violations so far. Each one is also in `errors`.
  package let violations: [IncrementalError]
  /// Errors of objects that two payloads contradict each other about. Each one is also in `errors`, and its object must
  /// not be cached.
  package let conflicts: [GraphQLError]
  package let extensions: JSONValue?
  /// Whether no more payloads follow.
  package let isComplete: Bool
  /// Deferred fragments discovered so far.
  package let fragments: [DeferredFragment]
  /// Indexes of the fragments that this payload fulfilled.
  package let fulfilled: [Int]
  /// Streamed lists discovered so far.
  package let streams: [StreamedList]
  /// Paths that this payload changed; the empty path if it brought all data.
  package let changedPaths: [ResponsePath]
  /// The format of the payloads; `nil` while it is unknown.
  package let format: IncrementalFormat?
}
