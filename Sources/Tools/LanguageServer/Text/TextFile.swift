import ApusGraphQLLanguage
import ApusGraphQLProjects

/// A piece of GraphQL in a file: all of it, or a literal of another language.
struct GraphQLUnit: Sendable {
  let document: Document
  /// Where it begins in the file, in bytes: a place in the document is this much further on in the file.
  let start: Int
  /// Something of the other language stands inside, so that what is missing there is no error.
  var hasGaps = false
  /// Where something of the other language stands in the document, which sees blanks there: written anew, it would be lost.
  var foreignText: [Range<Int>] = []

  /// Where it is in the file.
  var range: Range<Int> { start..<start + document.source.bytes.count }
}

/// The text of a file at one moment, with the GraphQL in it. Immutable.
struct TextFile: Sendable {
  /// With links followed; of what is no file, its URI.
  let path: FilePath
  /// As the client calls it.
  let uri: String
  let language: HostLanguage
  /// The client's number of this text; nil where it is read from the disk.
  let version: Int?
  let source: Source
  let units: [GraphQLUnit]

  init(path: FilePath, uri: String, language: HostLanguage, version: Int?, bytes: [UInt8]) {
    self.path = path
    self.uri = uri
    self.language = language
    self.version = version
    if language == .graphql {
      let document = Document(parsing: bytes, name: "\(path)")
      source = document.source
      units = [GraphQLUnit(document: document, start: 0)]
    } else {
      source = Source(bytes: bytes, name: "\(path)")
      units = EmbeddedGraphQL.literals(in: bytes, language: language).map { literal in
        GraphQLUnit(
          document: Document(parsing: literal.bytes(of: bytes), name: "\(path)"), start: literal.range.lowerBound,
          hasGaps: literal.hasGapInside(bytes),
          foreignText: literal.gaps.map {
            $0.lowerBound - literal.range.lowerBound..<$0.upperBound - literal.range.lowerBound
          })
      }
    }
  }

  var isOpen: Bool { version != nil }

  /// All that it has to say about GraphQL defines types.
  var isTypeSystem: Bool { !units.isEmpty && units.allSatisfy(\.document.isTypeSystem) }

  /// The piece that a byte offset is in or at the edge of.
  func unit(at offset: Int) -> GraphQLUnit? {
    units.first { $0.range.lowerBound <= offset && offset <= $0.range.upperBound }
  }
}
