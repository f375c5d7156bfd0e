import ApusGraphQLLanguage
import ApusGraphQLSchema

/// The field sets of `@key`, `@requires` and `@provides` must select existing fields. Those of the last two must be
/// external in Federation 2. Invalid: `type Bird @key(fields: "rnig") { ring: ID! }`.
///
/// Source: Apollo Federation, error codes `KEY_INVALID_FIELDS`, `REQUIRES_INVALID_FIELDS`, `PROVIDES_INVALID_FIELDS` and
/// their relatives.
enum FederationFieldSetsRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    guard let subgraph = context.subgraph else { return }
    for (directive, purpose) in subgraph.malformed {
      context.report("The \"fields\" of @\(purpose.rawValue) must be a string.", directive)
    }
    for application in subgraph.applications where !context.isStopped {
      let title = "@\(application.fields.purpose.rawValue) of \"\(application.title)\""
      for problem in application.fields.problems { context.report("\(title) \(problem)", application.fields.value) }
      // Version 1 accepts them.
      guard application.fields.purpose != .key, subgraph.federation.isVersion2 else { continue }
      for member in application.fields.members where member.isLeaf && !member.isExternal {
        let field = "\(member.parent.name).\(member.field.name)"
        let advice =
          application.fields.purpose == .requires
          ? "this subgraph resolves it itself. Mark it as @external, or do not require it."
          : "this subgraph always provides it. Mark it as @external, or do not name it."
        context.report("\(title) selects \"\(field)\", which is not @external: \(advice)", application.fields.value)
      }
    }
  }
}
