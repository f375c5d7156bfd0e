import ApusClientAPI

/// The codes by which servers say in an error's `extensions` that a request's credentials were rejected.
enum AuthenticationCode {
  /// Codes of servers in use, compared without regard to case and to `-` or `_`. What says that the user may not do
  /// something (`FORBIDDEN`) is none of them: other credentials of the same user do not help.
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
