import ApusConfiguration
import ApusExplorerCore
import ApusGraphQLProjects
import ApusPlatform

/// A folder of `.graphql` files and their variables (`birds.graphql`, `birds.variables.json`), suitable for version
/// control.
package struct CollectionStore: Sendable {
  package let folder: String

  package init(folder: String) {
    self.folder = folder
  }

  private func absolute(_ path: String) -> String { path.hasPrefix("/") ? path : "\(folder)/\(path)" }

  private func variablesFile(of path: String) -> String {
    let stem = path.lastIndex(of: ".").map { path[..<$0] } ?? path[...]
    return "\(stem).variables.json"
  }

  /// The root for files found in the folder.
  private var root: ProjectRoot? { ProjectRoot.folder(folder) }

  /// Returns the documents in the folder and its subfolders, the least nested first.
  package func files(limit: Int = 2000) -> [PickerItem] {
    let found = root?.files(["**/*.{graphql,gql}"], in: folder, limit: 100_000).files.map { FilePath($0) } ?? []
    let nearest = found.sorted { ($0.components.count, $0) < ($1.components.count, $1) }.prefix(limit)
    return nearest.map { PickerItem(id: "\($0)", title: "\($0)") }
  }

  /// Returns the paths that continue a typed one, which may be relative to the folder.
  package func paths(continuing typed: String) -> [String] { PathNames.continuations(of: typed, in: folder) }

  package func read(_ path: String) throws(ConfigurationError) -> CollectionFile {
    guard let query = try contents(path) else { throw ConfigurationError(file: path, "there is no such file") }
    let variables = try contents(variablesFile(of: path)) ?? []
    var file = CollectionFile(
      path: path, savedQuery: try Self.text(query, path),
      savedVariables: try Self.text(variables, variablesFile(of: path)))
    file.lineEnd = LineEnd(of: query)
    return file
  }

  /// Returns the root for a file in the folder, which symbolic links must not leave; nil for a path outside.
  private func root(of path: String) -> ProjectRoot? {
    FilePath(path).mayLeaveFolder ? nil : root
  }

  /// Returns nil if the file does not exist.
  private func contents(_ path: String, limit: Int = 16 << 20) throws(ConfigurationError) -> [UInt8]? {
    guard let root = root(of: path) else { return try UserFile.read(absolute(path), limit: limit) }
    do throws(FileRefusal) {
      return try root.read(absolute(path), limit: limit)
    } catch {
      if error.reason == .missing { return nil }
      throw ConfigurationError(file: path, error.explanation)
    }
  }

  /// - Parameter earlier: The bytes that were read from the file; nil if it did not exist.
  private func replace(
    _ path: String, with text: String, over earlier: [UInt8]?, mode: UInt16
  ) throws(ConfigurationError) {
    let file = absolute(path)
    guard let root = root(of: path) else {
      try UserFile.makeFolder("\(FilePath(file).folder)", mode: 0o755)
      return try UserFile.replace(file, with: text.utf8, mode: mode, over: .init(earlier))
    }
    do throws(FileRefusal) {
      try root.replace(file, with: text.utf8, over: earlier, mode: mode)
    } catch {
      throw ConfigurationError(file: path, error.explanation)
    }
  }

  /// Decodes a file's text, with the editor's line ends. Invalid UTF-8 is rejected, because its bytes would be lost on
  /// saving.
  private static func text(_ bytes: [UInt8], _ path: String) throws(ConfigurationError) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw ConfigurationError(file: path, "not UTF-8; save the file as UTF-8 first")
    }
    return LineEnd.lineFeeds(in: text)
  }

  /// Writes a document and its variables. If either file changed since it was read, both are left unchanged.
  package func write(
    _ file: CollectionFile, query: String, variables: String, overwrites: Bool
  ) throws(ConfigurationError) -> Saving {
    let path = file.path
    let beside = variablesFile(of: path)
    let found = try contents(path)
    let foundBeside = try contents(beside)
    if !overwrites,
      Self.isChanged(found, since: file.savedQuery, to: query)
        || Self.isChanged(foundBeside, since: file.savedVariables, to: variables)
    {
      return .changedOutside
    }
    // Each file keeps its line ends; a new one gets those of the tab's file.
    let lineEnd = found.map { LineEnd(of: $0) } ?? file.lineEnd
    try replace(path, with: lineEnd.applied(to: query), over: found, mode: 0o644)
    if !variables.allSatisfy(\.isWhitespace) {
      let written = (foundBeside.map { LineEnd(of: $0) } ?? lineEnd).applied(to: variables)
      try replace(beside, with: written, over: foundBeside, mode: 0o644)
    } else if !file.savedVariables.isEmpty {
      unlink(absolute(beside))
    }
    var saved = CollectionFile(path: file.path, savedQuery: query, savedVariables: variables)
    saved.lineEnd = lineEnd
    return .saved(saved)
  }

  /// Whether a file was changed since it was read, other than to the text that is to be written.
  private static func isChanged(_ found: [UInt8]?, since saved: String, to text: String) -> Bool {
    guard let found else { return false }
    let present = LineEnd.lineFeeds(in: String(decoding: found, as: UTF8.self))
    return present != LineEnd.lineFeeds(in: saved) && present != text
  }

  package enum Saving: Sendable {
    case saved(CollectionFile)
    case changedOutside
  }

  /// Returns the other documents, for shared fragments.
  package func documents(except path: String?, limit: Int = 200) -> [String] {
    files(limit: limit).filter { FilePath($0.id) != path.map { FilePath($0) } }.compactMap { item in
      (try? contents(item.id, limit: 1 << 20)).map { String(decoding: $0, as: UTF8.self) }
    }
  }

  /// Writes text to a file that the user chose. Returns false, and changes nothing, if the file has other content.
  package func export(_ text: String, to path: String, overwrites: Bool) throws(ConfigurationError) -> Bool {
    let found = try contents(path, limit: 64 << 20)
    if !overwrites, let found, !found.elementsEqual(text.utf8) { return false }
    try replace(path, with: text, over: found, mode: 0o600)
    return true
  }
}
