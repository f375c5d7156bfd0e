import ApusASCII
import ApusSecrets

/// The credentials of a profile's requests: `auth:` of a profile.
///
///     auth: {type: bearer, token: $BIRDS_TOKEN}
///     auth: {type: oauth2, grant: device-code, issuer: https://login.example, client-id: apus}
package struct Authentication: Equatable, Sendable {
  /// The source of the credentials.
  package enum Source: Equatable, Sendable {
    case bearer(SecretText)
    /// Basic authentication (RFC 7617).
    case basic(user: SecretText, password: SecretText)
    case apiKey(SecretText)
    /// A shell command that prints the token.
    case command(String)
    /// OAuth 2 (RFC 6749).
    case oauth(OAuthSettings)
    /// An operation of the endpoint itself whose result contains the token.
    case operation(SignInOperation)
  }

  package var source: Source
  /// The header field that carries the credentials.
  package var header = "Authorization"
  /// The text before the credentials, with its space: `Bearer ` in `Authorization: Bearer abc`.
  package var prefix = "Bearer "

  /// The type as written in a profile: `bearer`, `oauth2`.
  package var typeName: String {
    switch source {
    case .bearer: "bearer"
    case .basic: "basic"
    case .apiKey: "api-key"
    case .command: "command"
    case .oauth: "oauth2"
    case .operation: "operation"
    }
  }

  /// Texts that resolve to the header's value, for a source without requests; empty for others.
  package var texts: [SecretText] {
    switch source {
    case .bearer(let text), .apiKey(let text): [text]
    case .basic(let user, let password): [user, password]
    case .command(let command): [SecretText(parts: [.command(command)])]
    case .oauth, .operation: []
    }
  }

  /// Whether a token must be requested before the first request, as with OAuth.
  package var isSignIn: Bool { texts.isEmpty }
}

/// The sign-in of a profile with OAuth 2.
package struct OAuthSettings: Equatable, Sendable {
  /// A way to get a token.
  package enum Grant: String, CaseIterable, Sendable {
    /// The client's own credentials (RFC 6749, section 4.4).
    case clientCredentials = "client-credentials"
    /// A code that the user enters on any device (RFC 8628).
    case deviceCode = "device-code"
    /// The user's browser on this machine (RFC 6749, section 4.1; RFC 8252).
    case authorizationCode = "authorization-code"

    /// Whether the user takes part in the sign-in.
    package var isInteractive: Bool { self != .clientCredentials }
  }

  /// The place of the client's secret in a token request (RFC 6749, section 2.3.1).
  package enum ClientAuthentication: String, CaseIterable, Sendable {
    case basic, body
  }

  package var grant: Grant
  /// The URL of the provider, whose metadata has the other URLs (RFC 8414; OpenID Connect Discovery).
  package var issuer: String?
  package var tokenURL: String?
  package var deviceURL: String?
  package var authorizationURL: String?
  package var clientID: SecretText
  package var clientSecret: SecretText?
  package var clientAuthentication: ClientAuthentication?
  package var scopes: [String] = []
  package var audience: String?
  /// The port of the redirect to this machine; `nil` for a free one.
  package var redirectPort: Int?
  package var tokens: TokenStorage
}

/// Storage for the tokens of a sign-in.
package enum TokenStorage: Equatable, Sendable {
  /// The keyring, or memory if there is none.
  case automatic
  /// The keyring of the session (Secret Service).
  case keyring
  /// The memory of this program.
  case memory
  /// Two commands of the user: one reads the tokens from its standard input, the other prints them.
  case commands(store: String, load: String)
}

/// A sign-in by an operation of the endpoint.
package struct SignInOperation: Equatable, Sendable {
  /// The path of the document, absolute.
  package var document: String
  /// A jq filter that selects the token in the response.
  package var token: String
  /// Values of the document's variables.
  package var variables: [Profile.Header] = []
  package var tokens: TokenStorage
}

extension Profile {
  /// Returns the value of the header field of `auth`, for credentials that need no request; `nil` for others.
  package func authenticationValue(
    process: [String: String], run: (String) throws(SecretTextError) -> String = CommandOutput.of
  ) throws(SecretTextError) -> String? {
    guard let authentication else { return nil }
    func value(_ text: SecretText) throws(SecretTextError) -> String {
      authentication.prefix + (try resolved(text, process: process, run: run))
    }
    switch authentication.source {
    case .bearer(let text), .apiKey(let text): return try value(text)
    case .command(let command): return try value(SecretText(parts: [.command(command)]))
    case .basic(let user, let password):
      let user = try resolved(user, process: process, run: run)
      let password = try resolved(password, process: process, run: run)
      return authentication.prefix + Base64.encode(Array("\(user):\(password)".utf8))
    case .oauth, .operation: return nil
    }
  }
}
