import ApusGraphQLLanguage

/// A specification that schemas can link, with the elements that it adds to them.
///
/// Sources: the link specification 1.0, the subgraph specification of Apollo Federation 2.0 to 2.14 and the connect
/// specification 0.1 to 0.3.
package struct LinkedSpecification: Sendable {
  package typealias Version = FeatureLink.Version

  package struct Element: Sendable {
    /// The name in the specification. The name of a directive begins with `@`.
    package let name: String
    /// The first version with the element.
    package let since: Version
    /// The definition as SDL, with names from the specification in angle brackets: `directive <@shareable> on OBJECT`.
    fileprivate let definition: String
    /// The first version without the element.
    fileprivate let until: Version?

    init(_ name: String, since: Version, until: Version? = nil, _ definition: String) {
      self.name = name
      self.since = since
      self.until = until
      self.definition = definition
    }
  }

  package let identity: String
  package let elements: [Element]

  init(identity: String, elements: [Element]) {
    self.identity = identity
    self.elements = elements
  }

  package func element(named name: String) -> Element? { elements.first { $0.name == name } }

  /// Whether a version has an element. An unknown version has those of the latest one.
  package func has(_ name: String, in version: Version?) -> Bool {
    elements.contains { $0.name == name && $0.isPart(of: version) }
  }

  /// Returns the definitions of the linked version with the names that the link gives them. An unknown version has all
  /// elements of the latest one.
  func definitions(for link: FeatureLink) -> String {
    let isUnknown = link.version.map { identity == Self.federation.identity && !Self.federationVersions.contains($0) }
    return elements.filter { $0.isPart(of: isUnknown == true ? nil : link.version) }.map {
      Self.resolve($0.definition, link.localName)
    }
    .joined(separator: "\n")
  }

  /// Returns the definitions of all linked specifications. That of links themselves need not be linked.
  static func definitions(for links: [FeatureLink]) -> String {
    var text = ""
    for specification in all {
      if let link = links.first(where: { $0.identity == specification.identity }) {
        text += specification.definitions(for: link) + "\n"
      } else if specification.identity == link.identity {
        text += linkItself + "\n"
      }
    }
    return text + "\n" + unknownScalars(of: links)
  }

  /// Definitions of the link specification with the names that they have without a link.
  private static let linkItself = """
    directive @link(url: String!, as: String, for: link__Purpose, import: [link__Import]) repeatable on SCHEMA
    scalar link__Import
    enum link__Purpose { SECURITY EXECUTION }
    """

  /// Returns definitions of the types that are imported from specifications that Apus does not know.
  private static func unknownScalars(of links: [FeatureLink]) -> String {
    links.filter { !$0.isKnown }.flatMap(\.imports).filter { !$0.alias.hasPrefix("@") && Document.isName($0.alias) }
      .map { "scalar \($0.alias)" }.joined(separator: "\n")
  }

  /// Specifications of Apollo's clients. A link to one selects the dialect.
  static let clients = [nullability, kotlinLabs, cache]

  /// Replaces each name in angle brackets in a definition: `<@shareable>` by `@federation__shareable`.
  fileprivate static func resolve(_ definition: String, _ localName: (String) -> String) -> String {
    var text = ""
    for (index, part) in definition.split(separator: "<", omittingEmptySubsequences: false).enumerated() {
      guard index > 0, let end = part.firstIndex(of: ">") else {
        text += part
        continue
      }
      text += localName(String(part[..<end])) + part[part.index(after: end)...]
    }
    return text
  }

  package static let all = [link, federation, connect] + clients

  package static let link = LinkedSpecification(
    identity: "https://specs.apollo.dev/link",
    elements: [
      Element(
        "@link", since: Version(1, 0),
        "directive <@link>(url: String!, as: String, for: <Purpose>, import: [<Import>]) repeatable on SCHEMA"),
      Element("Import", since: Version(1, 0), "scalar <Import>"),
      Element("Purpose", since: Version(1, 0), "enum <Purpose> { SECURITY EXECUTION }"),
    ])

  package static let federation = LinkedSpecification(
    identity: "https://specs.apollo.dev/federation",
    elements: [
      Element("FieldSet", since: Version(2, 0), "scalar <FieldSet>"),
      Element(
        "@key", since: Version(2, 0),
        "directive <@key>(fields: <FieldSet>!, resolvable: Boolean = true) repeatable on OBJECT | INTERFACE"),
      Element("@requires", since: Version(2, 0), "directive <@requires>(fields: <FieldSet>!) on FIELD_DEFINITION"),
      Element("@provides", since: Version(2, 0), "directive <@provides>(fields: <FieldSet>!) on FIELD_DEFINITION"),
      Element("@external", since: Version(2, 0), "directive <@external>(reason: String) on OBJECT | FIELD_DEFINITION"),
      Element("@extends", since: Version(2, 0), "directive <@extends> on OBJECT | INTERFACE"),
      Element("@shareable", since: Version(2, 0), "directive <@shareable> repeatable on OBJECT | FIELD_DEFINITION"),
      Element(
        "@override", since: Version(2, 0), until: Version(2, 7),
        "directive <@override>(from: String!) on FIELD_DEFINITION"),
      Element(
        "@override", since: Version(2, 7), "directive <@override>(from: String!, label: String) on FIELD_DEFINITION"),
      Element("@tag", since: Version(2, 0), "directive <@tag>(name: String!) repeatable on \(visible) | SCHEMA"),
      Element("@inaccessible", since: Version(2, 0), "directive <@inaccessible> on \(visible)"),
      Element(
        "@composeDirective", since: Version(2, 1), "directive <@composeDirective>(name: String!) repeatable on SCHEMA"),
      Element("@interfaceObject", since: Version(2, 3), "directive <@interfaceObject> on OBJECT"),
      Element("@authenticated", since: Version(2, 5), "directive <@authenticated> on \(guarded)"),
      Element("Scope", since: Version(2, 5), "scalar <Scope>"),
      Element(
        "@requiresScopes", since: Version(2, 5), "directive <@requiresScopes>(scopes: [[<Scope>!]!]!) on \(guarded)"),
      Element("Policy", since: Version(2, 6), "scalar <Policy>"),
      Element("@policy", since: Version(2, 6), "directive <@policy>(policies: [[<Policy>!]!]!) on \(guarded)"),
      Element("ContextFieldValue", since: Version(2, 8), "scalar <ContextFieldValue>"),
      Element(
        "@context", since: Version(2, 8),
        "directive <@context>(name: String!) repeatable on OBJECT | INTERFACE | UNION"),
      Element(
        "@fromContext", since: Version(2, 8),
        "directive <@fromContext>(field: <ContextFieldValue>) on ARGUMENT_DEFINITION"),
      Element(
        "@cost", since: Version(2, 9),
        """
        directive <@cost>(weight: Int!) on
          ARGUMENT_DEFINITION | ENUM | FIELD_DEFINITION | INPUT_FIELD_DEFINITION | OBJECT | SCALAR
        """),
      Element(
        "@listSize", since: Version(2, 9),
        """
        directive <@listSize>(
          assumedSize: Int, slicingArguments: [String!], sizedFields: [String!],
          requireOneSlicingArgument: Boolean = true
        ) on FIELD_DEFINITION
        """),
      Element(
        "@cacheTag", since: Version(2, 12),
        "directive <@cacheTag>(format: String!) repeatable on OBJECT | FIELD_DEFINITION"),
    ])

  /// Versions of federation that Apollo's composition knows.
  package static let federationVersions = Version(2, 0)...Version(2, 14)

  /// Locations of elements that can be hidden.
  private static let visible = """
    OBJECT | INTERFACE | UNION | FIELD_DEFINITION | ARGUMENT_DEFINITION | SCALAR | ENUM | ENUM_VALUE | INPUT_OBJECT \
    | INPUT_FIELD_DEFINITION
    """
  /// Locations of elements with access control.
  private static let guarded = "OBJECT | INTERFACE | FIELD_DEFINITION | SCALAR | ENUM"

  static let connect = LinkedSpecification(
    identity: "https://specs.apollo.dev/connect",
    elements: [
      Element("JSONSelection", since: Version(0, 1), "scalar <JSONSelection>"),
      Element("URLPathTemplate", since: Version(0, 1), "scalar <URLPathTemplate>"),
      Element(
        "HTTPHeaderMapping", since: Version(0, 1),
        "input <HTTPHeaderMapping> { name: String!, from: String, value: String }"),
      Element(
        "ConnectHTTP", since: Version(0, 1),
        """
        input <ConnectHTTP> {
          GET: <URLPathTemplate>, POST: <URLPathTemplate>, PUT: <URLPathTemplate>, PATCH: <URLPathTemplate>,
          DELETE: <URLPathTemplate>, body: <JSONSelection>, headers: [<HTTPHeaderMapping>!], path: <JSONSelection>,
          queryParams: <JSONSelection>
        }
        """),
      Element(
        "SourceHTTP", since: Version(0, 1),
        """
        input <SourceHTTP> {
          baseURL: String!, headers: [<HTTPHeaderMapping>!], path: <JSONSelection>, queryParams: <JSONSelection>
        }
        """),
      Element("ConnectBatch", since: Version(0, 1), "input <ConnectBatch> { maxSize: Int }"),
      Element(
        "ConnectorErrors", since: Version(0, 1),
        "input <ConnectorErrors> { message: <JSONSelection>, extensions: <JSONSelection> }"),
      Element(
        "@connect", since: Version(0, 1),
        """
        directive <@connect>(
          source: String, id: String, http: <ConnectHTTP>, batch: <ConnectBatch>, selection: <JSONSelection>!,
          entity: Boolean = false, errors: <ConnectorErrors>, isSuccess: <JSONSelection>
        ) repeatable on FIELD_DEFINITION | OBJECT
        """),
      Element(
        "@source", since: Version(0, 1),
        """
        directive <@source>(
          name: String!, http: <SourceHTTP>!, errors: <ConnectorErrors>, isSuccess: <JSONSelection>
        ) repeatable on SCHEMA
        """),
    ])
}

extension LinkedSpecification.Element {
  /// Whether a version of the specification has the element in this form.
  fileprivate func isPart(of version: LinkedSpecification.Version?) -> Bool {
    guard let version else { return until == nil }
    return since <= version && until.map { version < $0 } ?? true
  }
}
