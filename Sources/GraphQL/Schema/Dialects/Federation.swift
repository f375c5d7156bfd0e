import ApusGraphQLLanguage

/// The use of Apollo Federation in a subgraph: its version and the names of its directives.
package struct Federation: Sendable {
  /// All links of the subgraph, in order; none in version 1.
  package let links: [FeatureLink]
  /// The link to the federation specification; nil in version 1.
  package let link: FeatureLink?

  init(links: [FeatureLink]) {
    self.links = links
    link = links.first { $0.identity == LinkedSpecification.federation.identity }
  }

  package var isVersion2: Bool { link != nil }

  /// Returns the name in the subgraph of a directive of the specification, without `@`.
  package func name(of directive: String) -> String {
    link.map { String($0.localName(of: "@\(directive)").dropFirst()) } ?? directive
  }

  /// Returns advice about an undefined directive; empty if no version of federation has it.
  package func advice(aboutUnknown directive: String) -> String {
    guard let element = LinkedSpecification.federation.element(named: "@\(directive)") else { return "" }
    guard let link else {
      return " It is part of Federation 2: link \(LinkedSpecification.federation.identity)/\(element.since) or later."
    }
    if let version = link.version, version < element.since {
      return " Federation \(version) has none: link \(link.identity)/\(element.since) or later."
    }
    return " Add \"@\(directive)\" to the imports of the link to \(link.identity)."
  }

  // MARK: Definitions

  /// The definitions of the federation specification with the names that they have in the subgraph.
  package var specifiedDefinitions: Document {
    let text = link.map { LinkedSpecification.federation.definitions(for: $0) } ?? Self.version1
    return Document(parsing: text, name: "federation definitions")
  }

  /// Returns the definitions that a subgraph may omit, as SDL.
  ///
  /// - Parameter entities: The names of the object types with a key.
  /// - Parameter query: The name of the root query type, and whether the subgraph defines it.
  func definitions(entities: [String], query: (name: String, isThere: Bool)) -> String {
    var text = link == nil ? Self.version1 : LinkedSpecification.definitions(for: links)
    text += "\nscalar _Any\ntype _Service { sdl: String }\n"
    var fields = "_service: _Service!"
    if !entities.isEmpty {
      text += "union _Entity = \(entities.joined(separator: " | "))\n"
      fields += " _entities(representations: [_Any!]!): [_Entity]!"
    }
    return text
      + "\(query.isThere ? "extend " : "")type \(query.name) { \(fields) }\nextend schema { query: \(query.name) }"
  }

  private static let version1 = """
    scalar _FieldSet
    directive @key(fields: _FieldSet!, resolvable: Boolean = true) repeatable on OBJECT | INTERFACE
    directive @requires(fields: _FieldSet!) on FIELD_DEFINITION
    directive @provides(fields: _FieldSet!) on FIELD_DEFINITION
    directive @external(reason: String) on OBJECT | FIELD_DEFINITION
    directive @extends on OBJECT | INTERFACE
    directive @tag(name: String!) repeatable on
      OBJECT | INTERFACE | UNION | FIELD_DEFINITION | ARGUMENT_DEFINITION | SCALAR | ENUM | ENUM_VALUE | INPUT_OBJECT
      | INPUT_FIELD_DEFINITION
    """
}
