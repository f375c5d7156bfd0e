import ApusClientNetwork

/// The reason why a profile has no valid token. Each description is one line that says what to do.
package enum SignInError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The user has not signed in, or has signed out.
  case notSignedIn(profile: String)
  /// The tokens are for other origins than the one of the profile.
  case otherOrigin(profile: String, origin: String)
  /// The server ended the sign-in: it refuses the refresh token, or a token without one.
  case ended(profile: String, reason: String)
  /// The server refused a request for a token.
  case refused(host: String, reason: String)
  /// The user did not enter the code in time.
  case codeExpired(profile: String)
  /// The user declined.
  case declined(profile: String)
  /// The response of the authorization server violates the protocol.
  case badResponse(host: String, reason: String)
  /// The configuration of the profile does not fit the server.
  case configuration(profile: String, reason: String)
  /// No keyring can be used.
  case noKeyring(reason: String)
  /// A command of the user's failed.
  case commandFailed(String)
  case network(NetworkError)
  case cancelled

  /// The exit code of a command: 2 if the user has to change something here first, 3 if the server refused.
  package var exitCode: Int32 {
    switch self {
    case .notSignedIn, .otherOrigin, .configuration, .noKeyring: 2
    case .ended, .refused, .codeExpired, .declined, .network: 3
    case .badResponse: 4
    case .commandFailed: 5
    case .cancelled: 130
    }
  }

  /// Whether a sign-in by the user resolves the failure.
  package var needsUser: Bool {
    switch self {
    case .notSignedIn, .otherOrigin, .ended, .codeExpired, .declined: true
    case .refused, .badResponse, .configuration, .noKeyring, .commandFailed, .network, .cancelled: false
    }
  }

  package var description: String {
    switch self {
    case .notSignedIn(let profile): "not signed in to '\(profile)'; run 'apus login \(profile)'"
    case .otherOrigin(let profile, let origin):
      "the sign-in of '\(profile)' is not for \(origin); run 'apus login \(profile)'"
    case .ended(let profile, let reason):
      "the sign-in of '\(profile)' has ended (\(SingleLineText.line(reason))); run 'apus login \(profile)'"
    case .refused(let host, let reason):
      "\(SingleLineText.line(host)) refused the sign-in: \(SingleLineText.line(reason))"
    case .codeExpired(let profile): "the code has expired; run 'apus login \(profile)' again"
    case .declined(let profile): "the sign-in was declined; run 'apus login \(profile)' to try again"
    case .badResponse(let host, let reason):
      "\(SingleLineText.line(host)) answered the sign-in with \(SingleLineText.line(reason)); check issuer and token-url"
    case .configuration(let profile, let reason): "auth of the profile '\(profile)': \(SingleLineText.line(reason))"
    case .noKeyring(let reason):
      "no keyring can be used (\(SingleLineText.line(reason))); set 'tokens: memory' or 'tokens: command'"
    case .commandFailed(let reason): SingleLineText.line(reason)
    case .network(let error): "cannot sign in: \(error)"
    case .cancelled: "canceled"
    }
  }
}
