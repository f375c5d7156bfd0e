import ApusClientAPI
import ApusClientNetwork
import Synchronization

/// Gives each request the token of the moment; when the server rejects it, has it renewed, once for all requests that
/// wait, and sends the request again, once.
///
/// It stands in the chain twice: in front of the network fetch, and behind JSON parsing. The server rejects a token by
/// the status 401, by an error with the code `UNAUTHENTICATED` and no data, or by closing a WebSocket with the code 4401 or
/// 4403 (graphql-transport-ws). There the token is in the connection's payload, which is made anew: let it ask
/// `Credentials.current()`. A subscription has its token renewed each time that it runs out.
public final class AuthenticationInterceptor: RequestChainInterceptor, RequestChainErrorInterceptor {
  private struct State {
    var used: String?
    var isRenewed = false
  }

  private let credentials: Credentials
  private let options: AuthenticationOptions
  private let state = Mutex(State())

  /// An interceptor for one request; the credentials are those of the whole client.
  public init(credentials: Credentials, options: AuthenticationOptions = .init()) {
    self.credentials = credentials
    self.options = options
  }

  /// Adds the token to the request; behind parsing, sends a request again whose token was rejected.
  ///
  /// - Throws: What the credentials' `refresh` throws.
  public func intercept<Operation: GraphQLOperation>(
    request: GraphQLRequest<Operation>, response: GraphQLResponse<Operation>?
  ) async throws -> RequestChain.NextAction<Operation> {
    if credentials.areRenewedHere { return .proceed(request: request, response: response) }
    guard let response else {
      var request = request
      let token = try await credentials.current()
      state.withLock { $0.used = token }
      request.http.headers[options.header] = options.prefix + token
      return .proceed(request: request, response: nil)
    }
    if let result = response.result, !result.hasData, result.part == 0,
      response.head.status == 401
        || result.errors.contains(where: { $0.extensions?["code"]?.string == "UNAUTHENTICATED" }),
      let again = try await again(request)
    {
      return .retry(request: again)
    }
    // Who gets events has been let in: the next rejection is of a token that has run out.
    if request.compiled.operationType == .subscription, response.result != nil {
      state.withLock { $0.isRenewed = false }
    }
    return .proceed(request: request, response: response)
  }

  /// Sends a request again whose token was rejected.
  ///
  /// - Throws: The error it is given, where it is another, the renewed token was rejected too, or the request is a
  ///   mutation that may not be sent again; what the credentials' `refresh` throws.
  public func handleError<Operation: GraphQLOperation>(
    error: any Error, request: GraphQLRequest<Operation>, response: GraphQLResponse<Operation>?
  ) async throws -> RequestChain.NextAction<Operation> {
    guard Self.isRejection(error), !credentials.areRenewedHere, let again = try await again(request) else {
      throw error
    }
    return .retry(request: again)
  }

  private static func isRejection(_ error: any Error) -> Bool {
    switch error {
    case GraphQLClientError.status(let failure): failure.code == 401
    case GraphQLClientError.subscription(.closed(_, let code, _)): code == 4401 || code == 4403
    default: false
    }
  }

  /// The request once more; nil when a renewed token was rejected too, or the request may not be repeated. The token
  /// is renewed in any case, for those that follow.
  private func again<Operation: GraphQLOperation>(
    _ request: GraphQLRequest<Operation>
  ) async throws -> GraphQLRequest<Operation>? {
    let (isFirst, used) = state.withLock { state in
      defer { state.isRenewed = true }
      return (!state.isRenewed, state.used)
    }
    guard isFirst else { return nil }
    _ = try await credentials.renewed(inPlaceOf: used)
    let isMutation = request.compiled.operationType == .mutation
    guard !isMutation || options.repeatsRejectedMutations else { return nil }
    var again = request.begunAgain
    again.negotiations += 1
    return again
  }
}

/// How a token is sent.
public struct AuthenticationOptions: Sendable, Hashable {
  /// The name of the header field that the token goes into.
  public var header = "Authorization"
  /// What stands before the token in the header field (RFC 6750, section 2.1).
  public var prefix = "Bearer "
  /// Whether a mutation that the server rejected for its token is sent again with the new one. Off, because only you
  /// know whether your server rejects before it executes anything.
  public var repeatsRejectedMutations = false

  /// `Authorization: Bearer` and the token; a rejected mutation is not sent again.
  public init() {}
}
