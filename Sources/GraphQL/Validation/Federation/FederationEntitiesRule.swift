import ApusGraphQLLanguage
import ApusGraphQLSchema

/// The object types of an interface with keys must have the same keys.
///
/// Source: Apollo Federation, error codes `INTERFACE_KEY_NOT_ON_IMPLEMENTATION`, `KEY_UNSUPPORTED_ON_INTERFACE` and
/// `INTERFACE_OBJECT_USAGE_ERROR`.
enum FederationEntitiesRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    guard let schema = context.schema, let subgraph = context.subgraph, let link = subgraph.federation.link
    else { return }
    var keys: [String: Set<String>] = [:]
    let applications = subgraph.applications.filter { $0.fields.purpose == .key && $0.fields.problems.isEmpty }
    for key in applications { keys[key.title, default: []].insert(key.fields.canonical) }
    for key in applications {
      guard let type = schema.type(named: key.title), type.kind == .interface else { continue }
      if let version = link.version, version < FeatureLink.Version(2, 3) {
        context.report(
          "The interface \"\(type.name)\" cannot have a @key in federation \(version): link v2.3 or later.",
          key.directive)
        continue
      }
      for possible in type.possibleTypes where context.spend(10) {
        if keys[possible.name]?.contains(key.fields.canonical) == true { continue }
        context.report(
          "The interface \"\(type.name)\" has the key \"\(key.fields.canonical)\", but its implementation \"\(possible.name)\" does not.",
          key.directive)
      }
    }
    let interfaceObject = subgraph.federation.name(of: "interfaceObject")
    for type in context.typeDefinitions where keys[type.name.value] == nil {
      for directive in type.directives where directive.name.hasValue(interfaceObject) {
        context.report("@interfaceObject is for entities, but \"\(type.name.value)\" has no @key.", directive)
      }
    }
  }
}
