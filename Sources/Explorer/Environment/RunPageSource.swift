import ApusClientAPI
import ApusClientCache
import ApusClientCore
import ApusClientFormats
import ApusClientPagination
import ApusClientRequestChain
import ApusJSON

/// The source of the explorer's pages. A page is complete when its list is: deferred fragments outside the list arrived
/// with the initial page.
struct RunPageSource: PageSource {
  let path: ResponsePath
  let results: @Sendable (DynamicOperation, RequestOptions) -> GraphQLClient.Results<JSONValue>?
  /// Starts recording a page's query; returns nil if no recording is active.
  let record: @Sendable (DynamicOperation) -> RecordingFile.Run?
  /// Nil because the session observes the cache for all of its pages.
  let store: CacheStore? = nil

  func results<Query: QueryOperation>(
    of query: Query, options: RequestOptions
  ) -> AsyncThrowingStream<GraphQLResult<Query.Data>, any Error> {
    AsyncThrowingStream { continuation in
      let task = Task {
        guard let page = query as? DynamicOperation else { return continuation.finish() }
        let recorded = record(page)
        var options = options
        if let recorded { options.monitor = RequestMonitor(keepsParts: false) { recorded.record($0) } }
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
            // A page with neither its list nor an error is an empty last page.
            if !isThere, result.completeness == .complete, errors.isEmpty, result.data?.kind == .object {
              isThere = true
            }
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
