import ApusClientAPI
import ApusGraphQLMediaTypes
import ApusJSON

/// The state of a response after a payload.
package struct MergedResult: Sendable {
  /// The data so far; `nil` if the response has no `data` entry, JSON null if it is null.
  package let data: JSONValue?
  /// The errors so far.
  package let errors: [GraphQLError]
  /// The protocol violations so far. Each one is also in `errors`.
  package let violations: [IncrementalError]
  package let extensions: JSONValue?
  /// Whether no more payloads follow.
  package let isComplete: Bool
  /// The deferred fragments discovered so far.
  package let fragments: [DeferredFragment]
  /// The indexes of the fragments that this payload fulfilled.
  package let fulfilled: [Int]
  /// The streamed lists discovered so far.
  package let streams: [StreamedList]
  /// The paths that this payload changed; the empty path if it brought all data.
  package let changedPaths: [ResponsePath]
  /// The format of the payloads; `nil` while it is unknown.
  package let format: IncrementalFormat?
}
