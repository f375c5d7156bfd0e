import ApusAlgorithms
import ApusClientImports
import ApusClientNetwork
import ApusClientRequests
import ApusConfiguration
import ApusExplorerCore
import ApusGraphQLProjects
import ApusPlatform
import ApusSecrets

/// Imports pasted text: a request, another program's collection, or the path of a file with either.
enum RequestImporter {
  /// The maximum file size in bytes, larger than any collection written by hand.
  private static let limit = 16 << 20

  /// Reads a request, a collection or a path. Headers that authenticate the user become secrets.
  static func read(_ text: String, secrets: SecretValues) -> ImportResult {
    let line = text.contains(where: \.isNewline) ? "" : String(text.trimming { " \"'".contains($0) })
    guard !line.isEmpty, let path = path(line) else {
      return requests(of: text, named: "the pasted text", secrets)
    }
    let name = path.split(separator: "/").last.map(String.init) ?? path
    do {
      if FilePattern.isFolder(path), let folder = ImportableFolder(path) {
        var collection = ImportedCollection()
        folder.read(into: &collection)
        return requests(in: collection, named: name, secrets)
      }
      guard let file = try contents(of: path) else { return requests(of: text, named: "the pasted text", secrets) }
      return requests(of: file, named: name, secrets, AdjacentFiles(nextTo: path))
    } catch {
      return .failed("\(error)")
    }
  }

  private static func requests(
    of text: String, named name: String, _ secrets: SecretValues, _ files: AdjacentFiles = .none
  ) -> ImportResult {
    var collection = ImportedCollection()
    do throws(ImportError) {
      try collection.add(UntrustedText(text), named: name, files: files)
    } catch {
      return .failed("\(error)")
    }
    return requests(in: collection, named: name, secrets)
  }

  private static func requests(
    in collection: ImportedCollection, named name: String, _ secrets: SecretValues
  ) -> ImportResult {
    let imported = ImportedRequests(collection)
    guard !imported.requests.isEmpty else {
      let left = imported.leftOut.isEmpty ? "" : ": \(imported.leftOut.joined(separator: ", "))"
      return .failed("There is no GraphQL request in \(name)\(left)")
    }
    for draft in imported.requests.map(\.draft) {
      for header in draft.headers where header.isAuthentication {
        secrets.add(
          header: header.name, TemplateText.filled(header.text, .plain, values: draft.options.values), isLive: true)
      }
    }
    let isOne = imported.requests.count == 1 && collection.skipped == 0
    return .found(imported.requests, leftOut: isOne ? imported.leftOutOfOne : imported.leftOut)
  }

  /// Returns the path in a line; nil if the line is itself a request.
  private static func path(_ line: String) -> String? {
    guard !line.hasPrefix("curl "), !line.hasPrefix("{"), !line.hasPrefix("["), line.utf8.count < 4096 else {
      return nil
    }
    return UserFolders.expandingHome(in: line)
  }

  /// Returns the contents of a file; nil if it does not exist or a component of the path is too long for a file name.
  private static func contents(of path: String) throws(ConfigurationError) -> String? {
    guard path.split(separator: "/").allSatisfy({ $0.utf8.count <= Int(NAME_MAX) }) else { return nil }
    return try UserFile.read(path, limit: limit).map { ImportedText.decoded($0) }
  }
}
