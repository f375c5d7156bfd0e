import ApusGraphQLLanguage
import ApusGraphQLSchema

/// Object types have exactly one key field for caches.
enum StrictIDInTypes: SchemaLintRule {
  static let name = "strict-id-in-types"
  static let summary = "An object has exactly one field that identifies it: `id: ID!`."
  static let severity = LintSeverity.off
  static let options: [LintOption] = [
    .list("names", ["id"]), .list("types", ["ID"]), .list("exceptTypes", []),
    .list("exceptSuffixes", ["Connection", "Edge", "PageInfo", "Payload"]),
  ]
  static let example = "type Bird { name: String }"

  static func check(_ context: inout LintContext) {
    let names = context.values("names")
    let types = context.values("types").map { "\($0)!" }
    let (exceptTypes, suffixes) = (context.values("exceptTypes"), context.values("exceptSuffixes"))
    for type in context.types where type.kind == .object && !context.isRoot(type) {
      guard !exceptTypes.contains(type.name), !suffixes.contains(where: type.name.hasSuffix), let name = type.nameNode
      else { continue }
      let keys = type.fields.filter { names.contains($0.name) && types.contains("\($0.type)") }
      guard keys.count != 1 else { continue }
      context.report(
        "The object \(type.name) should have exactly one field that identifies it: "
          + "\(names.joined(separator: " or ")) of type \(types.joined(separator: " or ")).", type.coordinate,
        at: name)
    }
  }
}
