import ApusGraphQLLanguage
import ApusGraphQLSchema

/// An input object with mutually exclusive fields uses `@oneOf` rather than only a description.
///
/// This is a heuristic: all fields are nullable, and the name or a description suggests a choice.
enum OneOfCandidate: SchemaLintRule {
  static let name = "oneof-candidate"
  static let summary = "An input object that takes exactly one of its fields is marked with `@oneOf`."
  static let severity = LintSeverity.warning
  static let options: [LintOption] = [.list("suffixes", ["By", "ByInput", "OneOf", "OneOfInput", "Either"])]
  static let example = "\"Exactly one of these.\" input BirdBy { id: ID ring: String }"

  private static let words = [
    "exactly one", "only one of", "one of the following", "either ", "mutually exclusive", "at most one",
  ]

  static func check(_ context: inout LintContext) {
    let suffixes = context.values("suffixes")
    for type in context.types where type.kind == .inputObject && !type.isOneOf {
      guard type.inputFields.count > 1, let name = type.nameNode,
        type.inputFields.allSatisfy({ !$0.type.isNonNull && $0.defaultValue == nil })
      else { continue }
      let texts = ([type.description] + type.inputFields.map(\.description)).compactMap { $0?.lowercased() }
      let isSaid = texts.contains { text in words.contains { text.contains($0) } }
      guard isSaid || suffixes.contains(where: type.name.hasSuffix) else { continue }
      context.report(
        "The input object \(type.name) seems to take exactly one of its fields; mark it with @oneOf.", type.coordinate,
        at: name)
    }
  }
}
