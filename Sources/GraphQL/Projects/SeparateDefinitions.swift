import ApusGraphQLLanguage

/// Definitions in files that no project names. They are never combined with a project's schema.
package enum SeparateDefinitions {
  /// Groups the files that are read together for one schema each: the unnamed files of a folder, unless two of them
  /// define a type or a schema, which are then separate: `birds.graphql` and `nests.graphql` form one schema, but
  /// `v1.graphql` and `v2.graphql` with the same types are two.
  ///
  /// - Parameter areNamedTogether: Whether the user named the files for one command, so that they are one schema if
  ///   they can be.
  /// - Returns: The indices of the files of each group.
  package static func groups(
    of files: [(path: FilePath, documents: [Document])], areNamedTogether: Bool = false
  ) -> [[Int]] {
    if areNamedTogether, !defineTwice(files.map(\.documents)) { return files.isEmpty ? [] : [Array(files.indices)] }
    var folders: [FilePath] = []
    var groups: [FilePath: [Int]] = [:]
    for (index, file) in files.enumerated() {
      if groups[file.path.folder] == nil { folders.append(file.path.folder) }
      groups[file.path.folder, default: []].append(index)
    }
    return folders.flatMap { folder -> [[Int]] in
      let group = groups[folder] ?? []
      return defineTwice(group.map { files[$0].documents }) ? group.map { [$0] } : [group]
    }
  }

  /// Whether two files define a type, a directive or the schema.
  private static func defineTwice(_ files: [[Document]]) -> Bool {
    var seen: Set<String> = []
    for documents in files {
      var own: Set<String> = []
      for definition in documents.flatMap(\.definitions) {
        switch definition {
        case .schema(let node): if !node.isExtension { own.insert("schema") }
        case .typeDefinition(let node): if !node.isExtension { own.insert("type \(node.name.value)") }
        case .directiveDefinition(let node): if !node.isExtension { own.insert("@\(node.name.value)") }
        case .operation, .fragment: break
        }
      }
      if !seen.isDisjoint(with: own) { return true }
      seen.formUnion(own)
    }
    return false
  }
}
