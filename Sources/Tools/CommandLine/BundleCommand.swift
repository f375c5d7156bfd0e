import ApusGraphQLAnalysis
import ApusGraphQLLanguage
import ApusGraphQLProjects
import ApusGraphQLSchema
import ApusJSON

/// `apus bundle`: prints a manifest of persisted queries.
struct BundleCommand: Sendable {
  /// The tool that reads the manifest.
  enum Form: String, CaseIterable {
    case apollo, relay
  }

  let arguments: ParsedArguments

  func run() throws(CommandError) -> ExitCode {
    let groups = try ProjectGroup.groups(try NamedFiles.named(by: arguments, for: .check))
    var manifests: [(name: String, manifest: JSONValue)] = []
    for group in groups { manifests.append((group.name ?? "", try manifest(of: group))) }
    try CommandError.checkInterruption()
    // Each project has its own server, and so its own manifest.
    let projects = manifests.map { ["name": JSONValue($0.name), "manifest": $0.manifest] as JSONValue }
    StandardStreams.output(
      line: manifests.count == 1 ? manifests[0].manifest : ["projects": .array(projects)], isPretty: true)
    return .success
  }

  private func manifest(of group: ProjectGroup) throws(CommandError) -> JSONValue {
    let documents = try ProjectGroup.wholeDocuments(of: group.files)
    let otherFiles = try group.otherFiles()
    let others = otherFiles.flatMap(\.units).filter { !$0.hasGaps }.map(\.document).filter { !$0.isTypeSystem }
    let incomplete = (group.files + otherFiles).flatMap(\.units).filter(\.hasGaps).flatMap(\.document.fragments)
    let manifest: PersistedQueryManifest
    do throws(PersistedQueryManifest.BundleError) {
      manifest = try PersistedQueryManifest(
        documents, fragmentsOf: others, incompleteFragments: Set(incomplete.map(\.name.value)),
        addsTypename: arguments.has("typename"))
    } catch {
      throw CommandError(exitCode: .resultErrors, message: "\(error)")
    }
    try checkClientNames(manifest, of: group, documents)
    report(manifest, documents)
    return switch arguments.choice("format", default: Form.apollo) {
    case .apollo: manifest.apollo
    case .relay: manifest.relay
    }
  }

  private func report(_ manifest: PersistedQueryManifest, _ documents: [Document]) {
    if let first = manifest.incomplete.first {
      let count = manifest.incomplete.count
      ProjectSources.report([
        "\(count == 1 ? "1 operation is" : "\(count) operations are") not in the manifest, because a value of a program is "
          + "part of the text: \(first)\(count > 1 ? " and \(count - 1) more" : "")"
      ])
    }
    ProjectSources.report(descriptionsOf: documents)
  }

  /// Throws if an operation has a directive or field that only a client knows: a server refuses it.
  private func checkClientNames(
    _ manifest: PersistedQueryManifest, of group: ProjectGroup, _ documents: [Document]
  ) throws(CommandError) {
    let dialects = group.sources?.definition.dialects ?? .automatic
    let schema = (group.sources?.schemaInFiles ?? Schema.load(sdl: [Document]())).read(in: dialects).read(
      for: documents)
    guard schema.dialects.contains(where: { $0.dialect.isClient }) else { return }
    let fields = try clientFields(in: documents + (try group.others()), of: schema, in: group)
    var found: [String] = []
    for operation in manifest.operations {
      let names = schema.clientNames(in: Document(parsing: operation.text)) + (fields[operation.name] ?? [])
      if !names.isEmpty { found.append("'\(operation.name)' has \(names.joined(separator: ", "))") }
    }
    guard let first = found.first else { return }
    let more = found.count > 1 ? ", and \(found.count - 1) more operations have others" : ""
    throw CommandError(
      exitCode: .resultErrors,
      message: "\(first)\(more): servers do not know the names of clients, so bundle the documents that the client's "
        + "compiler writes")
  }

  /// Returns the fields of client schema extensions that each operation selects, by its name: those with a Relay resolver,
  /// those in files that Relay's configuration names, and those beside an introspection result, which has all fields of the
  /// server.
  private func clientFields(
    in documents: [Document], of schema: Schema, in group: ProjectGroup
  ) throws(CommandError) -> [String: [String]] {
    let extensions = group.sources?.definition.relaySchemaExtensions ?? []
    let names = schema.documents.map(\.source.name)
    let hasWholeSchema = names.contains(Schema.introspectionSource)
    let clientNames = Set(
      names.filter { name in
        let path = ProjectSources.resolvedPath(of: name)
        return name != Schema.introspectionSource
          && (hasWholeSchema || extensions.contains { $0.contains(path) })
      })
    let fields = schema.types.flatMap { type in
      type.fields.filter {
        clientNames.contains($0.node.document.source.name) || $0.node.directive(named: "relay_resolver") != nil
      }.map { SchemaCoordinate.member($0.name, of: type.name) }
    }
    guard !fields.isEmpty else { return [:] }
    var selected: [String: [String]] = [:]
    do throws(TooManyUses) {
      let usage = try DocumentUsage(of: documents, in: schema)
      for field in fields {
        for operation in usage.operations(using: field) {
          selected[operation.name ?? "", default: []].append("\(field)")
        }
      }
    } catch {
      throw CommandError(exitCode: .resultErrors, message: "\(error)")
    }
    return selected
  }
}
