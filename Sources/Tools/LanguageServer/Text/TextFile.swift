import ApusGraphQLLanguage
import ApusGraphQLProjects

/// The text of a file at one moment, with the GraphQL in it, as the client knows it. Immutable.
struct TextFile: Sendable {
  /// With links followed; of what is no file, its URI.
  let path: FilePath
  /// As the client calls it.
  let uri: String
  /// The client's number of this text; nil where it is read from the disk.
  let version: Int?
  let content: GraphQLSourceFile

  init(path: FilePath, uri: String, version: Int?, content: GraphQLSourceFile) {
    self.path = path
    self.uri = uri
    self.version = version
    self.content = content
  }

  init(path: FilePath, uri: String, language: HostLanguage, version: Int?, bytes: [UInt8]) {
    self.init(
      path: path, uri: uri, version: version,
      content: GraphQLSourceFile(bytes: bytes, name: "\(path)", language: language))
  }

  var language: HostLanguage { content.language }
  var source: Source { content.source }
  var units: [GraphQLUnit] { content.units }
  var isOpen: Bool { version != nil }

  /// Whether all of its GraphQL defines types.
  var isTypeSystem: Bool { content.isTypeSystem }

  /// The pieces that define types.
  var definitions: [Document] { units.map(\.document).filter(\.isTypeSystem) }

  /// The pieces with something to execute.
  var executables: [GraphQLUnit] { units.filter { !$0.document.isTypeSystem } }

  /// The piece that a byte offset is in or at the edge of.
  func unit(at offset: Int) -> GraphQLUnit? { content.unit(at: offset) }
}
