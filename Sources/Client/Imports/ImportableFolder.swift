import ApusConfiguration
import ApusGraphQLProjects
import ApusSecrets

/// A folder with files that can be imported.
package struct ImportableFolder {
  private let root: ProjectRoot
  private let path: String
  /// Paths from the folder. Files with settings for other files come before these.
  private let names: [String]
  private let refusals: [FileRefusal]

  private static let endings = Set(ImportFormat.all.flatMap(\.endings) + [ImportFormat.plainTextEnding]).sorted()

  /// The maximum size of a file, and of all files, in bytes.
  private static let limits = (file: 32 << 20, all: 256 << 20)

  /// Whether no file of the folder has one of the endings.
  package var isEmpty: Bool { names.isEmpty && refusals.isEmpty }

  /// Nil if the folder cannot be searched.
  package init?(_ folder: String) {
    guard let root = ProjectRoot.folder(folder) else { return nil }
    self.root = root
    path = folder
    let list = root.files(Self.endings.map { "**/*.\($0)" }, in: folder)
    // This file of Bruno's has no requests and no settings for them.
    names = list.files.filter { $0 != "bruno.json" && !$0.hasSuffix("/bruno.json") }
      .sorted { Self.order($0).lexicographicallyPrecedes(Self.order($1)) }
    refusals = list.refusals
  }

  private static let namesForOthers: Set<Substring> = [
    "collection.bru", "folder.bru", "opencollection.yml", "folder.yml",
  ]

  /// The key to sort a file by: the files with settings for others come first in their folder, and its folders last.
  private static func order(_ path: String) -> [String] {
    let names = path.split(separator: "/")
    let isForOthers = names.last.map(namesForOthers.contains) == true
    return names.dropLast().map { "2\($0)" } + ["\(isForOthers ? 0 : 1)\(names.last ?? "")"]
  }

  /// Adds the files to a collection. Files that cannot be read, or have no supported format, are recorded as left out.
  package func read(into collection: inout ImportedCollection) {
    var room = Self.limits.all
    for name in names {
      let file = FilePattern.absolute(name, in: path)
      do throws(FileRefusal) {
        let bytes = try root.read(file, limit: min(room, Self.limits.file))
        room -= bytes.count
        collection.addOne(
          UntrustedText(ImportedText.decoded(bytes)), named: name, files: AdjacentFiles(nextTo: file, in: root),
          isFound: true)
      } catch {
        collection.skip(name, error.explanation)
      }
    }
    for refusal in refusals {
      // The contents of a linked folder are not requests of this one.
      if refusal.reason == .linkToFolder {
        collection.leftOut.append(refusal.description)
      } else {
        collection.skip(refusal.path, refusal.explanation)
      }
    }
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
