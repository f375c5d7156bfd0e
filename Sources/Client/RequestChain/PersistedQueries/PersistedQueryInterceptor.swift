import ApusClientAPI
import ApusClientNetwork
import ApusDigest
import ApusJSON
import Synchronization

/// Sends a query's digest instead of its text, and the text when the server does not know the digest (automatic
/// persisted queries: `extensions.persistedQuery.sha256Hash`).
///
/// The interceptor is in the chain twice: before the network fetch and after JSON parsing. A mutation is sent once,
/// with both digest and text.
public final class PersistedQueryInterceptor: RequestChainInterceptor, RequestChainErrorInterceptor {
  private struct State {
    var needsText = false
    /// Whether the server does not support persisted queries.
    var isRefused = false
  }

  private let options: PersistedQueryOptions
  private let state = Mutex(State())

  /// Creates an interceptor for one request.
  public init(options: PersistedQueryOptions = .init()) {
    self.options = options
  }

  /// Replaces the text with the digest; after parsing, sends a query again if the server did not know its digest.
  ///
  /// - Throws: Nothing.
  public func intercept<Operation: GraphQLOperation>(
    request: GraphQLRequest<Operation>, response: GraphQLResponse<Operation>?
  ) async throws -> RequestChain.NextAction<Operation> {
    guard let response else { return .proceed(request: prepared(request), response: nil) }
    // Only the errors matter: some servers also send `"data":null`.
    guard let result = response.result, result.payloadIndex == 0, let refusal = Refusal(result.errors),
      let again = again(request, refusal)
    else { return .proceed(request: request, response: response) }
    return .retry(request: again)
  }

  /// Handles servers that report an unknown digest with an error status.
  ///
  /// - Throws: The given error if it has another cause, or the text was already sent.
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
    var members = RequestParameters(request)
    members.text = needsText || type == .mutation ? members.text : nil
    let digest =
      request.compiled.documentDigest ?? SHA256Digest.hexadecimal(of: request.compiled.documentText)
    members.setExtension("persistedQuery", .object([("version", 1), ("sha256Hash", JSONValue(digest))]))
    let isByGET = options.usesGET && type == .query && members.text == nil
    if !isByGET || !request.moveIntoURL(members) { request.http.body = members.body }
    return request
  }

  /// Returns the request with its text, or nil if that was already tried.
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
    // The server executed nothing, so this does not count as a retry.
    again.negotiations += 1
    return again
  }

  private enum Refusal {
    case notFound, notSupported

    /// Finds the first error whose message or code reports the digest as unknown or unsupported. Spellings vary among
    /// servers.
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

/// Options for persisted queries.
public struct PersistedQueryOptions: Sendable, Hashable {
  /// Whether to send the digest with GET, so that a cache between client and server can respond. The text, if needed,
  /// is sent with POST, as is a query whose URL would be too long.
  public var usesGET: Bool

  /// Creates options. POST is the default.
  public init(usesGET: Bool = false) {
    self.usesGET = usesGET
  }
}
