import ApusClientAPI
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

/// The two formats of incremental delivery, told apart by the payloads' own shape.
package enum IncrementalFormat: String, Sendable, Equatable {
  /// Items with their path.
  case defer20220824 = "deferSpec=20220824"
  /// Ids that are announced and completed.
  case incrementalV02 = "incrementalSpec=v0.2"
}
