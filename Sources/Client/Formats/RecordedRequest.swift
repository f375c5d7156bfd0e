import ApusClientAPI
import ApusClientCache
import ApusClientOperation
import ApusClientRequestChain
import ApusClientRequests
import ApusJSON
import ApusSecrets

/// A recorded request with its response, for replay.
package struct RecordedRequest: Sendable {
  /// The request, without headers. Its secrets are references.
  package let draft: RequestDraft
  /// Variables as recorded, in which a secret string is a mark and a secret number is 0.
  package let variables: JSONValue
  /// Whether the request was made by a pager, not by the user.
  package let isPage: Bool
  /// The time from the start of the recording to the request.
  package let start: Duration
  package private(set) var status = 200
  package private(set) var contentType = ""
  package private(set) var parts: [ReplayInterceptor.Part] = []
  package private(set) var ending: (error: String?, exitCode: Int) = (
    "the recording ends before the response", 3
  )

  /// The error that ended the recorded response.
  package struct RecordedError: Error, Sendable, CustomStringConvertible {
    package let description: String
    package let exitCode: Int
  }

  fileprivate init?(_ event: Recording.Event, at start: Duration) {
    guard
      case .request(let url, let name, let query, let variables, let references, let isPage, let policy, let onError) =
        event
    else { return nil }
    let text = Redactor(document: query.text).text(ofStored: variables, references: references)
    var draft = RequestDraft(url: url, query: query, variables: text, operationName: name)
    draft.cachePolicy = policy
    draft.options.onError = onError
    self.draft = draft
    self.variables = variables
    self.isPage = isPage
    self.start = start
  }

  fileprivate mutating func add(_ event: Recording.Event, at elapsed: Duration) {
    switch event {
    case .head(let status, let contentType, _): (self.status, self.contentType) = (status, contentType)
    case .part(let body): parts.append(.init(elapsed: elapsed - start, body: body))
    case .end(let error, let exitCode): ending = (error, exitCode)
    case .request, .state: break
    }
  }

  /// Replays the response through the same parsing, merging and caching as the original. `speed` is a factor, and 0
  /// replays without delays. Fields that the operation does not select are removed from the results.
  package func results<Operation: GraphQLOperation>(
    of operation: Operation, _ options: RequestOptions = .init(), _ store: CacheStore? = nil, named name: String,
    speed: Double = 1
  ) -> AsyncThrowingStream<GraphQLResult<Operation.Data>, any Error> {
    let replaying: [any RequestChainInterceptor] = [
      ReplayInterceptor(
        status: status, contentType: contentType, url: name, parts: parts,
        failure: ending.error.map { RecordedError(description: $0, exitCode: ending.exitCode) }, speed: speed),
      JSONParsingInterceptor(store: store),
    ]
    let chain = RequestChain(
      interceptors: store.map { [CacheReadInterceptor(store: $0)] + replaying + [CacheWriteInterceptor(store: $0)] }
        ?? replaying)
    let names = SelectedNames(operation.compiled.selections)
    var options = options
    options.onError = draft.options.onError
    let results = chain.kickoff(request: GraphQLRequest(operation: operation, http: .init(url: name), options: options))
    return AsyncThrowingStream { continuation in
      let task = Task {
        var (count, isExtended) = (0, false)
        do {
          for try await result in results {
            count += 1
            guard let data = result.data as? JSONValue else {
              continuation.yield(result)
              continue
            }
            // Search only the changed values, because a response may have as many payloads as objects.
            isExtended = isExtended || result.changedPaths.contains { names.hasOthers(in: data, at: $0) }
            let selected = isExtended ? names.selected(data) as? Operation.Data : nil
            continuation.yield(result.map { selected ?? $0 })
          }
          continuation.finish()
        } catch {
          // A pager continues when its list has arrived, so the rest of the response may not have been recorded.
          let wasLeft = isPage && count > 0 && ending.error == nil
          continuation.finish(throwing: wasLeft ? nil : error)
        }
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}

extension Recording {
  /// Requests in the order in which they were made, each with its response.
  package var runs: [RecordedRequest] {
    var runs: [RecordedRequest] = []
    var places: [Int: Int] = [:]
    for (elapsed, run, event) in events {
      if let begun = RecordedRequest(event, at: elapsed) {
        places[run] = runs.count
        runs.append(begun)
      } else if let place = places[run] {
        runs[place].add(event, at: elapsed)
      }
    }
    return runs
  }
}
