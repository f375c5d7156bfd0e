import ApusGraphQLLanguage

/// Cache directives of a schema: `@typePolicy(keyFields: "isbn")` on types, and on a type with fields
/// `@fieldPolicy(forField: "book", keyArgs: "isbn", secretArgs: "token")` or `@fieldPolicy(forField: "birds", merge:
/// "connection")`. Several names are separated by spaces.
extension TypeDefinition {
  /// The key fields of the type's objects; `nil` if the type declares none.
  package var declaredKeyFields: [String]? {
    for node in nodes {
      for directive in node.directives where directive.name.hasValue("typePolicy") {
        if let names = directive.names("keyFields") { return names }
      }
    }
    return nil
  }
}

extension Schema {
  /// The key fields by type name. The key fields of an interface apply to its objects that declare none.
  package var declaredKeyFields: [String: [String]] {
    var declared: [String: [String]] = [:]
    var inherited: [String: [String]] = [:]
    for type in types {
      guard let fields = type.declaredKeyFields else { continue }
      if type.isAbstract {
        for object in possibleTypes(of: type) { inherited[object.name] = fields }
      } else {
        declared[type.name] = fields
      }
    }
    return declared.merging(inherited) { declared, _ in declared }
  }

  package struct FieldPolicyDirective: Sendable, Equatable {
    package let type: String
    package let field: String
    /// `nil` if the directive names none.
    package let keyArguments: [String]?
    package let secretArguments: [String]?
    /// The rule for merging pages of the field; `nil` if not declared.
    package let merge: DeclaredFieldMerge?
  }

  /// The field policies in schema order. A policy of an interface also applies to its objects. If several policies
  /// concern one field, the last one wins.
  package var fieldPolicyDirectives: [FieldPolicyDirective] {
    var policies: [FieldPolicyDirective] = []
    for type in types {
      for node in type.nodes {
        for directive in node.directives where directive.name.hasValue("fieldPolicy") {
          guard let field = directive.argument(named: "forField")?.value.stringValue else { continue }
          let keys = directive.names("keyArgs")
          let secrets = directive.names("secretArgs")
          let merge = DeclaredFieldMerge(
            directive.argument(named: "merge")?.value.stringValue, directive.names("mergeArgs") ?? [])
          guard keys != nil || secrets != nil || merge != nil else { continue }
          for owner in type.isAbstract ? [type] + possibleTypes(of: type) : [type] {
            policies.append(
              FieldPolicyDirective(
                type: owner.name, field: field, keyArguments: keys, secretArguments: secrets, merge: merge))
          }
        }
      }
    }
    return policies
  }
}

extension DirectiveNode {
  /// Returns the names in an argument: a list of strings, or one string with separators.
  fileprivate func names(_ argument: String) -> [String]? {
    guard let value = self.argument(named: argument)?.value else { return nil }
    let texts = value.kind == .list ? value.elements.map(\.stringValue) : [value.stringValue]
    let names = texts.flatMap { $0.split { $0 == " " || $0 == "," || $0 == "\n" }.map(String.init) }
    return names.isEmpty ? nil : names
  }
}

/// The rule for merging pages of a field, declared in the schema by the `merge` argument of `@fieldPolicy`.
public enum DeclaredFieldMerge: Sendable, Hashable {
  /// The field is a connection (GraphQL Cursor Connections Specification, section 2): `merge: "connection"`.
  case connection
  /// Pages follow each other. The arguments select a page: `merge: "append", mergeArgs: "page"`.
  case append(arguments: [String])
  /// A page has an offset and a limit, which are the names of its arguments: `merge: "offset", mergeArgs: "skip take"`.
  /// The default arguments are `offset` and `limit`.
  case offset(argument: String, limit: String)

  /// Creates a rule from the directive's arguments; `nil` for a value that this client does not support.
  init?(_ name: String?, _ arguments: [String]) {
    switch name {
    case "connection": self = .connection
    case "append": self = .append(arguments: arguments)
    case "offset" where arguments.isEmpty: self = .offset(argument: "offset", limit: "limit")
    case "offset" where arguments.count == 2: self = .offset(argument: arguments[0], limit: arguments[1])
    default: return nil
    }
  }
}
