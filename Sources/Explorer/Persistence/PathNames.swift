import ApusConfiguration
import ApusGraphQLProjects
import ApusPlatform

/// Completion of paths that are typed in input lines.
enum PathNames {
  private static let limit = 200

  /// Returns the paths that continue a typed one, with a slash after folders. `~` is the home folder and stays as typed.
  static func continuations(of typed: String, in folder: String) -> [String] {
    let start = typed.lastIndex(of: "/").map { typed.index(after: $0) } ?? typed.startIndex
    let name = typed[start...]
    let named = UserFolders.expandingHome(in: String(typed[..<start]))
    let searched = named.hasPrefix("/") ? named : "\(folder)/\(named)"
    let found = UserFile.names(in: searched).filter { other in
      other.utf8.starts(with: name.utf8) && (name.hasPrefix(".") || !other.hasPrefix("."))
    }
    return found.prefix(limit).map { other in
      let status = FilePath("\(searched)/\(other)").status(followsLinks: true)
      let isFolder = status.map { $0.st_mode & S_IFMT == S_IFDIR } ?? false
      return "\(typed[..<start])\(other)\(isFolder ? "/" : "")"
    }
  }
}
