import ApusGraphQLLanguage
import ApusGraphQLSchema

/// The elements that a `@link` imports must be part of the specification in the linked version, in a subgraph or any other
/// schema.
///
/// Source: Apollo Federation, error codes `INVALID_LINK_DIRECTIVE_USAGE` and `UNKNOWN_FEDERATION_LINK_VERSION`.
enum FederationLinksRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    var linked: Set<String> = []
    for link in context.schema?.links ?? [] {
      checkVersion(of: link, context)
      guard let specification = LinkedSpecification.all.first(where: { $0.identity == link.identity }) else { continue }
      if !linked.insert(link.identity).inserted {
        context.report("\(link.identity) is linked more than once.", link.directive)
      }
      if link.identity == LinkedSpecification.federation.identity, let version = link.version,
        !LinkedSpecification.federationVersions.contains(version)
      {
        let newest = LinkedSpecification.federationVersions.upperBound
        context.report(
          "Federation \(version) is unknown: link \(link.identity)/\(newest) or an earlier version 2.", link.directive)
        continue
      }
      for imported in link.imports { check(imported, of: link, specification, context) }
    }
  }

  /// Reports a link to a specification of Apollo without a version, and an unknown version of links themselves.
  private static func checkVersion(of link: FeatureLink, _ context: ValidationContext) {
    if let version = link.version {
      guard link.identity == LinkedSpecification.link.identity, version != FeatureLink.Version(1, 0) else { return }
      context.report("Version \(version) of \(link.identity) is unknown: link \(link.identity)/v1.0.", link.directive)
    } else if link.identity.hasPrefix("https://specs.apollo.dev/") {
      context.report("The URL of the link to \(link.identity) must end in a version, such as v2.3.", link.directive)
    }
  }

  private static func check(
    _ imported: FeatureLink.Import, of link: FeatureLink, _ specification: LinkedSpecification,
    _ context: ValidationContext
  ) {
    let source = "\(link.identity)\(link.version.map { "/\($0)" } ?? "")"
    guard let element = specification.element(named: imported.name) else {
      let names = specification.elements.map(\.name)
      let question = NameSuggestions.didYouMean(
        names.contains("@\(imported.name)") ? ["@\(imported.name)"] : NameSuggestions.near(imported.name, names))
      return context.report("\"\(imported.name)\" is not part of \(source).\(question)", imported.node)
    }
    if let version = link.version, !specification.has(imported.name, in: version), element.since <= version {
      context.report("\"\(imported.name)\" is no longer part of \(source).", imported.node)
    } else if let version = link.version, version < element.since {
      context.report("\"\(imported.name)\" is not part of \(source): \(element.since) added it.", imported.node)
    }
    if imported.alias.hasPrefix("@") != imported.name.hasPrefix("@") {
      let rule = imported.name.hasPrefix("@") ? "begins with \"@\"" : "does not begin with \"@\""
      context.report("\"\(imported.name)\" is imported as \"\(imported.alias)\": its name \(rule).", imported.node)
    }
  }
}
