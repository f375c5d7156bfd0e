import ApusGraphQLProjects

/// A folder with files that can be imported: a collection of Bruno's, or HTTP files, collections and browser logs.
package struct ImportableFolder {
  package let root: ProjectRoot
  /// The paths from the folder. Files that hold for others come before these.
  package let names: [String]
  /// The files that were refused.
  package let refusals: [FileRefusal]

  private static let endings = [
    "http", "rest", "har", "agc", "agq", "agx", "postman_collection.json", "postman_environment.json", "env.json",
  ]

  /// Nil if the folder cannot be searched.
  package init?(_ folder: String) {
    guard let root = ProjectRoot.folder(folder) else { return nil }
    self.root = root
    var list = root.files(["**/*.bru", "opencollection.yml"], in: folder)
    if list.files.contains("opencollection.yml") {
      list = root.files(["**/*.bru", "**/*.yml"], in: folder)
    } else if list.files.isEmpty {
      list = root.files(Self.endings.map { "**/*.\($0)" }, in: folder)
    }
    names = list.files.sorted { Self.order($0).lexicographicallyPrecedes(Self.order($1)) }
    refusals = list.refusals
  }

  private static let namesForOthers: Set<Substring> = [
    "collection.bru", "folder.bru", "opencollection.yml", "folder.yml",
  ]

  /// The key to sort a file by: the files that hold for others come first in their folder, and its folders last.
  private static func order(_ path: String) -> [String] {
    let names = path.split(separator: "/")
    let isForOthers = names.last.map(namesForOthers.contains) == true
    return names.dropLast().map { "2\($0)" } + ["\(isForOthers ? 0 : 1)\(names.last ?? "")"]
  }
}

extension AdjacentFiles {
  /// The files in the folder of an imported file and below it. Together they may have 16 MB.
  package init(nextTo path: String, in root: ProjectRoot? = nil) {
    let parent = FilePath(path).folder.description
    let folder = parent.isEmpty ? "." : parent
    let root = root ?? ProjectRoot.folder(folder)
    var room = 16 << 20
    self.init { name in
      guard let root else { return .refused("its folder cannot be read") }
      do throws(FileRefusal) {
        let bytes = try root.read(FilePattern.absolute(name, in: folder), limit: room)
        room -= bytes.count
        return .text(ImportedText.decoded(bytes))
      } catch {
        return .refused("\(error)")
      }
    }
  }
}
