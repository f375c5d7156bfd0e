import ApusJSON

/// What is still to be judged, and what was told of each file last.
struct Judge {
  /// By project.
  var pending: [Workspace.Key: Set<String>] = [:]
  /// The files that changed last; they are judged before the others.
  var first: [String] = []
  /// What the changes since have touched; it is judged before what was not looked at yet.
  var touched: Set<String> = []
  /// The number of the last change: what a run of an earlier one finds is old.
  var run = 0
  var task: Task<Void, Never>?
  /// The URIs of which something wrong was told.
  var told: Set<String> = []

  mutating func cancel() {
    task?.cancel()
    run += 1
    pending = [:]
    first = []
    touched = []
  }

  /// Takes files off the list.
  mutating func remove(_ paths: [String], of key: Workspace.Key) {
    pending[key]?.subtract(paths)
    touched.subtract(paths)
  }

  /// The next files to judge: those that changed, then open ones, then those that are touched, then the others, some at a
  /// time.
  func next(in workspace: Workspace) -> (key: Workspace.Key, paths: [String])? {
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
    return (key, Array(paths.prefix(256)))
  }
}

extension LanguageServer {
  /// Judges files behind what goes on. A client that pulls is told to ask again where more than the file itself is touched.
  func judgeAgain(_ files: Set<String>, of key: Workspace.Key, first: String?) {
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
    judge.run += 1
    judge.task?.cancel()
    if judge.task == nil { beginJudging() }
  }

  /// One run at a time, on threads of their own priority, so that no request waits for a thread. A run that is old by what
  /// changed meanwhile ends behind the files that it is at, and the next begins with all that is left.
  private func beginJudging() {
    let (run, snapshot, plan) = (judge.run, snapshot, judge)
    judge.task = begin(priority: .utility) { [self] in
      var plan = plan
      while !Task.isCancelled, let (key, paths) = plan.next(in: snapshot.workspace) {
        plan.remove(paths, of: key)
        guard let project = snapshot.workspace.projects[key] else { continue }
        let found = DiagnosticsFeature.diagnostics(of: paths, in: project, client: snapshot.client)
        guard await publish(found, of: project, key, paths, run: run) else { break }
      }
      await endJudging(run)
    }
  }

  private func endJudging(_ run: Int) {
    judge.task = nil
    if run != judge.run, phase == .running { beginJudging() }
  }

  /// Tells what was found; false where something has changed since.
  private func publish(
    _ found: [String: [JSONValue]], of project: Project, _ key: Workspace.Key, _ paths: [String], run: Int
  ) -> Bool {
    guard run == judge.run, phase == .running else { return false }
    judge.remove(paths, of: key)
    for path in paths {
      if let file = project.files[path] {
        publish(found[path] ?? [], for: file)
      } else if judge.told.contains(DocumentURI.of(path: path)) {
        notify("textDocument/publishDiagnostics", ["uri": JSONValue(DocumentURI.of(path: path)), "diagnostics": []])
        judge.told.remove(DocumentURI.of(path: path))
      }
    }
    return true
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
