import ApusConfiguration
import ApusGraphQLLanguage
import ApusGraphQLSchema
import ApusPlatform
import ApusSecrets

/// The schemas of endpoints as they were last seen, as SDL in the cache folder: the explorer knows the types at once and
/// asks the server for newer ones behind the screen.
package struct SchemaStore: Sendable {
  private let file: String
  /// Secrets that were sent: a server may repeat them in its schema.
  private let secrets: SecretValues

  package init(endpoint: String, folders: UserFolders = UserFolders(), secrets: SecretValues = SecretValues()) {
    self.secrets = secrets
    file = "\(folders.cache)/schemas/\(WorkspaceStore.folderName(of: endpoint)).graphql"
  }

  /// The kept schema's text and when it was written, in seconds since 1970.
  package func read() -> (text: [UInt8], savedAt: Int)? { Self.read(file) }

  private static func read(_ file: String) -> (text: [UInt8], savedAt: Int)? {
    var status = stat()
    guard let bytes = try? UserFile.read(file, limit: 64 << 20), stat(file, &status) == 0 else { return nil }
    return (bytes, status.modificationTime.tv_sec)
  }

  package func load() -> (schema: Schema, savedAt: Int)? { Self.schema(read(), name: file) }

  /// The schema as it was before it changed last.
  package func loadEarlier() -> (schema: Schema, savedAt: Int)? { Self.schema(Self.read(earlier), name: earlier) }

  private var earlier: String { file + ".before" }

  private static func schema(_ kept: (text: [UInt8], savedAt: Int)?, name: String) -> (schema: Schema, savedAt: Int)? {
    guard let kept else { return nil }
    let document = Document(parsing: kept.text, name: name)
    guard document.diagnostics.isEmpty else { return nil }
    return (Schema.load(sdl: [document]), kept.savedAt)
  }

  /// Keeps a schema, and the one before where it is another; what is not changed only gets a new time.
  package func write(_ schema: Schema) {
    let text = Array(Redactor(values: secrets).schema(schema.printSDL()).utf8)
    do throws(ConfigurationError) {
      if let kept = read(), kept.text != text { rename(file, earlier) }
      try UserFile.makePrivateFolder(String(file[..<(file.lastIndex(of: "/") ?? file.startIndex)]))
      try UserFile.replace(file, with: text)
    } catch {
      // A cache that cannot be written is asked for again: nothing is lost.
    }
  }
}
