/// An endpoint that can be switched to: a profile of config.yml, or one that a graphql-config file names.
package struct EndpointChoice: Hashable, Sendable {
  package var name: String
  /// The URL without what may be secret in it.
  package var url: String
  package var isProduction: Bool
  package var theme: String?

  package init(name: String, url: String, isProduction: Bool = false, theme: String? = nil) {
    self.name = name
    self.url = url
    self.isProduction = isProduction
    self.theme = theme
  }
}
