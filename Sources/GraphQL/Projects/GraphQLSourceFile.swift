import ApusGraphQLLanguage

/// A GraphQL document in a file: the whole file, or a literal in another language.
package struct GraphQLRegion: Sendable {
  package let document: Document
  /// The offset of the document in the file. Locations of the document's source are locations in the file.
  package let start: Int
  /// Whether values are interpolated within its braces, so that missing text is not an error.
  package var hasGaps = false
  /// Ranges of the document that belong to the other language. They are blank in the document and would be lost by
  /// formatting.
  package var hostText: [Range<Int>] = []

  /// The byte range of the document in the file.
  package var range: Range<Int> { start..<start + document.source.bytes.count }
}

/// A literal of another language that is skipped or only partly read.
package struct PartialLiteral: Sendable, Equatable {
  package let location: SourceLocation
  package let reason: PartialText
}

/// A file with its GraphQL documents. Immutable.
package struct GraphQLSourceFile: Sendable {
  package let language: HostLanguage
  package let source: Source
  /// Documents, in the order of the file.
  package let units: [GraphQLRegion]
  /// Literals that are skipped or only partly read.
  package let partial: [PartialLiteral]

  /// - Parameter name: The name of the file in findings.
  package init(bytes: [UInt8], name: String, language: HostLanguage) {
    let source = Source(bytes: bytes, name: name)
    self.language = language
    self.source = source
    if language == .graphql {
      units = [GraphQLRegion(document: Document(ofFile: source), start: 0)]
      partial = []
      return
    }
    var units: [GraphQLRegion] = []
    var partial: [PartialLiteral] = []
    for literal in EmbeddedGraphQL.literals(in: bytes, language: language) {
      let start = literal.range.lowerBound
      if let reason = literal.partial {
        partial.append(PartialLiteral(location: source.location(at: start), reason: reason))
        continue
      }
      let values = literal.values(in: bytes)
      let unit = GraphQLRegion(
        document: Document(ofFile: Source(bytes: literal.bytes(of: bytes), in: source, at: start, values: values)),
        start: start, hasGaps: values == .insideDefinitions,
        hostText: literal.hostText.map { $0.lowerBound - start..<$0.upperBound - start })
      units.append(unit)
      if unit.hasGaps { partial.append(PartialLiteral(location: source.location(at: start), reason: .interpolated)) }
    }
    self.units = units
    self.partial = partial
  }

  /// Whether all documents of the file define types.
  package var isTypeSystem: Bool { !units.isEmpty && units.allSatisfy(\.document.isTypeSystem) }

  /// Returns the document that contains a byte offset or ends at it.
  package func unit(at offset: Int) -> GraphQLRegion? {
    units.first { $0.range.lowerBound <= offset && offset <= $0.range.upperBound }
  }

  // MARK: Formatting

  /// Returns the formatted text of a document; in another language it keeps its indentation. Returns `nil` if
  /// formatting would lose text: in another language, for a document with syntax errors or interpolated values.
  ///
  /// - Parameter width: The maximum width of a line; `nil` for the default layout.
  package func formatted(_ unit: GraphQLRegion, width: Int? = nil) -> String? {
    guard language != .graphql else { return Formatter.format(unit.document, width: width) }
    guard unit.hostText.isEmpty, !unit.document.hasErrors, !unit.document.definitions.isEmpty else { return nil }
    return Self.embedded(unit.document, width: width)
  }

  /// Returns the whole file with each document formatted.
  package func formatted(width: Int? = nil) -> [UInt8] {
    var bytes: [UInt8] = []
    var end = 0
    for unit in units {
      guard let text = formatted(unit, width: width) else { continue }
      bytes += source.bytes[end..<unit.start]
      bytes += text.utf8
      end = unit.range.upperBound
    }
    return bytes + source.bytes[end...]
  }

  /// Formats a document in another language and keeps its indentation. A document on a single line is unchanged.
  private static func embedded(_ document: Document, width: Int?) -> String {
    let bytes = document.source.bytes
    guard let lineEnd = bytes.firstIndex(of: 0x0A), bytes[..<lineEnd].allSatisfy({ $0 <= 0x20 }),
      let first = bytes.firstIndex(where: { $0 > 0x20 })
    else { return document.text }
    let lineStart = bytes[..<first].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    let margin = String(decoding: bytes[lineStart..<first], as: UTF8.self)
    let lines = Formatter.format(document, width: width.map { max(1, $0 - margin.count) }).split(
      separator: "\n", omittingEmptySubsequences: false
    ).dropLast()
    let closing = bytes.lastIndex(of: 0x0A).map { String(decoding: bytes[($0 + 1)...], as: UTF8.self) } ?? ""
    let end = closing.allSatisfy(\.isWhitespace) ? closing : ""
    return "\n" + lines.map { $0.isEmpty ? "\n" : "\(margin)\($0)\n" }.joined() + end
  }
}

extension Sequence<Document> {
  /// Whether the documents define a `schema` or a query type without `extend`. Other definitions must belong to a
  /// schema.
  package var defineQueries: Bool {
    contains { document in
      document.definitions.contains { definition in
        switch definition {
        case .schema(let node): !node.isExtension
        case .typeDefinition(let node): !node.isExtension && node.name.hasValue("Query")
        case .operation, .fragment, .directiveDefinition: false
        }
      }
    }
  }
}
