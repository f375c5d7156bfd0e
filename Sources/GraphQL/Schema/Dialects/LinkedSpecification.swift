/// A specification that schemas can link, with the elements that it adds to them.
///
/// Sources: the link specification 1.0, the subgraph specification of Apollo Federation 2.0 to 2.12 and the connect
/// specification 0.1 to 0.3.
package struct LinkedSpecification: Sendable {
  package typealias Version = FeatureLink.Version

  package struct Element: Sendable {
    /// The name in the specification. The name of a directive begins with `@`.
    package let name: String
    /// The first version with the element.
    package let since: Version
    /// The definition as SDL. Names from the specification are in angle brackets.
    fileprivate let definition: String

    fileprivate init(_ name: String, since: Version, _ definition: String) {
      self.name = name
      self.since = since
      self.definition = definition
    }
  }

  package let identity: String
  package let elements: [Element]

  package func element(named name: String) -> Element? { elements.first { $0.name == name } }

  /// Returns the definitions of the linked version with the names that the link gives them. An unknown version has all
  /// elements.
  func definitions(for link: FeatureLink) -> String {
    elements.filter { element in link.version.map { element.since <= $0 } ?? true }
      .map { Self.resolve($0.definition, link.localName) }.joined(separator: "\n")
  }

  /// Replaces each name in angle brackets in a definition.
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

  package static let all = [link, federation, connect]

  static let link = LinkedSpecification(
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
        "@override", since: Version(2, 0), "directive <@override>(from: String!, label: String) on FIELD_DEFINITION"),
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

  /// The locations of elements that can be hidden.
  private static let visible = """
    OBJECT | INTERFACE | UNION | FIELD_DEFINITION | ARGUMENT_DEFINITION | SCALAR | ENUM | ENUM_VALUE | INPUT_OBJECT \
    | INPUT_FIELD_DEFINITION
    """
  /// The locations of elements with access control.
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
