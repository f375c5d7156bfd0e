import ApusGraphQLLanguage

/// A piece of GraphQL in a file: all of it, or a literal of another language.
package struct GraphQLUnit: Sendable {
  package let document: Document
  /// The offset of its first byte in the file. A location of the document's source is a location in the file.
  package let start: Int
  /// Whether values of the other language are put in between its braces, so that nothing that is missing is an error.
  package var hasGaps = false
  /// The ranges of the document that are of the other language. The document has blanks there, so that formatting
  /// would lose them.
  package var foreignText: [Range<Int>] = []

  /// The range of the piece in the file, in bytes.
  package var range: Range<Int> { start..<start + document.source.bytes.count }
}

/// A literal of another language that is not read as a document, or not as a whole one.
package struct PartialLiteral: Sendable, Equatable {
  package let location: SourceLocation
  package let reason: PartialText
}

/// The text of a file with the GraphQL in it. Immutable.
package struct GraphQLSourceFile: Sendable {
  package let language: HostLanguage
  package let source: Source
  /// The pieces that are read, in the order of the file.
  package let units: [GraphQLUnit]
  /// The literals that are not read, or in part.
  package let partial: [PartialLiteral]

  /// - Parameter name: The name that findings have for it.
  package init(bytes: [UInt8], name: String, language: HostLanguage) {
    let source = Source(bytes: bytes, name: name)
    self.language = language
    self.source = source
    if language == .graphql {
      units = [GraphQLUnit(document: Document(ofFile: source), start: 0)]
      partial = []
      return
    }
    var units: [GraphQLUnit] = []
    var partial: [PartialLiteral] = []
    for literal in EmbeddedGraphQL.literals(in: bytes, language: language) {
      let start = literal.range.lowerBound
      if let reason = literal.partial {
        partial.append(PartialLiteral(location: source.location(at: start), reason: reason))
        continue
      }
      let unit = GraphQLUnit(
        document: Document(ofFile: Source(bytes: literal.bytes(of: bytes), in: source, at: start)), start: start,
        hasGaps: literal.hasGapInside(bytes),
        foreignText: literal.gaps.map { $0.lowerBound - start..<$0.upperBound - start })
      units.append(unit)
      if unit.hasGaps { partial.append(PartialLiteral(location: source.location(at: start), reason: .interpolated)) }
    }
    self.units = units
    self.partial = partial
  }

  /// Whether all of its GraphQL defines types.
  package var isTypeSystem: Bool { !units.isEmpty && units.allSatisfy(\.document.isTypeSystem) }

  /// The piece that a byte offset is in or at the edge of.
  package func unit(at offset: Int) -> GraphQLUnit? {
    units.first { $0.range.lowerBound <= offset && offset <= $0.range.upperBound }
  }

  // MARK: Formatting

  /// The canonical form of a piece. In another language it keeps its place in the lines around it. nil for a piece that
  /// cannot be formatted without a loss: one with syntax errors in another language, or with values put in.
  package func formatted(_ unit: GraphQLUnit) -> String? {
    guard language != .graphql else { return Formatter.format(unit.document) }
    guard unit.foreignText.isEmpty, !unit.document.hasErrors, !unit.document.definitions.isEmpty else { return nil }
    return Self.embedded(unit.document)
  }

  /// The whole file with each piece in its canonical form.
  package var formatted: [UInt8] {
    var bytes: [UInt8] = []
    var end = 0
    for unit in units {
      guard let text = formatted(unit) else { continue }
      bytes += source.bytes[end..<unit.start]
      bytes += text.utf8
      end = unit.range.upperBound
    }
    return bytes + source.bytes[end...]
  }

  /// Text in the lines of another language, with the indentation that it has there. Text in one line is not changed.
  private static func embedded(_ document: Document) -> String {
    let bytes = document.source.bytes
    guard let lineEnd = bytes.firstIndex(of: 0x0A), bytes[..<lineEnd].allSatisfy({ $0 <= 0x20 }),
      let first = bytes.firstIndex(where: { $0 > 0x20 })
    else { return document.text }
    let lineStart = bytes[..<first].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    let margin = String(decoding: bytes[lineStart..<first], as: UTF8.self)
    let lines = Formatter.format(document).split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    let closing = bytes.lastIndex(of: 0x0A).map { String(decoding: bytes[($0 + 1)...], as: UTF8.self) } ?? ""
    let end = closing.allSatisfy(\.isWhitespace) ? closing : ""
    return "\n" + lines.map { $0.isEmpty ? "\n" : "\(margin)\($0)\n" }.joined() + end
  }
}

extension Sequence<Document> {
  /// Whether the documents define `schema` or a query type, without `extend`. Other definitions need a schema to belong to.
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
