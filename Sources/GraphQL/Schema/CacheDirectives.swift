import ApusGraphQLLanguage

/// What a schema says about a cache of its objects: `@typePolicy(keyFields: "isbn")` on types, and on a type that has a
/// field `@fieldPolicy(forField: "book", keyArgs: "isbn", secretArgs: "token")`, or `@fieldPolicy(forField: "birds", merge:
/// "connection")`. Several names are parted by spaces.
extension TypeDefinition {
  /// The fields that make the keys of the type's objects; `nil` when the type does not say.
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
  /// The key fields that types declare, by their names; an interface's hold for its objects that declare none.
  package var declaredKeyFields: [String: [String]] {
    var own: [String: [String]] = [:]
    var inherited: [String: [String]] = [:]
    for type in types {
      guard let fields = type.declaredKeyFields else { continue }
      if type.isAbstract {
        for object in possibleTypes(of: type) { inherited[object.name] = fields }
      } else {
        own[type.name] = fields
      }
    }
    return own.merging(inherited) { own, _ in own }
  }

  /// What `@fieldPolicy` says of one field.
  package struct FieldPolicyDirective: Sendable, Equatable {
    package let type: String
    package let field: String
    /// `nil` where the directive does not name any.
    package let keyArguments: [String]?
    package let secretArguments: [String]?
    /// How the field's pages join; `nil` where the directive does not say.
    package let merge: FieldMergeDirective?
  }

  /// The `merge` of `@fieldPolicy`, with what its `mergeArgs` name.
  package enum FieldMergeDirective: Sendable, Equatable {
    /// `merge: "connection"`.
    case connection
    /// `merge: "append", mergeArgs: "page"`: the arguments that choose a page.
    case append(arguments: [String])
    /// `merge: "offset", mergeArgs: "skip take"`; without names they are `offset` and `limit`.
    case offset(argument: String, limit: String)

    /// `nil` for what is none of these: a schema may say more than this client knows.
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

  /// What the types say about their fields, in the schema's order; what an interface says is said of each of its objects
  /// too. Of two that speak of one field the later one counts.
  package var fieldPolicyDirectives: [FieldPolicyDirective] {
    var policies: [FieldPolicyDirective] = []
    for type in types {
      for node in type.nodes {
        for directive in node.directives where directive.name.hasValue("fieldPolicy") {
          guard let field = directive.argument(named: "forField")?.value.stringValue else { continue }
          let keys = directive.names("keyArgs")
          let secrets = directive.names("secretArgs")
          let merge = FieldMergeDirective(
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
  /// The names in an argument's text.
  fileprivate func names(_ argument: String) -> [String]? {
    guard let value = self.argument(named: argument)?.value else { return nil }
    let texts = value.kind == .list ? value.elements.map(\.stringValue) : [value.stringValue]
    let names = texts.flatMap { $0.split { $0 == " " || $0 == "," || $0 == "\n" }.map(String.init) }
    return names.isEmpty ? nil : names
  }
}
