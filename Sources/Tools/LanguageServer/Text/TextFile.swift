import ApusGraphQLLanguage
import ApusGraphQLProjects

/// An immutable version of a file, with its GraphQL.
struct TextFile: Sendable {
  /// The path with symbolic links resolved; the URI for a document that is not a file.
  let path: FilePath
  /// The URI used by the client.
  let uri: String
  /// The client's version number; nil if the file was read from disk.
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
  var units: [GraphQLRegion] { content.units }
  var isOpen: Bool { version != nil }

  /// The type system documents in the file.
  var definitions: [Document] { units.map(\.document).filter(\.isTypeSystem) }

  /// The units with executable documents.
  var executables: [GraphQLRegion] { units.filter { !$0.document.isTypeSystem } }

  /// Returns the unit that contains or touches a byte offset.
  func unit(at offset: Int) -> GraphQLRegion? { content.unit(at: offset) }
}
