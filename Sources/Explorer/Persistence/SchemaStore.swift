import ApusConfiguration
import ApusGraphQLLanguage
import ApusGraphQLSchema
import ApusPlatform
import ApusSecrets

/// The last known schemas of endpoints, as SDL in the cache folder. The explorer uses them immediately and loads newer
/// ones in the background.
package struct SchemaStore: Sendable {
  private let file: String
  /// Secrets that were sent, which a server may repeat in its schema.
  private let secrets: SecretValues

  package init(endpoint: String, folders: UserFolders = UserFolders(), secrets: SecretValues = SecretValues()) {
    self.secrets = secrets
    file = "\(folders.cache)/schemas/\(SessionStore.folderName(of: endpoint)).graphql"
  }

  /// Returns the saved schema and the time when it was written, in seconds since 1970.
  package func read() -> (text: [UInt8], savedAt: Int)? { Self.read(file) }

  private static func read(_ file: String) -> (text: [UInt8], savedAt: Int)? {
    var status = stat()
    guard let bytes = try? UserFile.readOwn(file, limit: 64 << 20), stat(file, &status) == 0 else { return nil }
    return (bytes, modificationTime(of: status).tv_sec)
  }

  package func load() -> (schema: Schema, savedAt: Int)? { Self.schema(read(), name: file) }

  /// Returns the schema before its last change.
  package func loadEarlier() -> (schema: Schema, savedAt: Int)? { Self.schema(Self.read(earlier), name: earlier) }

  private var earlier: String { file + ".before" }

  private static func schema(_ saved: (text: [UInt8], savedAt: Int)?, name: String) -> (schema: Schema, savedAt: Int)? {
    guard let saved else { return nil }
    let document = Document(parsing: saved.text, name: name)
    guard document.diagnostics.isEmpty else { return nil }
    return (Schema.load(sdl: [document]), saved.savedAt)
  }

  /// The reason why a schema is not saved.
  package static let refusal = "the schema was not saved: a name in it contains a secret that was sent to the server"

  /// Saves a schema, and keeps the previous one if they differ. If they do not, only the time is updated.
  ///
  /// - Returns: `false` if a name in the schema contains a secret, so that nothing was written.
  package func write(_ schema: Schema) -> Bool {
    guard let shown = Redactor(values: secrets).schema(schema.printSDL()) else { return false }
    let text = Array(shown.utf8)
    do throws(ConfigurationError) {
      if let saved = read(), saved.text != text { rename(file, earlier) }
      try UserFile.makePrivateFolder(String(file[..<(file.lastIndex(of: "/") ?? file.startIndex)]))
      try UserFile.replace(file, with: text)
    } catch {
      // Without a cache file the schema is fetched again.
    }
    return true
  }
}
