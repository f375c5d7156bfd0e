import ApusGraphQLProjects
import ApusJSON

/// What is still to be judged, and what was told of each file last.
struct Judge {
  /// By project.
  var pending: [Workspace.Key: Set<FilePath>] = [:]
  /// The files that changed last; they are judged before the others.
  var first: [FilePath] = []
  /// What the changes since have touched; it is judged before what was not looked at yet.
  var touched: Set<FilePath> = []
  /// The number of the last change: what was found before it is old.
  var change = 0
  /// Whether files are being judged, or are about to be.
  var isAtWork = false
  /// The URIs of which something wrong was told.
  var told: Set<String> = []

  mutating func cancel() {
    change += 1
    pending = [:]
    first = []
    touched = []
  }

  /// Takes files off the list.
  mutating func remove(_ paths: [FilePath], of key: Workspace.Key) {
    pending[key]?.subtract(paths)
    touched.subtract(paths)
  }

  /// The next files to judge: those that changed, then open ones, then those that are touched, then the others, some at a
  /// time.
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
  /// Judges files behind what goes on. A client that pulls is told to ask again where more than the file itself is touched.
  func judgeAgain(_ files: Set<FilePath>, of key: Workspace.Key, first: FilePath?) {
    if client.pullsDiagnostics {
      if client.refreshesDiagnostics, first == nil || files.count > 1 {
        ask("workspace/diagnostic/refresh", .null)
      }
      return
    }
    let own = files.filter { workspace.key(of: $0) == key }
    guard !own.isEmpty else { return }
    judge.pending[key, default: []].formUnion(own)
    if let first {
      judge.touched.formUnion(own)
      judge.first.removeAll { $0 == first }
      judge.first.insert(first, at: 0)
      judge.first = Array(judge.first.prefix(16))
    }
    judge.change += 1
    if !judge.isAtWork {
      judge.isAtWork = true
      begin(priority: .utility) { [self] in await judgePending() }
    }
  }

  /// Judges until nothing is left, on threads of their own priority, and only while the client waits for nothing, so that no
  /// request waits for a thread or a core. What a change has made old is not told, and judged again with the others.
  private nonisolated func judgePending() async {
    await waitForQuiet()
    while let portion = await nextPortion() {
      let found = DiagnosticsFeature.diagnostics(of: portion.paths, in: portion.project, client: portion.client)
      await publish(found, of: portion)
      await waitForQuiet()
    }
  }

  /// Some files of a project, as they were behind a change.
  private struct Portion {
    let key: Workspace.Key
    let paths: [FilePath]
    let project: Project
    let client: ClientFeatures
    let change: Int
  }

  private func nextPortion() -> Portion? {
    while phase == .running, !Task.isCancelled, let (key, paths) = judge.next(in: workspace) {
      if let project = workspace.projects[key] {
        return Portion(key: key, paths: paths, project: project, client: client, change: judge.change)
      }
      judge.remove(paths, of: key)
    }
    judge.isAtWork = false
    return nil
  }

  /// Waits until no request is under way and nothing came for two milliseconds: a letter that is typed comes with the
  /// question what can be written there. A second at most, for a client that never rests.
  private func waitForQuiet() async {
    let latest = ContinuousClock.now + .seconds(1)
    while !Task.isCancelled, ContinuousClock.now < latest {
      let rest = .milliseconds(2) - (isAnswering ? .zero : lastMessage.duration(to: .now))
      guard rest > .zero else { break }
      // Nothing happens when a client falls quiet: only the clock tells. Cancelled, this ends with the next look.
      try? await Task.sleep(for: rest)
    }
  }

  /// Tells what was found, unless something has changed since.
  private func publish(_ found: [FilePath: [JSONValue]], of portion: Portion) {
    guard portion.change == judge.change, phase == .running else { return }
    judge.remove(portion.paths, of: portion.key)
    for path in portion.paths {
      if let file = portion.project.files[path] {
        publish(found[path] ?? [], for: file)
      } else if judge.told.contains(DocumentURI.of(path: path)) {
        notify("textDocument/publishDiagnostics", ["uri": JSONValue(DocumentURI.of(path: path)), "diagnostics": []])
        judge.told.remove(DocumentURI.of(path: path))
      }
    }
  }

  /// Of a file that is not open and of which nothing is known, nothing is told.
  func publish(_ diagnostics: [JSONValue], for file: TextFile) {
    guard !client.pullsDiagnostics, file.isOpen || !diagnostics.isEmpty || judge.told.contains(file.uri) else { return }
    if diagnostics.isEmpty { judge.told.remove(file.uri) } else { judge.told.insert(file.uri) }
    var members: [(String, JSONValue)] = [("uri", JSONValue(file.uri))]
    if let version = file.version { members.append(("version", JSONValue(version))) }
    members.append(("diagnostics", .array(diagnostics)))
    notify("textDocument/publishDiagnostics", .object(members))
  }
}
