import ApusClientAPI
import ApusClientRequestChain
import ApusClientSubscriptions
import ApusExplorerCore
import ApusJSON

extension RunResult {
  init(_ result: GraphQLResult<JSONValue>, lists: [PagedList]) {
    self.init(
      data: result.data, errors: result.errors, fragments: result.fragments, changedPaths: result.changedPaths,
      isComplete: result.completeness == .complete, isFromCache: result.source == .cache,
      payloadIndex: result.payloadIndex,
      elapsed: result.elapsed, byteCount: result.byteCount, lists: lists, extensions: result.extensions,
      streams: result.streams)
  }
}

extension RunError: Error {
  /// Creates a failure from an error. Client errors already fit on one line.
  init(_ error: any Error) {
    switch error as? GraphQLClientError {
    // The connection can close cleanly between two payloads.
    case .network?, .incomplete?: self.init(.network, "\(error)")
    case .status?: self.init(.server, "\(error)")
    case .subscription(let failure)?:
      let summary = failure.lossSummary
      self.init(summary == nil ? .response : .network, "\(error)", summary: summary)
    case .notGraphQL?, .invalidJSON?, .jsonBeyondLimit?, .protocolViolation?, .introspectionRefused?, .cacheMiss?,
      .cacheFailure?, .tooManyRetries?, .mutationNotRetried?, .undeclaredVariable?, .notFinite?, .noResult?, nil:
      self.init(.response, "\(error)")
    }
  }
}
