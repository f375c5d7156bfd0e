/// A step of a sign-in at an endpoint that needs the user.
package struct SignInStep: Equatable, Sendable {
  /// The name of the profile.
  package var profile: String
  /// The page to open; empty until the server has answered.
  package var page = ""
  /// The code to enter on the page, if there is one.
  package var code: String?
  /// Seconds until the code expires.
  package var secondsLeft: Int?
  /// Notes for the user, such as why no browser was started.
  package var notes: [String] = []
  /// The page as a QR code, one line of text for two rows of the code; empty if the browser was started.
  package var symbol: [String] = []

  package init(profile: String) { self.profile = profile }
}

/// An action about the sign-in at an endpoint.
package enum SignInAction: Equatable, Sendable {
  /// A request was not sent, because the user must sign in first.
  case needed
  case shown(SignInStep)
  case completed(String)
  case signedOut(String)
  /// A value of a response is a header of the endpoint now.
  case valueUsed(String)
  case failed(String)
}
