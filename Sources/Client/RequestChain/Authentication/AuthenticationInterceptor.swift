import ApusClientAPI
import ApusClientNetwork
import Synchronization

/// Adds the current token to each request. When the server rejects it, renews it once for all waiting requests, and
/// sends each request again once.
///
/// The interceptor is in the chain twice: before the network fetch and after JSON parsing. A server rejects a token
/// with status 401, with no data and an error code such as `UNAUTHENTICATED`, or by closing a WebSocket with code 4401
/// or 4403 (graphql-transport-ws). For a WebSocket the token is in the connection payload, which is created for each
/// connection; create it from `Credentials.current()`. A subscription's token is renewed each time it expires.
public final class AuthenticationInterceptor: RequestChainInterceptor, RequestChainErrorInterceptor {
  private struct State {
    var used: String?
    var isRenewed = false
    /// Whether the user gave the credentials of this request; `nil` before it is sent.
    var isReplaced: Bool?
  }

  private let credentials: Credentials
  /// Puts a token into the fields of a request.
  private let authorize: @Sendable (_ token: String, inout HTTPHeaders) -> Void
  private let repeatsMutations: Bool
  /// Whether a request has credentials that take precedence.
  private let isReplaced: @Sendable (HTTPHeaders) -> Bool
  private let state = Mutex(State())

  /// Creates an interceptor for one request. The credentials are shared by the client.
  public init(credentials: Credentials, options: AuthenticationOptions = .init()) {
    self.credentials = credentials
    authorize = { token, headers in headers[options.header] = options.prefix + token }
    repeatsMutations = options.repeatsRejectedMutations
    isReplaced = { _ in false }
  }

  /// Creates an interceptor for one request to an endpoint with renewable header fields. A mutation is sent again if the
  /// server cannot have begun to execute it.
  init(_ renewable: RenewableHeaders) {
    credentials = renewable.credentials
    // A request that is sent again has the field of its first attempt.
    let needsSignIn = Mutex<Bool?>(nil)
    authorize = { _, headers in
      let needed = renewable.needsSignIn(headers)
      let isFirst = needsSignIn.withLock { first in
        first = first ?? needed
        return first ?? needed
      }
      renewable.apply(to: &headers, signingIn: isFirst)
    }
    isReplaced = { renewable.isReplaced(in: $0) }
    repeatsMutations = true
  }

  /// Adds the token to the request; after parsing, sends the request again if its token was rejected.
  ///
  /// - Throws: The errors of the credentials' `refresh`.
  public func intercept<Operation: GraphQLOperation>(
    request: GraphQLRequest<Operation>, response: GraphQLResponse<Operation>?
  ) async throws -> RequestChain.NextAction<Operation> {
    if credentials.areRenewedHere || isReplaced(request.http.headers, before: response == nil) {
      return .proceed(request: request, response: response)
    }
    guard let response else {
      var request = request
      let token = try await request.withinTotal { [credentials] in try await credentials.current() }
      state.withLock { $0.used = token }
      authorize(token, &request.http.headers)
      return .proceed(request: request, response: nil)
    }
    if let result = response.result, result.payloadIndex == 0,
      let again = try await again(request, after: result, response.head)
    {
      return .retry(request: again)
    }
    // The server accepted the subscription, so the next rejection means that the token has expired.
    if request.compiled.operationType == .subscription, response.result != nil {
      state.withLock { $0.isRenewed = false }
    }
    return .proceed(request: request, response: response)
  }

  /// Sends a request again if its token was rejected.
  ///
  /// - Throws: The given error if it has another cause, the renewed token was rejected too, or the request is a
  ///   mutation that must not be repeated; the errors of the credentials' `refresh`.
  public func handleError<Operation: GraphQLOperation>(
    error: any Error, request: GraphQLRequest<Operation>, response: GraphQLResponse<Operation>?
  ) async throws -> RequestChain.NextAction<Operation> {
    guard Self.isRejection(error), !credentials.areRenewedHere, !isReplaced(request.http.headers, before: false),
      let again = try await again(request, mayBeExecuted: false)
    else {
      throw error
    }
    return .retry(request: again)
  }

  /// Whether the user gave the credentials of this request, which is decided before it is sent first.
  private func isReplaced(_ headers: HTTPHeaders, before isBefore: Bool) -> Bool {
    let now = isBefore ? isReplaced(headers) : false
    return state.withLock { state in
      state.isReplaced = state.isReplaced ?? now
      return state.isReplaced ?? now
    }
  }

  private static func isRejection(_ error: any Error) -> Bool {
    switch error {
    case GraphQLClientError.status(let failure): failure.code == 401
    case GraphQLClientError.subscription(.closed(_, let code, _)): code == 4401 || code == 4403
    default: false
    }
  }

  /// Whether the server may have executed a field of a mutation before it rejected one: an error of a field makes `data`
  /// null where the field's type does not allow null (GraphQL, section 6.4.4).
  private static func mayBeExecuted<Operation: GraphQLOperation>(
    _ request: GraphQLRequest<Operation>, _ errors: [GraphQLError]
  ) -> Bool {
    let paths = errors.compactMap(\.path)
    guard request.compiled.operationType == .mutation, !paths.isEmpty else { return false }
    let roots = request.compiled.selections.selections.count { selection in
      if case .field(let field) = selection { !field.isAdded } else { true }
    }
    return roots > 1 || request.compiled.selections.hasFragments || paths.contains { $0.components.count > 1 }
  }

  /// Returns the request for another attempt if a result rejects its token. Without status 401, partial data means that the
  /// token was accepted. Partial data is kept if the token cannot be renewed.
  private func again<Operation: GraphQLOperation>(
    _ request: GraphQLRequest<Operation>, after result: GraphQLResult<Operation.Data>, _ head: HTTPHead
  ) async throws -> GraphQLRequest<Operation>? {
    let hasData = result.json.map { !$0.isNull } ?? false
    guard head.status == 401 || (!hasData && result.errors.contains(where: AuthenticationCode.isIn)) else { return nil }
    guard hasData else {
      return try await again(request, mayBeExecuted: Self.mayBeExecuted(request, result.errors))
    }
    return try? await again(request, mayBeExecuted: true)
  }

  /// Returns the request for another attempt, or nil if a renewed token was rejected too or the request must not be
  /// repeated. The token is renewed in any case, for later requests.
  private func again<Operation: GraphQLOperation>(
    _ request: GraphQLRequest<Operation>, mayBeExecuted: Bool
  ) async throws -> GraphQLRequest<Operation>? {
    let (isFirst, used) = state.withLock { state in
      defer { state.isRenewed = true }
      return (!state.isRenewed, state.used)
    }
    guard isFirst else { return nil }
    _ = try await request.withinTotal { [credentials] in try await credentials.renewed(inPlaceOf: used) }
    let isMutation = request.compiled.operationType == .mutation
    guard !isMutation || repeatsMutations && !mayBeExecuted else { return nil }
    var again = request.begunAgain
    again.negotiations += 1
    return again
  }
}

/// Options for sending a token.
public struct AuthenticationOptions: Sendable, Hashable {
  /// The name of the header field that contains the token.
  public var header = "Authorization"
  /// The text before the token in the header field (RFC 6750, section 2.1).
  public var prefix = "Bearer "
  /// Whether a mutation is sent again with the new token after the server rejected the old one. Off by default, because
  /// it is only safe if the server rejects tokens before it executes anything.
  public var repeatsRejectedMutations = false

  /// Creates the default options: `Authorization: Bearer` and the token; rejected mutations are not repeated.
  public init() {}
}
