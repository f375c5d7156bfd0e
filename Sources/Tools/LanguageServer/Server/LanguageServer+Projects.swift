import ApusConfiguration
import ApusGraphQLProjects
import ApusGraphQLSchema
import ApusJSON

/// Loads projects and their schemas.
extension LanguageServer {
  /// Loads the projects of the client's folders and registers file watchers, when the client is ready.
  func start() async {
    if client.registersWatchers {
      let endings = HostLanguage.endings.map { String($0.dropFirst()) }.joined(separator: ",")
      let watchers = ["**/*.{\(endings),json}", "**/.graphqlrc*", "**/graphql.config.*"]
        .map { ["globPattern": JSONValue($0)] as JSONValue }
      sendRequest(
        "client/registerCapability",
        [
          "registrations": [
            [
              "id": "apus-files", "method": "workspace/didChangeWatchedFiles",
              "registerOptions": ["watchers": .array(watchers)],
            ]
          ]
        ])
    }
    await loadFolders()
  }

  /// Loads the projects of the graphql-config files in the folders.
  private func loadFolders() async {
    for folder in workspace.folders {
      do throws(ConfigurationError) {
        for (key, origin) in try Workspace.origins(ofFolder: folder) where workspace.projects[key] == nil {
          await load(origin, as: key)
        }
      } catch {
        showMessage("\(error)", .error)
      }
    }
  }

  func load(projectOf path: FilePath) async {
    let (key, origin, note) = workspace.origin(of: path)
    if let note { showMessage(note, .error) }
    workspace.assign(path, to: key)
    if workspace.projects[key] == nil { await load(origin, as: key) }
  }

  private func load(_ origin: ProjectDefinition, as key: Workspace.Key) async {
    let token: JSONValue = "apus-load"
    if client.takesProgress {
      sendRequest("window/workDoneProgress/create", ["token": token])
      progress(token, ["kind": "begin", "title": "apus: reading the project"])
    }
    let members = workspace.open.values.filter { workspace.key(of: $0.path) == key }
    let loader = ProjectLoader(environment: environment, open: workspace.open, members: Array(members))
    let loaded = await loader.load(origin)
    workspace.set(loaded.project, for: key)
    readNeighbors(of: key)
    for note in loaded.notes { showMessage(note) }
    let uses = loaded.project.schema?.dialects ?? []
    if !uses.isEmpty { log("dialects: \(uses.map(\.description).joined(separator: ", "))") }
    if client.takesProgress {
      progress(token, ["kind": "end", "message": JSONValue("\(loaded.project.files.count) documents")])
    }
    scheduleDiagnostics(Set(loaded.project.files.keys), of: key, first: nil)
    addresses[key] = loaded.addresses
    for address in loaded.addresses { refresh(address, of: key) }
  }

  /// Fetches a schema that is not in a file, in the background. Until then the cached schema is used.
  func refresh(_ address: SchemaEndpoint, of key: Workspace.Key) {
    begin { [self] in
      let outcome = await environment.fetchSchema(address)
      await receive(outcome, from: address, of: key)
    }
  }

  func receive(
    _ outcome: Result<TimestampedSchema, ServerEnvironmentError>, from address: SchemaEndpoint, of key: Workspace.Key
  ) {
    // The project may use another schema by now.
    guard addresses[key]?.contains(address) ?? false else { return }
    switch outcome {
    case .success(let fetched):
      let files = workspace.update(key) { project in
        project.setSchema(fetched, from: address)
        return Set(project.files.keys)
      }
      if let files { scheduleDiagnostics(files, of: key, first: nil) }
    case .failure(let failure):
      guard let project = workspace.projects[key] else { return }
      let saved = project.schema == nil ? "there is no schema" : "the saved schema is used"
      showMessage("\(saved): \(failure)")
    }
  }

  /// Reloads everything, for example after a graphql-config file has changed.
  func reloadAll() async {
    diagnosticsQueue.cancel()
    workspace.forgetProjects()
    addresses = [:]
    await loadFolders()
    for path in workspace.open.keys.sorted() {
      guard let file = workspace.open[path] else { continue }
      if workspace.key(of: path) == nil { await load(projectOf: path) }
      if let key = workspace.key(of: path), let effect = workspace.update(key, { $0.set(file, at: path) }) {
        scheduleDiagnostics(effect.files, of: key, first: path)
      }
    }
    // Diagnostics of files that no longer belong to a project, or whose folder is closed, are removed.
    for uri in diagnosticsQueue.reported where !workspace.reports(uri) {
      diagnosticsQueue.reported.remove(uri)
      notify("textDocument/publishDiagnostics", ["uri": JSONValue(uri), "diagnostics": []])
    }
  }
}
