import ApusGraphQLProjects
import ApusJSON

/// The files to be validated, and the files with published diagnostics.
struct DiagnosticsQueue {
  /// The files to be validated, by project.
  var pending: [Workspace.Key: Set<FilePath>] = [:]
  /// The files that changed last, which are validated first.
  var first: [FilePath] = []
  /// The files affected by changes. They are validated before files that were never validated.
  var touched: Set<FilePath> = []
  /// The number of the last change. Diagnostics computed before it are outdated.
  var change = 0
  /// Whether validation is running or scheduled.
  var isAtWork = false
  /// The URIs with published diagnostics.
  var reported: Set<String> = []

  mutating func cancel() {
    change += 1
    pending = [:]
    first = []
    touched = []
  }

  mutating func remove(_ paths: [FilePath], of key: Workspace.Key) {
    pending[key]?.subtract(paths)
    touched.subtract(paths)
  }

  /// Returns the next files to validate: changed files, then open ones, then affected ones, then the others in batches.
  func next(in workspace: Workspace) -> (key: Workspace.Key, paths: [FilePath])? {
    for path in first {
      if let (key, _) = pending.first(where: { $0.value.contains(path) }) { return (key, [path]) }
    }
    for (key, paths) in pending {
      let open = paths.filter { workspace.open[$0] != nil }
      if !open.isEmpty { return (key, Array(open)) }
    }
    for (key, paths) in pending {
      let touched = paths.intersection(touched)
      if !touched.isEmpty { return (key, Array(touched.prefix(256))) }
    }
    guard let (key, paths) = pending.first(where: { !$0.value.isEmpty }) else { return nil }
    return (key, Array(paths.prefix(64)))
  }
}

extension LanguageServer {
  /// Schedules validation in the background. A client that pulls diagnostics is asked to refresh if other files are
  /// affected.
  func scheduleDiagnostics(_ files: Set<FilePath>, of key: Workspace.Key, first: FilePath?) {
    if client.pullsDiagnostics {
      if client.refreshesDiagnostics, first == nil || files.count > 1 {
        sendRequest("workspace/diagnostic/refresh", .null)
      }
      return
    }
    let projectFiles = files.filter { workspace.key(of: $0) == key && workspace.hasDiagnostics($0) }
    guard !projectFiles.isEmpty else { return }
    diagnosticsQueue.pending[key, default: []].formUnion(projectFiles)
    if let first {
      diagnosticsQueue.touched.formUnion(projectFiles)
      diagnosticsQueue.first.removeAll { $0 == first }
      diagnosticsQueue.first.insert(first, at: 0)
      diagnosticsQueue.first = Array(diagnosticsQueue.first.prefix(16))
    }
    diagnosticsQueue.change += 1
    if !diagnosticsQueue.isAtWork {
      diagnosticsQueue.isAtWork = true
      begin(priority: .utility) { [self] in await validatePending() }
    }
  }

  /// Validates files until none is left, in low-priority tasks and only while no request is pending, so that requests
  /// do not wait. Outdated results are discarded, and their files validated again.
  private nonisolated func validatePending() async {
    await waitForQuiet()
    while let portion = await nextPortion() {
      let found = DiagnosticsFeature.diagnostics(of: portion.paths, in: portion.project, client: portion.client)
      await publish(found, of: portion)
      await waitForQuiet()
    }
  }

  /// A batch of files of a project, as of a change.
  private struct DiagnosticsBatch {
    let key: Workspace.Key
    let paths: [FilePath]
    let project: Project
    let client: ClientCapabilities
    let change: Int
  }

  private func nextPortion() -> DiagnosticsBatch? {
    while phase == .running, !Task.isCancelled, let (key, paths) = diagnosticsQueue.next(in: workspace) {
      if let project = workspace.projects[key] {
        return DiagnosticsBatch(
          key: key, paths: paths, project: project, client: client, change: diagnosticsQueue.change)
      }
      diagnosticsQueue.remove(paths, of: key)
    }
    diagnosticsQueue.isAtWork = false
    return nil
  }

  /// Waits until no request is pending and no message arrived for two milliseconds, because editors send a completion
  /// request after each typed character. Waits at most a second, for busy clients.
  private func waitForQuiet() async {
    let latest = ContinuousClock.now + .seconds(1)
    while !Task.isCancelled, ContinuousClock.now < latest {
      let rest = .milliseconds(2) - (isAnswering ? .zero : lastMessage.duration(to: .now))
      guard rest > .zero else { break }
      // There is no event for a quiet client, so this polls. After cancellation the loop ends.
      try? await Task.sleep(for: rest)
    }
  }

  /// Publishes diagnostics, unless something has changed since.
  private func publish(_ found: [FilePath: [JSONValue]], of portion: DiagnosticsBatch) {
    guard portion.change == diagnosticsQueue.change, phase == .running else { return }
    diagnosticsQueue.remove(portion.paths, of: portion.key)
    for path in portion.paths {
      if let file = portion.project.files[path] {
        publish(found[path] ?? [], for: file)
      } else if diagnosticsQueue.reported.contains(DocumentURI.of(path: path)) {
        notify("textDocument/publishDiagnostics", ["uri": JSONValue(DocumentURI.of(path: path)), "diagnostics": []])
        diagnosticsQueue.reported.remove(DocumentURI.of(path: path))
      }
    }
  }

  /// Publishes the diagnostics of a file. Files that are closed and have no diagnostics, published or new, are skipped.
  func publish(_ diagnostics: [JSONValue], for file: TextFile) {
    guard !client.pullsDiagnostics, file.isOpen || !diagnostics.isEmpty || diagnosticsQueue.reported.contains(file.uri)
    else {
      return
    }
    if diagnostics.isEmpty {
      diagnosticsQueue.reported.remove(file.uri)
    } else {
      diagnosticsQueue.reported.insert(file.uri)
    }
    var members: [(String, JSONValue)] = [("uri", JSONValue(file.uri))]
    if let version = file.version { members.append(("version", JSONValue(version))) }
    members.append(("diagnostics", .array(diagnostics)))
    notify("textDocument/publishDiagnostics", .object(members))
  }
}
