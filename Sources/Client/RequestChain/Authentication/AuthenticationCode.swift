import ApusClientAPI

/// The values of `extensions.code` in a GraphQL error that mean that the server rejected the request's credentials.
enum AuthenticationCode {
  /// Codes that common servers send, in lowercase without `-` and `_`. `FORBIDDEN` is not included: it means that the user
  /// lacks a permission, which new credentials of the same user do not change.
  private static let codes: Set<String> = [
    "unauthenticated", "unauthorized", "unauthorised", "notauthenticated", "authnotauthenticated",
    "authenticationerror", "authenticationfailed", "authenticationrequired", "invalidtoken", "invalidjwt",
    "expiredtoken", "tokenexpired", "jwtexpired", "401",
  ]

  /// Whether an error has such a code.
  static func isIn(_ error: GraphQLError) -> Bool {
    guard let code = error.extensions?["code"] else { return false }
    let name = code.string ?? code.description
    return codes.contains(name.lowercased().filter { $0 != "-" && $0 != "_" })
  }
}

extension GraphQLError {
  /// Whether the server says that it does not accept the request's credentials.
  package var rejectsCredentials: Bool { AuthenticationCode.isIn(self) }
}
