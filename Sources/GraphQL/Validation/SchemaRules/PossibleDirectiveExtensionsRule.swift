import ApusGraphQLLanguage
import ApusGraphQLSchema

/// An extended directive must be defined.
///
/// Specification: Directive Extensions, Type Validation.
enum PossibleDirectiveExtensionsRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    for directive in context.directiveDefinitions where directive.isExtension && !directive.name.isMissing {
      let name = directive.name.value
      guard context.schema?.directive(named: name) == nil else { continue }
      let near = context.near(name, among: context.directiveCount) { context.directiveNames }
      context.report(
        "Cannot extend directive \"@\(name)\" because it is not defined."
          + NameSuggestions.didYouMean(near.map { "@\($0)" }),
        directive.name, suggesting: context.suggestion(near, for: directive.name))
    }
  }
}
