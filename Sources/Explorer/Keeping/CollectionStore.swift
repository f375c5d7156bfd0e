import ApusConfiguration
import ApusExplorerCore
import ApusPlatform

/// A folder of `.graphql` files with their variables beside them (`birds.graphql`, `birds.variables.json`), fit for git.
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

  /// The documents of the folder and of those in it, the nearest first.
  package func files(limit: Int = 2000) -> [PickerItem] {
    var items: [PickerItem] = []
    var folders = [""]
    var depth = 0
    while !folders.isEmpty, depth < 6, items.count < limit {
      var next: [String] = []
      for relative in folders {
        let path = relative.isEmpty ? folder : "\(folder)/\(relative)"
        let prefix = relative.isEmpty ? "" : "\(relative)/"
        for name in UserFile.names(in: path, endings: [".graphql", ".gql"]).prefix(limit - items.count) {
          items.append(PickerItem(id: prefix + name, title: prefix + name))
        }
        next += UserFile.folders(in: path).filter { $0 != "node_modules" }.map { prefix + $0 }
      }
      folders = next
      depth += 1
    }
    return items
  }

  package func read(_ path: String) throws(ConfigurationError) -> CollectionFile {
    guard let query = try UserFile.read(absolute(path), limit: 16 << 20) else {
      throw ConfigurationError(file: path, "there is no such file")
    }
    let variables = try UserFile.read(variablesFile(of: absolute(path)), limit: 16 << 20) ?? []
    return CollectionFile(
      path: path, savedQuery: try Self.text(query, path),
      savedVariables: try Self.text(variables, variablesFile(of: path)))
  }

  /// A file's text. Of one that is not UTF-8 the bytes that are wrong would be lost when it is saved.
  private static func text(_ bytes: [UInt8], _ path: String) throws(ConfigurationError) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw ConfigurationError(file: path, "it is not UTF-8; save it as UTF-8 first")
    }
    return text
  }

  /// Writes a document and its variables; where one of the two files is not as it was when it was read, both are left alone.
  package func write(
    _ file: CollectionFile, query: String, variables: String, overwrites: Bool
  ) throws(ConfigurationError) -> Saving {
    let path = absolute(file.path)
    let beside = variablesFile(of: path)
    let isChanged = try isChanged(path, since: file.savedQuery, to: query)
    let isChangedBeside = try self.isChanged(beside, since: file.savedVariables, to: variables)
    if !overwrites, isChanged || isChangedBeside { return .changedOutside }
    if let slash = path.lastIndex(of: "/") { try UserFile.makeFolder(String(path[..<slash]), mode: 0o755) }
    try UserFile.replace(path, with: query.utf8, mode: 0o644)
    if !variables.allSatisfy(\.isWhitespace) {
      try UserFile.replace(beside, with: variables.utf8, mode: 0o644)
    } else if !file.savedVariables.isEmpty {
      unlink(beside)
    }
    return .saved(CollectionFile(path: file.path, savedQuery: query, savedVariables: variables))
  }

  /// Whether others have written a file since it was read; not where they wrote what is to be written.
  private func isChanged(_ path: String, since known: String, to text: String) throws(ConfigurationError) -> Bool {
    guard let there = try UserFile.read(path, limit: 16 << 20) else { return false }
    return !there.elementsEqual(known.utf8) && !there.elementsEqual(text.utf8)
  }

  package enum Saving: Sendable {
    case saved(CollectionFile)
    case changedOutside
  }

  /// The texts of the other documents, for the fragments that are shared.
  package func documents(except path: String?, limit: Int = 200) -> [String] {
    files(limit: limit).filter { $0.id != path }.compactMap { item in
      (try? UserFile.read(absolute(item.id), limit: 1 << 20)).map { String(decoding: $0, as: UTF8.self) }
    }
  }

  /// Writes a text that a person asked to have in a file; false where there is another one, which is left alone.
  package func export(_ text: String, to path: String, overwrites: Bool) throws(ConfigurationError) -> Bool {
    let path = absolute(path)
    if !overwrites, access(path, F_OK) == 0 {
      guard let there = try UserFile.read(path, limit: 64 << 20), there.elementsEqual(text.utf8) else { return false }
    }
    try UserFile.replace(path, with: text.utf8, mode: 0o600)
    return true
  }
}
