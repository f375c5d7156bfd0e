import ApusGraphQLLanguage

/// An application of `@link`: a specification that the schema uses, and the names of its elements in the schema.
///
///     extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key"])
///
/// Source: the link specification, version 1.0.
package struct FeatureLink: Sendable {
  /// A version with a major and a minor number.
  package struct Version: Sendable, Comparable, CustomStringConvertible {
    package let major: Int
    package let minor: Int

    package init(_ major: Int, _ minor: Int) {
      self.major = major
      self.minor = minor
    }

    /// Parses a version as in URLs, such as `v2.3`.
    init?(_ text: Substring) {
      guard text.first == "v" else { return nil }
      let numbers = text.dropFirst().split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
      guard numbers.count == 2, let major = numbers[0], let minor = numbers[1], major >= 0, minor >= 0 else {
        return nil
      }
      self.init(major, minor)
    }

    package static func < (left: Version, right: Version) -> Bool {
      (left.major, left.minor) < (right.major, right.minor)
    }

    package var description: String { "v\(major).\(minor)" }
  }

  /// An imported element, with its name in the schema. The names of a directive begin with `@`.
  package struct Import: Sendable {
    package let name: String
    package let alias: String
    package let node: ValueNode
  }

  package let directive: DirectiveNode
  /// The URL without the version: `https://specs.apollo.dev/federation`.
  package let identity: String
  /// The last path component of the identity: `federation`.
  package let name: String
  package let version: Version?
  /// The prefix of elements that are not imported: `federation` in `@federation__shareable`.
  package let namespace: String
  package let imports: [Import]

  private init?(_ directive: DirectiveNode) {
    guard let value = directive.argument(named: "url")?.value, value.kind == .string else { return nil }
    var parts = value.stringValue.split(separator: "/", omittingEmptySubsequences: false)
    while parts.last == "" { parts.removeLast() }
    version = parts.last.flatMap { Version($0) }
    if version != nil { parts.removeLast() }
    guard let last = parts.last else { return nil }
    self.directive = directive
    identity = parts.joined(separator: "/")
    name = String(last)
    let alias = directive.argument(named: "as").map(\.value)
    namespace = alias.flatMap { $0.kind == .string && Document.isName($0.stringValue) ? $0.stringValue : nil } ?? name
    imports = (directive.argument(named: "import")?.value.elements ?? []).compactMap(Self.imported)
  }

  /// Parses `"@key"` or `{ name: "@key", as: "@primaryKey" }`.
  private static func imported(_ value: ValueNode) -> Import? {
    if value.kind == .string { return Import(name: value.stringValue, alias: value.stringValue, node: value) }
    let fields = value.fields
    func text(_ name: String) -> String? {
      fields.first { $0.name.hasValue(name) && $0.value.kind == .string }?.value.stringValue
    }
    guard let name = text("name") else { return nil }
    guard let alias = text("as"), Document.isName(String(alias.drop { $0 == "@" })) else {
      return Import(name: name, alias: name, node: value)
    }
    return Import(name: name, alias: alias, node: value)
  }

  /// Returns the links of the schema definition and its extensions, in order.
  static func all(in definitions: [SchemaDefinitionNode]) -> [FeatureLink] {
    let directives = definitions.flatMap(\.directives).filter { $0.argument(named: "url") != nil }
    // `@link` itself may be renamed by a link to the link specification.
    let itself = directives.lazy.compactMap(FeatureLink.init).first { link in
      link.identity == LinkedSpecification.link.identity && link.directive.name.hasValue(link.namespace)
    }
    let name = itself?.namespace ?? "link"
    return directives.filter { $0.name.hasValue(name) }.compactMap(FeatureLink.init)
  }

  /// Whether Apus knows the elements of the specification.
  package var isKnown: Bool { LinkedSpecification.all.contains { $0.identity == identity } }

  /// Whether an element of the specification has a name in the schema: `@key` or `@federation__shareable`. The names of
  /// directives include `@`.
  func defines(_ name: String) -> Bool {
    let specification = LinkedSpecification.all.first { $0.identity == identity }
    return specification?.elements.contains { localName(of: $0.name) == name } ?? false
  }

  /// Whether a name without `@` may belong to a specification whose elements Apus does not know.
  package func mayDefine(_ name: String, isDirective: Bool) -> Bool {
    guard !isKnown else { return false }
    let alias = isDirective ? "@\(name)" : name
    return imports.contains { $0.alias == alias } || name.hasPrefix("\(namespace)__")
      || isDirective && name == namespace
  }

  /// Returns the name of an element in the schema: `@federation__shareable` for `@shareable` if it is not imported. The
  /// names of directives include `@`.
  package func localName(of element: String) -> String {
    let isDirective = element.hasPrefix("@")
    if let imported = imports.first(where: { $0.name == element }), imported.alias.hasPrefix("@") == isDirective {
      return imported.alias
    }
    guard isDirective else { return "\(namespace)__\(element)" }
    return element.dropFirst() == name ? "@\(namespace)" : "@\(namespace)__\(element.dropFirst())"
  }
}
