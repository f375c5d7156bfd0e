import ApusConfiguration
import ApusExplorerCore
import ApusExplorerText
import ApusGraphQLProjects
import ApusJSON
import ApusPlatform

/// Paths of files for an upload variable.
enum PathCompletion {
  private static let limit = 500

  /// Returns the files and folders whose names continue a path.
  ///
  /// - Parameters:
  ///   - path: The part of the path before the cursor, with its JSON escapes.
  static func completions(of path: String, before cursor: TextPosition) -> [Completion] {
    let written = path.hasPrefix("@") ? path.dropFirst() : path[...]
    let slash = written.lastIndex(of: "/").map { written.index(after: $0) } ?? written.startIndex
    let typed = String(written[slash...])
    guard let folder = (try? JSONDocument(parsing: "\"\(written[..<slash])\"").root)?.string else { return [] }
    let searched = UserFolders.expandingHome(in: folder.isEmpty ? "./" : folder)
    let start = TextPosition(cursor.line, cursor.column - typed.utf8.count)
    let found = UserFile.names(in: searched).lazy.filter { typed.hasPrefix(".") || !$0.hasPrefix(".") }
      .map { (name: $0, written: Self.escaped($0)) }.filter { $0.written.hasPrefix(typed) }
    return found.prefix(limit).map { name, written in
      let isFolder = FilePath("\(searched)/\(name)").status(followsLinks: true).map { $0.st_mode & S_IFMT == S_IFDIR }
      let text = isFolder == true ? written + "/" : written
      return Completion(label: text, kind: isFolder == true ? "folder" : "file", replaces: start..<cursor)
    }
  }

  /// A name as a JSON string has it between its quotes: `my \"best\" owl.jpg`.
  private static func escaped(_ name: String) -> String {
    String(JSONWriter.compact(JSONValue(name)).dropFirst().dropLast())
  }
}
