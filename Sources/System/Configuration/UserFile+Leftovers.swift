import ApusASCII
import ApusPlatform

extension UserFile {
  /// Removes temporary files that killed processes left in the program's folders: unfinished replacements and files
  /// opened in an editor. Files of running processes stay.
  package static func removeLeftovers(in folders: UserFolders) {
    let workspaces = "\(folders.state)/workspaces"
    let places =
      [
        folders.config, folders.themes, folders.data, folders.state, folders.editing, folders.cache,
        "\(folders.cache)/schemas", "\(folders.cache)/lsp",
      ] + Self.folders(in: workspaces).prefix(mostFolders).map { "\(workspaces)/\($0)" }
    for folder in places {
      for name in names(in: folder, atMost: mostNames) where isLeftover(name, isOfEditor: folder == folders.editing) {
        unlink("\(folder)/\(name)")
      }
    }
  }

  /// Limits on the work, so that crowded folders do not delay the start.
  private static let mostFolders = 200
  private static let mostNames = 2000

  private static func names(in folder: String, atMost limit: Int) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while names.count < limit, let entry = readdir(directory) {
      names.append(
        withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
    }
    return names
  }

  /// Whether a file belongs to a process that no longer runs: a temporary file, or `apus-PROCESS-…` for an editor.
  private static func isLeftover(_ name: String, isOfEditor: Bool) -> Bool {
    guard isOfEditor else { return TemporaryName.isLeftover(name) }
    let mark = "apus-"
    guard name.hasPrefix(mark) else { return false }
    let number = name.dropFirst(mark.count).prefix { $0 != "-" }
    guard number.utf8.allSatisfy(\.isDigit), let process = pid_t(number), process > 0 else { return false }
    return kill(process, 0) != 0 && errno == ESRCH
  }
}
