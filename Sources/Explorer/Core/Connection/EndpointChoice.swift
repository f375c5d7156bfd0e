/// An endpoint that can be opened: a profile of config.yml, one that a graphql-config file names, the demo API, or a URL.
package struct EndpointChoice: Equatable, Sendable {
  package var name: String
  /// The URL without what may be secret in it.
  package var url: String
  package var isProduction: Bool
  /// Where it is named, in a word.
  package var origin: String
  package var theme: String?
  /// Whether a command of the profile gives its credentials, and can give them again.
  package var renewsCredentials: Bool

  package init(
    name: String, url: String, isProduction: Bool = false, origin: String = "", theme: String? = nil,
    renewsCredentials: Bool = false
  ) {
    self.name = name
    self.url = url
    self.isProduction = isProduction
    self.origin = origin
    self.theme = theme
    self.renewsCredentials = renewsCredentials
  }
}

extension EndpointChoice {
  /// The demo API, which is started when it is opened.
  package static let demo = EndpointChoice(name: "demo", url: "birds, to try everything with", origin: "started here")
}
