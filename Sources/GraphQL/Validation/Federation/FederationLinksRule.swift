import ApusGraphQLLanguage
import ApusGraphQLSchema

/// The elements that a `@link` imports must be part of the specification in the linked version.
///
/// Source: Apollo Federation, error code `INVALID_LINK_DIRECTIVE_USAGE`.
enum FederationLinksRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    var linked: Set<String> = []
    for link in context.schema?.federation?.links ?? [] {
      guard let specification = LinkedSpecification.all.first(where: { $0.identity == link.identity }) else { continue }
      if !linked.insert(link.identity).inserted {
        context.report("\(link.identity) is linked more than once.", link.directive.id)
      }
      if link.version == nil {
        context.report(
          "The URL of the link to \(link.identity) must end in a version, such as v2.3.", link.directive.id)
      }
      for imported in link.imports { check(imported, of: link, specification, context) }
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
      return context.report("\"\(imported.name)\" is not part of \(source).\(question)", imported.node.id)
    }
    if let version = link.version, version < element.since {
      context.report("\"\(imported.name)\" is not part of \(source): \(element.since) added it.", imported.node.id)
    }
    if imported.alias.hasPrefix("@") != imported.name.hasPrefix("@") {
      let rule = imported.name.hasPrefix("@") ? "begins with \"@\"" : "does not begin with \"@\""
      context.report("\"\(imported.name)\" is imported as \"\(imported.alias)\": its name \(rule).", imported.node.id)
    }
  }
}
