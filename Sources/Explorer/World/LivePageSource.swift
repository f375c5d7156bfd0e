import ApusClientAPI
import ApusClientCache
import ApusClientCore
import ApusClientFormats
import ApusClientPagination
import ApusClientRequestChain
import ApusJSON

/// The source of the explorer's pages. A page is complete once its list is: the deferred fragments elsewhere came with the
/// first page.
struct LivePageSource: PageSource {
  let path: ResponsePath
  let results: @Sendable (DynamicOperation, RequestOptions) -> GraphQLClient.Results<JSONValue>?
  /// Begins the recording of a page's query; nil if nothing is recorded.
  let record: @Sendable (DynamicOperation) -> RecordingFile.Run?
  /// The session listens to the cache for all of its pages.
  let store: CacheStore? = nil

  func results<Query: QueryOperation>(
    of query: Query, options: RequestOptions
  ) -> AsyncThrowingStream<GraphQLResult<Query.Data>, any Error> {
    AsyncThrowingStream { continuation in
      let task = Task {
        guard let page = query as? DynamicOperation else { return continuation.finish() }
        let recorded = record(page)
        var options = options
        if let recorded { options.monitor = RequestMonitor(keepsParts: false) { recorded.note($0) } }
        do {
          var isThere = false
          var errors: [GraphQLError] = []
          for try await result in results(page, options) ?? .finished(throwing: CancellationError()) {
            let isAwaited = result.fragments.contains { fragment in
              fragment.state.isPending && fragment.path.components.starts(with: path.components)
            }
            let value = result.data?.value(at: path)
            errors = result.errors
            isThere = value?.kind == .object || value?.kind == .array
            // A page without its list and without an error is an empty page, the last.
            if !isThere, result.response == .complete, errors.isEmpty, result.data?.kind == .object { isThere = true }
            if isThere { continuation.yield(try result.map(Self.typed)) }
            if !isAwaited, isThere { break }
          }
          if !isThere { throw PagerError.noData(errors) }
          recorded?.end(error: nil, exitCode: 0)
          continuation.finish()
        } catch {
          recorded?.end(error: "\(error)", exitCode: GraphQLClientError.exitCode(for: error))
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  private static func typed<Data: Sendable>(_ data: JSONValue) throws -> Data {
    guard let data = data as? Data else { throw CancellationError() }
    return data
  }
}
