import ApusClientAPI
import ApusClientNetwork
import ApusDigest
import ApusJSON
import Synchronization

/// Sends a query's digest in place of its text, and the text once more when the server does not know it (automatic
/// persisted queries: `extensions.persistedQuery.sha256Hash`).
///
/// It stands in the chain twice: in front of the network fetch, and behind JSON parsing. A mutation is sent once, with
/// digest and text.
public final class PersistedQueryInterceptor: RequestChainInterceptor, RequestChainErrorInterceptor {
  private struct State {
    var needsText = false
    /// The server keeps no queries at all.
    var isRefused = false
  }

  private let options: PersistedQueryOptions
  private let state = Mutex(State())

  /// An interceptor for one request, whose state it keeps.
  public init(options: PersistedQueryOptions = .init()) {
    self.options = options
  }

  /// Puts the digest in the text's place; behind parsing, sends a query again whose digest the server did not know.
  ///
  /// - Throws: Nothing.
  public func intercept<Operation: GraphQLOperation>(
    request: GraphQLRequest<Operation>, response: GraphQLResponse<Operation>?
  ) async throws -> RequestChain.NextAction<Operation> {
    guard let response else { return .proceed(request: prepared(request), response: nil) }
    // The errors alone decide: some servers write `"data":null` beside them.
    guard let result = response.result, result.part == 0, let refusal = Refusal(result.errors),
      let again = again(request, refusal)
    else { return .proceed(request: request, response: response) }
    return .retry(request: again)
  }

  /// A server may give its refusal a status that says the request failed.
  ///
  /// - Throws: The error it is given, where it is no such refusal, or the text was sent already.
  public func handleError<Operation: GraphQLOperation>(
    error: any Error, request: GraphQLRequest<Operation>, response: GraphQLResponse<Operation>?
  ) async throws -> RequestChain.NextAction<Operation> {
    guard case GraphQLClientError.status(let failure) = error,
      let refusal = Refusal([GraphQLError(message: failure.excerpt)] + failure.errors),
      let again = again(request, refusal)
    else { throw error }
    return .retry(request: again)
  }

  private func prepared<Operation: GraphQLOperation>(_ request: GraphQLRequest<Operation>) -> GraphQLRequest<Operation>
  {
    let type = request.compiled.operationType
    let (needsText, isRefused) = state.withLock { ($0.needsText, $0.isRefused) }
    guard type != .subscription, request.options.files.isEmpty, !isRefused else { return request }
    var request = request
    var members = RequestMembers(request)
    members.text = needsText || type == .mutation ? members.text : nil
    let digest =
      request.compiled.documentDigest ?? SHA256Digest.hexadecimal(of: request.compiled.documentText)
    members.setExtension("persistedQuery", .object([("version", 1), ("sha256Hash", JSONValue(digest))]))
    let isByGET = options.usesGET && type == .query && members.text == nil
    if !isByGET || !request.moveIntoURL(members) { request.http.body = members.body }
    return request
  }

  /// The request with its text; nil when that was tried.
  private func again<Operation: GraphQLOperation>(
    _ request: GraphQLRequest<Operation>, _ refusal: Refusal
  ) -> GraphQLRequest<Operation>? {
    guard request.compiled.operationType == .query else { return nil }
    let isFirst = state.withLock { state in
      guard !state.needsText, !state.isRefused else { return false }
      state.needsText = true
      state.isRefused = refusal == .notSupported
      return true
    }
    guard isFirst else { return nil }
    var again = request.begunAgain
    // The server took nothing: what follows is the same attempt in other words.
    again.negotiations += 1
    return again
  }

  private enum Refusal {
    case notFound, notSupported

    /// The first error whose message or code names a refusal; servers write both in either spelling.
    init?(_ errors: [GraphQLError]) {
      for error in errors {
        let words = [error.message, error.extensions?["code"]?.string ?? ""].map { $0.uppercased().filter(\.isLetter) }
        if words.contains(where: { $0.contains("PERSISTEDQUERYNOTFOUND") }) {
          self = .notFound
          return
        }
        if words.contains(where: { $0.contains("PERSISTEDQUERYNOTSUPPORTED") }) {
          self = .notSupported
          return
        }
      }
      return nil
    }
  }
}

/// How persisted queries are asked for.
public struct PersistedQueryOptions: Sendable, Hashable {
  /// Ask with GET, so that a cache between client and server can answer. The text, where it is needed, still goes by
  /// POST, and so does a query whose URL would be longer than servers take.
  public var usesGET: Bool

  /// Options; POST unless said otherwise.
  public init(usesGET: Bool = false) {
    self.usesGET = usesGET
  }
}
