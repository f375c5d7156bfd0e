import ApusGraphQLLanguage
import ApusGraphQLSchema

/// What a schema says about its cache: `@typePolicy(keyFields: "isbn")` on types, and on a type that has a field
/// `@fieldPolicy(forField: "book", keyArgs: "isbn", secretArgs: "token")`. Several names are parted by spaces.
extension CacheKeyResolver {
  /// Takes over the key fields that the types of a schema declare; an interface's hold for its objects that have none of
  /// their own. What was said before about a type stays.
  package mutating func adopt(_ schema: Schema) {
    let said = keyFields
    var inherited: [String: [String]] = [:]
    for type in schema.types {
      guard let policy = type.directive("typePolicy"), let fields = policy.names("keyFields") else { continue }
      if type.isAbstract {
        for object in schema.possibleTypes(of: type) { inherited[object.name] = fields }
      } else {
        keyFields[type.name] = fields
      }
    }
    keyFields.merge(inherited) { own, _ in own }
    keyFields.merge(said) { _, said in said }
  }
}

extension CachePolicies {
  /// Takes over the key and secret arguments that a schema declares; an interface's hold for the objects that implement it.
  package mutating func adopt(_ schema: Schema) {
    for type in schema.types {
      for node in type.nodes {
        for directive in node.directives where directive.name.hasValue("fieldPolicy") {
          guard let field = directive.argument(named: "forField")?.value.stringValue else { continue }
          let keys = directive.names("keyArgs")
          let secrets = directive.names("secretArgs")
          guard keys != nil || secrets != nil else { continue }
          let types = type.isAbstract ? [type] + schema.possibleTypes(of: type) : [type]
          for owner in types {
            var policy = fields["\(owner.name).\(field)"] ?? FieldPolicy()
            if let keys { policy.keyArguments = keys }
            if let secrets { policy.secretArguments = Set(secrets) }
            fields["\(owner.name).\(field)"] = policy
          }
        }
      }
    }
  }
}

extension TypeDefinition {
  fileprivate func directive(_ name: String) -> DirectiveNode? {
    nodes.lazy.flatMap(\.directives).first { $0.name.hasValue(name) }
  }
}

extension DirectiveNode {
  /// The names in an argument's text.
  fileprivate func names(_ argument: String) -> [String]? {
    guard let value = self.argument(named: argument)?.value else { return nil }
    let texts = value.kind == .list ? value.elements.map(\.stringValue) : [value.stringValue]
    let names = texts.flatMap { $0.split { $0 == " " || $0 == "," || $0 == "\n" }.map(String.init) }
    return names.isEmpty ? nil : names
  }
}
