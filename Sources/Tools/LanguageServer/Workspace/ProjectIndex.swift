import ApusGraphQLLanguage
import ApusGraphQLProjects

/// The name of an executable definition and the fragments that it spreads: `BirdFields` spreads `NestFields` in
/// `fragment BirdFields on Bird { ...NestFields }`.
struct DefinitionSummary: Equatable, Sendable {
  /// The name; nil for an anonymous operation.
  let name: String?
  /// The type condition of a fragment; nil for an operation.
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
      case .schema, .typeDefinition, .directiveDefinition: return nil
      }
    }
  }
}

/// Maps names of fragments and operations to the files that define or spread them.
struct ProjectIndex: Sendable {
  private(set) var summaries: [FilePath: [DefinitionSummary]] = [:]
  /// Files that define a fragment or an operation, by name.
  private var fragmentFiles: [String: Set<FilePath>] = [:]
  private var operationFiles: [String: Set<FilePath>] = [:]
  /// Files that spread a fragment, by name.
  private var spreadingFiles: [String: Set<FilePath>] = [:]

  /// Replaces the definitions of a file; nil if it was deleted.
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

  /// All fragments with their type conditions.
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

  /// Fragments that no operation uses; empty if there are no operations, as in a library of fragments.
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

  /// Whether no operation uses a fragment, also if there are no operations.
  func isUnused(_ fragment: String) -> Bool {
    unusedFragments.contains(fragment) || !summaries.values.contains { $0.contains { !$0.isFragment } }
  }

  // MARK: Dependencies between files

  /// Returns the files with the fragments that some files need, directly or indirectly, except those files.
  func needed(by paths: Set<FilePath>) -> Set<FilePath> {
    reachable(from: paths) { definition, visit in
      for name in definition.spreads { visit(fragmentFiles[name]) }
    }
  }

  /// Returns the files that use fragments of some files, directly or indirectly, except those files.
  func dependents(of paths: Set<FilePath>) -> Set<FilePath> {
    reachable(from: paths) { definition, visit in
      if definition.isFragment, let name = definition.name { visit(spreadingFiles[name]) }
    }
  }

  /// Returns the files that spread or define a fragment, or define an operation, with one of these names.
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
