import ApusGraphQLLanguage
import ApusGraphQLSchema

/// A key should not select a list that can be null, nor an interface or union. Apollo's composition accepts such lists,
/// although its list of errors does not, and refuses the others in all versions since 2.0.
///
/// Source: Apollo Federation, error code `KEY_FIELDS_SELECT_INVALID_TYPE`.
enum FederationKeyTypesRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    guard let subgraph = context.subgraph else { return }
    for application in subgraph.applications where application.fields.purpose == .key {
      for member in application.fields.members where member.field.type.isList || member.field.type.isNonNull {
        guard let type = member.field.keyTypeProblem else { continue }
        context.report(
          "@key of \"\(application.title)\" selects \"\(member.parent.name).\(member.field.name)\", whose type is \(type).",
          application.fields.value)
      }
    }
  }
}
