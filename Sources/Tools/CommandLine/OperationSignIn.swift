import ApusClientAuthentication
import ApusClientCore
import ApusClientFormats
import ApusClientNetwork
import ApusClientRequestChain
import ApusConfiguration
import ApusExplorerPersistence
import ApusFilters
import ApusJSON
import ApusSecrets

/// Tokens from an operation of the endpoint itself, such as a login mutation.
struct OperationSignIn: TokenIssuer {
  private let profile: Profile
  private let settings: SignInOperation
  /// The endpoint's request, without the credentials of the sign-in.
  private let request: HTTPRequest
  private let environment: [String: String]
  private let secrets: SecretValues

  init(
    _ profile: Profile, _ settings: SignInOperation, _ request: HTTPRequest, _ environment: [String: String],
    _ secrets: SecretValues
  ) {
    self.profile = profile
    self.settings = settings
    self.request = request
    self.environment = environment
    self.secrets = secrets
  }

  func token() async throws(SignInError) -> AccessToken? {
    let document = try document()
    try await checkFilter()
    let variables = try await variables()
    secrets.add(document: document, variables: variables)
    let start = HostSystem.now()
    let response = try await response(to: document, variables)
    guard let value = try await token(in: response) else {
      let reason = response["errors"]?[0]?["message"]?.string
      throw .refused(
        host: request.redactedURL,
        reason: reason ?? "the response of \(settings.document) has no token at \(settings.token)")
    }
    return AccessToken(value, obtainedAt: start)
  }

  func refresh(_ refreshToken: String) async throws(SignInError) -> (token: AccessToken?, reason: String) {
    (try await token(), "")
  }

  func revoke(_ token: AccessToken) async throws(SignInError) -> Bool { false }

  private func document() throws(SignInError) -> String {
    do throws(CommandError) {
      return String(decoding: try LocalFile.text(settings.document), as: UTF8.self)
    } catch {
      throw .configuration(profile: profile.name, reason: error.message)
    }
  }

  /// Throws if the filter for the token has a mistake, before anything is sent.
  private func checkFilter() async throws(SignInError) {
    do throws(FilterError) { try await FilterSession().check(settings.token) } catch {
      throw .configuration(profile: profile.name, reason: "the token '\(settings.token)': \(error)")
    }
  }

  private func variables() async throws(SignInError) -> JSONValue {
    do {
      return try await CommandOutput.beside { [profile, settings, environment] run in
        .object(
          try settings.variables.map { variable in
            (variable.name, JSONValue(try profile.resolved(variable.value, process: environment, run: run)))
          })
      }
    } catch let error as SecretTextError {
      throw .configuration(profile: profile.name, reason: "the variables: \(error)")
    } catch {
      throw .cancelled
    }
  }

  private func response(to document: String, _ variables: JSONValue) async throws(SignInError) -> JSONValue {
    do {
      let results = try GraphQLClient(endpoint: request).run(
        document, variables: variables, options: RequestOptions(cachePolicy: .networkOnly, cacheWrites: .never))
      var last: JSONValue?
      for try await result in results { last = result.responseObject }
      return last ?? .null
    } catch GraphQLClientError.network(let error) {
      throw .network(error)
    } catch let error as GraphQLClientError {
      throw .refused(host: request.redactedURL, reason: "\(error)")
    } catch is CancellationError {
      throw .cancelled
    } catch {
      throw .configuration(profile: profile.name, reason: "\(settings.document): \(error)")
    }
  }

  private func token(in response: JSONValue) async throws(SignInError) -> String? {
    do throws(FilterError) {
      let output = try await FilterSession().run(settings.token, number: 1) { JSONWriter.compactBytes(response) }
      let first = output.prefix { $0 != UInt8(ascii: "\n") }
      return (try? JSONDocument(parsing: Array(first)).root)?.string.flatMap { $0.isEmpty ? nil : $0 }
    } catch {
      throw .configuration(profile: profile.name, reason: "the token '\(settings.token)': \(error)")
    }
  }
}
