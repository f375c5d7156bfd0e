import ApusClientAPI
import ApusGraphQLMediaTypes
import ApusJSON

/// The response as it is after one more payload.
package struct MergedResult: Sendable {
  /// All data so far; `nil` when the response has no `data` entry, JSON null when it is null.
  package let data: JSONValue?
  /// Every error so far.
  package let errors: [GraphQLError]
  /// Every entry so far that broke the protocol; each is among the errors too.
  package let violations: [IncrementalError]
  package let extensions: JSONValue?
  /// Whether nothing more is to come.
  package let isComplete: Bool
  /// Every deferred fragment known so far.
  package let fragments: [DeferredFragment]
  /// Which of the fragments this payload fulfilled, by their index.
  package let fulfilled: [Int]
  /// Every streamed list known so far.
  package let streams: [DeferredStream]
  /// Where this payload changed the data, and the empty path when it brought all of it.
  package let changedPaths: [ResponsePath]
  /// The format of the payloads; `nil` as long as they do not tell.
  package let format: IncrementalFormat?
}
