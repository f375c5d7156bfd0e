import ApusConfiguration
import ApusExplorerCore
import ApusJSON
import ApusPlatform
import ApusSecrets
import Synchronization

/// The folder of a saved session, used by one explorer at a time and written in the background after a change.
///
/// 1. `open` locks the first free folder of an endpoint: `NAME`, or `NAME~2` if another explorer uses that one.
/// 2. `keep` receives each change. The newest state is written half a second after the first change, so that a crash
///    loses at most half a second of work, and an idle explorer does no work.
/// 3. `finish` writes the remaining changes and unlocks the folder before the program ends.
///
/// The lock is a kernel lock on a file in the folder. It ends with the process.
package final class SessionStore: Sendable {
  private struct State {
    var newest: SavedSession?
    var isScheduled = false
    var isFinished = false
    /// The runs whose responses are on disk, by tab.
    var writtenRuns: [Int: SavedResponse] = [:]
    var problem: ConfigurationError?
  }

  /// The maximum size of a saved response.
  static let responseLimit = 4 << 20

  package let folder: String
  /// Whether another explorer uses the endpoint's first folder.
  package let isBesideAnother: Bool
  private let lock: Int32
  private let delay: Duration
  private let secrets: SecretValues?
  private let state = Mutex(State())
  /// Serializes writes.
  private let writing = Mutex(())

  private init(folder: String, isBesideAnother: Bool, lock: Int32, delay: Duration, secrets: SecretValues?) {
    self.secrets = secrets
    self.folder = folder
    self.isBesideAnother = isBesideAnother
    self.lock = lock
    self.delay = delay
  }

  deinit { close(lock) }

  /// Opens the session of a name (of a profile, or a URL).
  package static func open(
    _ name: String, in folders: UserFolders = UserFolders(), secrets: SecretValues? = nil,
    delay: Duration = .milliseconds(500)
  ) throws(ConfigurationError) -> SessionStore {
    let base = "\(folders.state)/workspaces/\(folderName(of: name))"
    for number in 1...99 {
      let folder = number == 1 ? base : "\(base)~\(number)"
      try UserFile.makePrivateFolder(folder)
      let descriptor = ApusPlatform.open("\(folder)/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else {
        throw ConfigurationError(file: "\(folder)/lock", "cannot be opened: \(String(cString: strerror(errno)))")
      }
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 {
        return SessionStore(
          folder: folder, isBesideAnother: number > 1, lock: descriptor, delay: delay, secrets: secrets)
      }
      close(descriptor)
    }
    throw ConfigurationError(file: base, "99 explorers are open on this endpoint")
  }

  /// Returns a unique folder name. The parts of a URL that may be secret, before `@` and after `?`, are omitted.
  static func folderName(of name: String) -> String {
    var shown = name[...]
    if let query = shown.firstIndex(of: "?") { shown = shown[..<query] }
    if let scheme = shown.firstRange(of: "://") {
      let rest = shown[scheme.upperBound...]
      let host = rest.prefix { $0 != "/" }
      if let at = host.lastIndex(of: "@") { shown = shown[..<scheme.upperBound] + rest[rest.index(after: at)...] }
    }
    // FNV-1a is stable between runs.
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in shown.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    let words = shown.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "." || $0 == "-") ? $0 : "_" }
    return "\(String(words.prefix(60)))-\(String(hash, radix: 16))"
  }

  // MARK: Reading

  /// Returns the saved session; nil for a new one, or if the file cannot be read, in which case it is renamed.
  package func restore() -> SavedSession? {
    let file = "\(folder)/workspace.json"
    let bytes = Result { try UserFile.read(file, limit: 64 << 20) }
    if case .success(nil) = bytes { return nil }
    guard let bytes = try? bytes.get(), let json = try? JSONDocument(parsing: bytes).root,
      var workspace = SessionCoding.decode(json)
    else {
      rename(file, "\(folder)/workspace.unreadable.json")
      return nil
    }
    for index in workspace.tabs.indices {
      guard let savedView = workspace.tabs[index].response else { continue }
      let saved = readResponse(ofTab: workspace.tabs[index].id)
      workspace.tabs[index].response = saved == savedView || saved?.run == savedView.run ? saved : nil
    }
    let restored = workspace
    state.withLock { state in
      for tab in restored.tabs { state.writtenRuns[tab.id] = tab.response }
    }
    return restored
  }

  private func responseFile(_ tab: Int) -> String { "\(folder)/response-\(tab).json" }

  private func readResponse(ofTab tab: Int) -> SavedResponse? {
    guard let bytes = try? UserFile.read(responseFile(tab), limit: 2 * Self.responseLimit),
      let json = try? JSONDocument(parsing: bytes).root
    else { return nil }
    return SessionCoding.decodeResponse(json)
  }

  // MARK: Writing

  /// Schedules a session to be saved. The first of consecutive errors is reported.
  package func scheduleSave(
    _ workspace: SavedSession, onProblem: @escaping @Sendable (ConfigurationError) -> Void = { _ in }
  ) {
    let starts = state.withLock { state in
      if state.isFinished { return false }
      state.newest = workspace
      defer { state.isScheduled = true }
      return !state.isScheduled
    }
    guard starts else { return }
    Task { [self] in
      // The task also writes changes made while it waits or writes.
      repeat {
        try? await Task.sleep(for: delay)
        let before = problem
        write()
        if let problem, before == nil { onProblem(problem) }
      } while hasMore()
    }
  }

  private func hasMore() -> Bool {
    state.withLock { state in
      state.isScheduled = state.newest != nil && !state.isFinished
      return state.isScheduled
    }
  }

  /// Writes the remaining changes and unlocks the folder. Later changes are ignored, because another explorer may use
  /// it.
  package func finish() {
    state.withLock { $0.isFinished = true }
    write()
    flock(lock, LOCK_UN)
  }

  /// The error of the last write, if any.
  package var problem: ConfigurationError? { state.withLock { $0.problem } }

  private func write() {
    writing.withLock { _ in
      let (workspace, written) = state.withLock { state in
        defer { state.newest = nil }
        return (state.newest, state.writtenRuns)
      }
      guard let workspace else { return }
      do throws(ConfigurationError) {
        let runs = try writeResponses(of: workspace, written: written)
        let text = JSONWriter.pretty(SessionCoding.encode(workspace.withoutSecrets(secrets))) + "\n"
        try UserFile.replace("\(folder)/workspace.json", with: text.utf8)
        state.withLock { state in
          state.writtenRuns = runs
          state.problem = nil
        }
      } catch {
        state.withLock { $0.problem = error }
      }
    }
  }

  private func writeResponses(
    of workspace: SavedSession, written: [Int: SavedResponse]
  ) throws(ConfigurationError) -> [Int: SavedResponse] {
    var runs: [Int: SavedResponse] = [:]
    for tab in workspace.tabs {
      guard let response = tab.response, response.data?.byteSize ?? 0 <= Self.responseLimit else { continue }
      runs[tab.id] = response
      if written[tab.id] == response { continue }
      // The tab may have been edited since the run.
      let redactor = Redactor(
        values: secrets, document: response.request?.text ?? tab.query.buffer.text,
        variables: (try? JSONDocument(parsingRelaxed: response.request?.variables ?? "").root) ?? .null)
      let json = redactor.json(SessionCoding.encode(response), keepsTypes: true)
      try UserFile.replace(responseFile(tab.id), with: JSONWriter.compactBytes(json))
    }
    for tab in written.keys where runs[tab] == nil { unlink(responseFile(tab)) }
    return runs
  }
}
