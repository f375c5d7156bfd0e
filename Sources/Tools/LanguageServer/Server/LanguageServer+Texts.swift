import ApusGraphQLLanguage
import ApusGraphQLProjects
import ApusJSON

/// Notifications about documents, files and folders.
extension LanguageServer {
  // MARK: Documents

  func open(_ params: JSONValue) async {
    guard let item = params["textDocument"], let uri = item["uri"]?.string, let text = item["text"]?.string,
      text.utf8.count <= ProjectDefinition.fileLimit
    else { return }
    let path = Workspace.path(of: uri)
    let file = TextFile(
      path: path, uri: uri, language: language(of: path, named: item["languageId"]?.string ?? ""),
      version: item["version"]?.int ?? 0, bytes: Array(text.utf8))
    workspace.setOpen(file, at: path)
    await update(file, at: path)
  }

  private func language(of path: FilePath, named name: String) -> HostLanguage {
    let language = HostLanguage(languageID: name, path: "\(path)")
    return language == .other ? workspace.language(of: path) : language
  }

  func change(_ params: JSONValue) async {
    guard let uri = params["textDocument"]?["uri"]?.string, let file = workspace.open[Workspace.path(of: uri)] else {
      return
    }
    var source = file.source
    for change in (params["contentChanges"] ?? .null).elements {
      guard let text = change["text"]?.string else { continue }
      guard let json = change["range"] else {
        source = Source(bytes: Array(text.utf8), name: "\(file.path)")
        continue
      }
      // If a change cannot be applied, client and server have different texts, so the user is notified.
      guard let range = client.encoding.range(json, in: source) else {
        showMessage("a change of \(file.path) has no range; close the document and open it again", .error)
        continue
      }
      var bytes = source.bytes
      bytes.replaceSubrange(range, with: text.utf8)
      guard bytes.count <= ProjectDefinition.fileLimit else {
        return showMessage("\(file.path) is too large to be checked")
      }
      source = Source(bytes: bytes, name: "\(file.path)")
    }
    let changed = TextFile(
      path: file.path, uri: file.uri, language: file.language,
      version: params["textDocument"]?["version"]?.int ?? (file.version ?? 0) + 1, bytes: source.bytes)
    workspace.setOpen(changed, at: file.path)
    await update(changed, at: file.path)
  }

  /// Closes a document. Its file on disk is used from now on.
  func close(_ params: JSONValue) async {
    guard let uri = params["textDocument"]?["uri"]?.string else { return }
    tokens.remove(uri)
    let path = Workspace.path(of: uri)
    guard let open = workspace.open[path] else { return }
    workspace.setOpen(nil, at: path)
    let isSchema = workspace.language(of: path) == .graphql
    let file =
      path.isAbsolute ? ProjectLoader.file(at: path, in: workspace.root(of: path), isSchema: isSchema) : nil
    await update(file, at: path)
    if file == nil || open.uri != file?.uri { publish([], for: open) }
  }

  /// Updates a file in its project, and schedules validation of the affected files.
  private func update(_ file: TextFile?, at path: FilePath) async {
    if workspace.key(of: path) == nil {
      guard file != nil else { return }
      await load(projectOf: path)
    }
    var keys = workspace.keys(having: path)
    if let ownerKey = workspace.key(of: path), !keys.contains(ownerKey) { keys.append(ownerKey) }
    for key in keys {
      guard let effect = workspace.update(key, { $0.set(file, at: path) }) else { continue }
      scheduleDiagnostics(effect.files, of: key, first: path)
      if let file { takeImports(of: file, into: key) }
      // Only definitions have neighbors.
      if let file, !file.definitions.isEmpty { readNeighbors(of: key) }
    }
    updateNeighbors(file, at: path, except: keys)
  }

  // MARK: Files that no project names

  /// Reads the files beside those of a project that no project names.
  func readNeighbors(of key: Workspace.Key) {
    for folder in workspace.projects[key]?.foldersWithoutNeighbors ?? [] {
      let found = workspace.unnamedFiles(inFolder: folder)
      if let files = workspace.update(key, { $0.setNeighbors(found, ofFolder: folder) }) {
        scheduleDiagnostics(files, of: key, first: nil)
      }
    }
  }

  /// Updates a file that no project names in the other projects with files beside it.
  private func updateNeighbors(_ file: TextFile?, at path: FilePath, except keys: [Workspace.Key]) {
    for (key, project) in workspace.projects where !keys.contains(key) && project.hasNeighbors(ofFolder: path.folder) {
      if let files = workspace.update(key, { $0.setNeighbor(file, at: path) }) {
        scheduleDiagnostics(files, of: key, first: nil)
      }
    }
  }

  /// Reads the files that a file imports, unless the project contains them.
  private func takeImports(of file: TextFile, into key: Workspace.Key) {
    let imports = file.units.flatMap(\.document.imports)
    guard !imports.isEmpty, let project = workspace.projects[key], let root = workspace.root(of: file.path) else {
      return
    }
    let isKnown = imports.allSatisfy { comment in
      FilePath(real: FilePattern.absolute(comment.path, in: "\(file.path.folder)"))
        .map { project.hasImport($0, of: file.path) } ?? true
    }
    guard !isKnown else { return }
    for content in root.imports(of: [file.content], name: { "\($0)" }).files {
      let path = FilePath(content.source.name)
      guard !project.hasImport(path, of: file.path) else { continue }
      if workspace.key(of: path) == nil { workspace.assign(path, to: key) }
      let imported =
        workspace.open[path] ?? TextFile(path: path, uri: DocumentURI.of(path: path), version: nil, content: content)
      if let effect = workspace.update(key, { $0.addImport(imported, of: file.path) }) {
        scheduleDiagnostics(effect.files, of: key, first: file.path)
      }
    }
  }

  // MARK: Files and folders

  func filesChanged(_ params: JSONValue) async {
    var changed: [FilePath] = []
    for uri in (params["changes"] ?? .null).elements.compactMap({ $0["uri"]?.string }) {
      let path = Workspace.path(of: uri)
      let name = "\(path.name)"
      let isIntrospection =
        path.isJSON && workspace.projects.values.contains { $0.origin.schemaPart(of: "\(path)") != nil }
      let isConfiguration = ProjectFile.isGraphQLConfig(name) || ProjectFile.unreadNames.contains(name)
      if isIntrospection || isConfiguration { return await reloadAll() }
      if workspace.open[path] == nil { changed.append(path) }
    }
    for path in changed {
      let isSchema = workspace.language(of: path) == .graphql
      let file = ProjectLoader.file(at: path, in: workspace.root(of: path), isSchema: isSchema)
      let isKnown = workspace.key(of: path) != nil
      guard isKnown || file != nil && belongsToAProject(path) else { continue }
      await update(file, at: path)
    }
  }

  private func belongsToAProject(_ path: FilePath) -> Bool {
    !workspace.keys(having: path).isEmpty || workspace.origin(of: path).origin.isDocument("\(path)")
  }

  func foldersChanged(_ params: JSONValue) async {
    func paths(_ name: String) -> [FilePath] {
      (params["event"]?[name] ?? .null).elements.compactMap { $0["uri"]?.string }
        .map(Workspace.path)
    }
    workspace.changeFolders(added: paths("added"), removed: Set(paths("removed")))
    await reloadAll()
    if client.refreshesDiagnostics { sendRequest("workspace/diagnostic/refresh", .null) }
  }
}
