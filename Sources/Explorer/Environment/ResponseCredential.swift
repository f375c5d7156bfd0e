import ApusClientAPI
import ApusClientAuthentication
import ApusClientCore
import ApusClientNetwork
import ApusClientOperation
import ApusClientRequestChain
import ApusExplorerCore
import ApusJSON
import ApusPlatform
import Synchronization

/// A value of a response that is a header of every request to the endpoint. After a rejection, the operation of the
/// response runs again and supplies the next value.
final class ResponseCredential: Sendable {
  private let header: HeaderOfValue
  private let path: ResponsePath
  private let operation: DynamicOperation
  private let options: RequestOptions
  private let client: GraphQLClient
  private let noteSecret: @Sendable (String) -> Void
  private let newest: Mutex<AccessToken>

  var name: String { header.name }

  /// - Parameters:
  ///   - value: The value of the response.
  ///   - path: The place of the value in the response.
  ///   - session: The run of the response.
  ///   - noteSecret: Called with each value of the header before it is used.
  init(
    _ header: HeaderOfValue, _ value: String, at path: ResponsePath, of session: RunSession,
    noteSecret: @escaping @Sendable (String) -> Void
  ) {
    self.header = header
    self.path = path
    operation = session.operation
    client = session.client.changingFeatures { $0.renewableHeaders = nil }
    var options = session.options
    options.cachePolicy = .networkOnly
    options.cacheWrites = .never
    options.monitor = nil
    self.options = options
    self.noteSecret = noteSecret
    newest = Mutex(AccessToken(value, obtainedAt: 0))
    noteSecret(header.prefix + value)
  }

  /// The header field for a request chain.
  var field: RenewableHeaders {
    RenewableHeaders(
      [],
      signIn: RenewableHeaders.SignInField(
        name: header.name, replacesOthers: true, isOutdated: { _ in self.isExpired },
        value: { try await self.value(isRejected: $0) })
    ) { [] }
  }

  /// The field for the payload of a WebSocket.
  var payloadField: @Sendable () async throws -> (name: String, value: String) {
    { (name: self.name, value: try await self.value(isRejected: false)) }
  }

  private var isExpired: Bool { newest.withLock { $0.isExpired(at: Int(time(nil))) } }

  /// Returns the value of the header. Runs the operation again if the server rejected the value, or if the value says that
  /// it has expired.
  func value(isRejected: Bool) async throws -> String {
    guard isRejected || isExpired else { return header.prefix + newest.withLock { $0.value } }
    let results =
      switch operation.compiled.operationType {
      case .query: client.fetch(query: operation, options: options)
      case .mutation: client.perform(mutation: operation, options: options)
      case .subscription: client.subscribe(subscription: operation, options: options)
      }
    var last: JSONValue?
    for try await result in results { last = result.json ?? last }
    guard let text = last?.value(at: path)?.string, !text.isEmpty else {
      throw EnvironmentError("The header \(header.name) cannot be renewed: its operation returned no text at \(path)")
    }
    newest.withLock { $0 = AccessToken(text, obtainedAt: 0) }
    noteSecret(header.prefix + text)
    return header.prefix + text
  }
}

/// Using a value of a response as a header.
extension LiveEnvironment {
  /// Uses a value of a run's response as a header of all requests to this endpoint.
  func use(_ header: HeaderOfValue, at path: ResponsePath, ofRun id: Int) -> Action {
    guard let session = sessions[id], let value = session.data?.value(at: path)?.string, !value.isEmpty else {
      return .operationFailed("The response has no text at \(path)")
    }
    guard session.operation.compiled.operationType != .subscription else {
      return .operationFailed("A subscription cannot be run again for its value: use one of a query or mutation")
    }
    let credential = ResponseCredential(header, value, at: path, of: session) { [secrets] text in
      secrets.add(header: header.name, text, isLive: true)
    }
    responseCredential.withLock { $0 = credential }
    return .signIn(.valueUsed("Requests to this endpoint have the header \(header.name) until the explorer ends"))
  }

  /// Returns a client whose requests have the header that was taken from a response, if any.
  func withResponseCredential(_ client: GraphQLClient) -> GraphQLClient {
    guard let credential = responseCredential.withLock({ $0 }) else { return client }
    return client.changingFeatures { $0.renewableHeaders = credential.field }
  }
}
