import ApusGraphQLLanguage
import ApusGraphQLProjects

/// What one executable definition is called and what it spreads.
struct DefinitionSummary: Equatable, Sendable {
  /// nil for an operation without a name.
  let name: String?
  /// Of a fragment; nil for an operation.
  let typeCondition: String?
  let spreads: Set<String>

  var isFragment: Bool { typeCondition != nil }

  static func all(in file: TextFile) -> [DefinitionSummary] { file.units.flatMap { all(in: $0.document) } }

  private static func all(in document: Document) -> [DefinitionSummary] {
    document.definitions.compactMap { definition in
      var spreads: Set<String> = []
      for id in definition.id..<document.nodes[Int(definition.id)].next
      where document.nodes[Int(id)].kind == .fragmentSpread {
        spreads.insert(FragmentSpreadNode(document, id).name.value)
      }
      switch definition {
      case .operation(let node):
        return DefinitionSummary(name: node.name?.value, typeCondition: nil, spreads: spreads)
      case .fragment(let node):
        return DefinitionSummary(
          name: node.name.value, typeCondition: node.typeCondition.name.value, spreads: spreads)
      default: return nil
      }
    }
  }
}

/// Which file of a project defines which fragment or operation, and which spread it.
struct ProjectIndex: Sendable {
  private(set) var summaries: [FilePath: [DefinitionSummary]] = [:]
  /// Files by the name of a fragment or an operation that they define.
  private var fragmentFiles: [String: Set<FilePath>] = [:]
  private var operationFiles: [String: Set<FilePath>] = [:]
  /// Files by the name of a fragment that they spread.
  private var spreadingFiles: [String: Set<FilePath>] = [:]

  /// Takes what a file says now, in place of what it said before; nil for a file that is gone.
  mutating func set(_ definitions: [DefinitionSummary]?, for path: FilePath) {
    for definition in summaries[path] ?? [] {
      if let name = definition.name {
        if definition.isFragment { fragmentFiles[name]?.remove(path) } else { operationFiles[name]?.remove(path) }
      }
      for name in definition.spreads { spreadingFiles[name]?.remove(path) }
    }
    summaries[path] = definitions
    for definition in definitions ?? [] {
      if let name = definition.name {
        if definition.isFragment {
          fragmentFiles[name, default: []].insert(path)
        } else {
          operationFiles[name, default: []].insert(path)
        }
      }
      for name in definition.spreads { spreadingFiles[name, default: []].insert(path) }
    }
  }

  // MARK: Names

  func files(definingFragment name: String) -> [FilePath] { (fragmentFiles[name] ?? []).sorted() }
  func files(definingOperation name: String) -> [FilePath] { (operationFiles[name] ?? []).sorted() }
  func files(spreading name: String) -> [FilePath] { (spreadingFiles[name] ?? []).sorted() }

  /// Every fragment with its type condition.
  var fragments: [(name: String, typeCondition: String)] {
    var found: [(name: String, typeCondition: String)] = []
    for definitions in summaries.values {
      for definition in definitions {
        if let name = definition.name, let condition = definition.typeCondition, !name.isEmpty {
          found.append((name, condition))
        }
      }
    }
    return found.sorted { $0.name < $1.name }
  }

  /// The fragments that no operation comes by; none where there is no operation, as in a library of fragments.
  var unusedFragments: Set<String> {
    var spreads: [String: Set<String>] = [:]
    var pending: [String] = []
    for definition in summaries.values.joined() {
      if !definition.isFragment {
        pending += definition.spreads
      } else if let name = definition.name {
        spreads[name, default: []].formUnion(definition.spreads)
      }
    }
    guard summaries.values.contains(where: { $0.contains { !$0.isFragment } }) else { return [] }
    var used: Set<String> = []
    while let name = pending.popLast() {
      if used.insert(name).inserted { pending += spreads[name] ?? [] }
    }
    return Set(spreads.keys).subtracting(used)
  }

  // MARK: Files that belong together

  /// The files with the fragments that some files need, directly or by other fragments; those files are not among them.
  func needed(by paths: Set<FilePath>) -> Set<FilePath> {
    reachable(from: paths) { definition, visit in
      for name in definition.spreads { visit(fragmentFiles[name]) }
    }
  }

  /// The files that come by the fragments of some files; those files are not among them.
  func dependents(of paths: Set<FilePath>) -> Set<FilePath> {
    reachable(from: paths) { definition, visit in
      if definition.isFragment, let name = definition.name { visit(spreadingFiles[name]) }
    }
  }

  /// The files that spread or define one of these names, or define an operation of one.
  func files(naming names: Set<String>) -> Set<FilePath> {
    names.reduce(into: Set<FilePath>()) { files, name in
      files.formUnion(fragmentFiles[name] ?? [])
      files.formUnion(spreadingFiles[name] ?? [])
      files.formUnion(operationFiles[name] ?? [])
    }
  }

  private func reachable(
    from paths: Set<FilePath>, _ step: (DefinitionSummary, (Set<FilePath>?) -> Void) -> Void
  ) -> Set<FilePath> {
    var found = paths
    var pending = Array(paths)
    while let path = pending.popLast() {
      for definition in summaries[path] ?? [] {
        step(definition) { files in
          for file in files ?? [] where found.insert(file).inserted { pending.append(file) }
        }
      }
    }
    return found.subtracting(paths)
  }
}
