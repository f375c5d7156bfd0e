import ApusJSON
import ApusSecrets

/// A device code and the code that the user enters for it (RFC 8628, section 3.2).
package struct DeviceAuthorization: Equatable, Sendable {
  let deviceCode: String
  package let userCode: String
  /// The page on which the user enters the code.
  package let url: String
  /// The page with the code already entered, if the server has one.
  package let completeURL: String?
  package let expiresAt: Int
  /// The seconds between two questions.
  package let interval: Int

  /// The result of asking whether the user has entered the code.
  enum Poll {
    case token(AccessToken)
    case pending, slowDown
  }

  init?(_ json: JSONValue, at now: Int) {
    // Google's servers use the name of an early draft.
    let page = (json["verification_uri"] ?? json["verification_url"])?.string
    guard let device = json["device_code"]?.string, let code = json["user_code"]?.string, let page,
      Self.isPage(page)
    else { return nil }
    deviceCode = device
    userCode = code
    url = page
    completeURL = json["verification_uri_complete"]?.string.flatMap { Self.isPage($0) ? $0 : nil }
    let lifetime = json["expires_in"]?.double ?? 600
    expiresAt = now + Int(min(max(lifetime, 1), 86_400))
    interval = Int(min(max(json["interval"]?.double ?? 5, 1), 300))
  }

  /// Whether a browser may be started with the URL.
  private static func isPage(_ url: String) -> Bool {
    Origin(url: url) != nil && (url.hasPrefix("https://") || url.hasPrefix("http://"))
      && url.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }
}
