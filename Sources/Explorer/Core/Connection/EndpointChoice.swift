/// An endpoint that can be opened: a profile of config.yml, an endpoint of a graphql-config file, the demo API, or a
/// URL.
package struct EndpointChoice: Equatable, Sendable {
  package var name: String
  /// The URL with secrets redacted.
  package var url: String
  /// The URL with its secrets, if it differs.
  package var wholeURL: String?
  package var isProduction: Bool
  /// A short label for the source of the endpoint.
  package var origin: String
  package var theme: String?
  /// Whether a command of the profile supplies the credentials and can be run again to renew them.
  package var renewsCredentials: Bool
  /// Whether the user can sign in to the endpoint.
  package var takesSignIn: Bool
  /// The names in the profile's environment, which are references in double braces.
  package var environmentNames: Set<String> = []
  /// A number that this endpoint shares with those that send the same requests; nil before it is open.
  package var identity: Int?
  /// A note for the user when the endpoint is opened.
  package var note: String?

  package init(
    name: String, url: String, isProduction: Bool = false, origin: String = "", theme: String? = nil,
    renewsCredentials: Bool = false, takesSignIn: Bool = false
  ) {
    self.name = name
    self.url = url
    self.isProduction = isProduction
    self.origin = origin
    self.theme = theme
    self.renewsCredentials = renewsCredentials
    self.takesSignIn = takesSignIn
  }
}

extension EndpointChoice {
  /// The demo API, which is started when it is opened.
  package static let demo = EndpointChoice(name: "demo", url: "birds, a server for trying Apus", origin: "started here")
}
