import ApusClientTraffic
import ApusJSON

/// The documents of `apus tap --documents`: a manifest, or GraphQL documents whose ids are those of `apus bundle`.
enum TapDocuments {
  static func documents(_ arguments: ParsedArguments) throws(CommandError) -> PersistedDocuments {
    var documents = PersistedDocuments()
    for path in arguments.values("documents") {
      if path.hasSuffix(".json") {
        try add(manifest: path, to: &documents)
      } else {
        try add(documentsIn: path, to: &documents)
      }
    }
    return documents
  }

  private static func add(manifest path: String, to documents: inout PersistedDocuments) throws(CommandError) {
    let bytes = try LocalFile.read(path)
    guard let json = try? JSONDocument(parsing: bytes).root, documents.add(manifest: json) != nil else {
      throw .file(
        "\(path) is not a manifest of persisted queries: write one with 'apus bundle', or use that of your client")
    }
  }

  /// Adds the operations of files with their fragments, once as they are and once with `__typename`, as clients send them.
  private static func add(documentsIn path: String, to documents: inout PersistedDocuments) throws(CommandError) {
    let read = try ProjectGroup.wholeDocuments(of: NamedFiles.files(named: [path], for: .check))
    for addsTypename in [false, true] {
      do throws(PersistedQueryManifest.BundleError) {
        for operation in try PersistedQueryManifest(read, addsTypename: addsTypename).operations {
          documents.add(operation.text, id: operation.id)
        }
      } catch {
        throw .file("--documents \(path): \(error)")
      }
    }
  }
}
