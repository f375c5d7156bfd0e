import ApusConfiguration
import ApusExplorerCore
import ApusJSON
import ApusPlatform
import ApusSecrets
import Synchronization

/// The folder of a saved session, used by one explorer at a time and written in the background after a change.
///
/// 1. `open` locks the free folder of an endpoint that was used last: `NAME`, or `NAME~2` if another explorer used that
///    one.
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
    /// The reason why nothing is written: the folder has a session of another format version.
    var unsupportedVersion: ConfigurationError?
  }

  /// The maximum size of a saved response.
  static let responseLimit = 4 << 20
  /// The maximum size of a saved session.
  static let sizeLimit = 64 << 20

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
    var isBesideAnother = false
    var free: (folder: String, lock: Int32, usedAt: timespec)?
    for number in 1...99 {
      let folder = number == 1 ? base : "\(base)~\(number)"
      // A new folder is needed only if all others are in use.
      if free != nil, access(folder, F_OK) != 0 { break }
      guard let descriptor = try lock(folder, in: folders) else {
        isBesideAnother = true
        continue
      }
      let usedAt = lastUse(of: folder)
      guard free.map({ ($0.usedAt.tv_sec, $0.usedAt.tv_nsec) < (usedAt.tv_sec, usedAt.tv_nsec) }) ?? true else {
        close(descriptor)
        continue
      }
      if let free { close(free.lock) }
      free = (folder, descriptor, usedAt)
    }
    guard let free else { throw ConfigurationError(file: base, "99 explorers are open on this endpoint") }
    return SessionStore(
      folder: free.folder, isBesideAnother: isBesideAnother, lock: free.lock, delay: delay, secrets: secrets)
  }

  /// Locks a folder, which is created if necessary; nil if another explorer uses it.
  private static func lock(_ folder: String, in folders: UserFolders) throws(ConfigurationError) -> Int32? {
    try UserFile.makeFolder(folder)
    // Another user could have written a session with requests to send.
    try UserFile.checkOwn("\(folders.state)/workspaces")
    try UserFile.checkOwn(folder)
    try UserFile.checkOwn("\(folder)/workspace.json")
    try UserFile.makePrivateFolder(folder)
    let descriptor = ApusPlatform.open(
      "\(folder)/lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    guard descriptor >= 0 else {
      throw ConfigurationError(file: "\(folder)/lock", "cannot be opened: \(String(cString: strerror(errno)))")
    }
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return descriptor }
    close(descriptor)
    return nil
  }

  /// The time of the last use of a folder's session; the beginning of time for a new folder.
  private static func lastUse(of folder: String) -> timespec {
    var status = stat()
    return stat("\(folder)/workspace.json", &status) == 0 ? modificationTime(of: status) : timespec()
  }

  /// Returns a unique folder name, `https___birds.example_graphql-…` with a hash for
  /// `https://ann@birds.example/graphql?key=x`. The parts of a URL that may be secret, before `@` and after `?`, are
  /// omitted.
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
  ///
  /// - Parameter files: The folder of the files that tabs were opened from, which are read again.
  package func restore(files: CollectionStore) -> SavedSession? {
    var session = restore()
    for index in session?.tabs.indices ?? 0..<0 {
      guard let path = session?.tabs[index].file?.path else { continue }
      session?.tabs[index].read(try? files.read(path))
    }
    return session
  }

  /// Returns the saved session; nil for a new one, or if the file cannot be read, in which case it is renamed. A file
  /// of another format version stays in place, and the session is not saved.
  package func restore() -> SavedSession? {
    let file = "\(folder)/workspace.json"
    let bytes = Result { try UserFile.read(file, limit: Self.sizeLimit) }
    if case .success(nil) = bytes { return nil }
    let json = (try? bytes.get()).flatMap { try? JSONDocument(parsing: $0).root }
    if let version = json?["version"]?.int, version != SessionCoding.version {
      let error = ConfigurationError(
        file: file, "another version of Apus wrote it (format \(version)); move it away to save tabs again")
      state.withLock { $0.unsupportedVersion = error }
      return nil
    }
    guard let json, let workspace = SessionCoding.decode(json) else {
      rename(file, "\(folder)/workspace.unreadable.json")
      return nil
    }
    let restored = Self.addResponses(to: workspace, from: folder)
    state.withLock { state in
      for tab in restored.tabs { state.writtenRuns[tab.id] = tab.response }
    }
    return restored
  }

  private func responseFile(_ tab: Int) -> String { Self.responseFile(tab, in: folder) }

  private static func responseFile(_ tab: Int, in folder: String) -> String { "\(folder)/response-\(tab).json" }

  /// Adds the saved responses to a session that has only the numbers of their runs. A response of another run is left out: the process
  /// ended between the writes of both files.
  static func addResponses(to session: SavedSession, from folder: String) -> SavedSession {
    var session = session
    for index in session.tabs.indices {
      guard let run = session.tabs[index].response?.run else { continue }
      let saved = readResponse(ofTab: session.tabs[index].id, in: folder)
      session.tabs[index].response = saved?.run == run ? saved : nil
    }
    return session
  }

  private static func readResponse(ofTab tab: Int, in folder: String) -> SavedResponse? {
    guard let bytes = try? UserFile.read(responseFile(tab, in: folder), limit: 2 * responseLimit),
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
    // The next explorer opens the session that was used last, not the one that was changed last.
    utimensat(AT_FDCWD, "\(folder)/workspace.json", nil, AT_SYMLINK_NOFOLLOW)
    flock(lock, LOCK_UN)
  }

  /// The error of the last write, if any.
  package var problem: ConfigurationError? { state.withLock { $0.problem } }

  private func write() {
    writing.withLock { _ in
      let (workspace, written, unsupportedVersion) = state.withLock { state in
        defer { state.newest = nil }
        return (state.newest, state.writtenRuns, state.unsupportedVersion)
      }
      guard let workspace else { return }
      do throws(ConfigurationError) {
        if let unsupportedVersion { throw unsupportedVersion }
        let (runs, refusal) = try writeResponses(of: workspace, written: written)
        let file = "\(folder)/workspace.json"
        let json = JSONWriter.prettyBytes(SessionCoding.encode(workspace.withoutSecrets(secrets)))
        guard let text = Redactor(values: secrets).written(json, isRequest: true) else {
          throw ConfigurationError(file: file, "a secret in it cannot be removed")
        }
        try UserFile.replace(file, with: text + [0x0A])
        state.withLock { state in
          state.writtenRuns = runs
          state.problem = refusal
        }
      } catch {
        state.withLock { $0.problem = error }
      }
    }
  }

  /// Returns the runs whose responses need no more writing, and the reason why one of them is not saved.
  private func writeResponses(
    of workspace: SavedSession, written: [Int: SavedResponse]
  ) throws(ConfigurationError) -> (runs: [Int: SavedResponse], refusal: ConfigurationError?) {
    var runs: [Int: SavedResponse] = [:]
    var refusal: ConfigurationError?
    for tab in workspace.tabs {
      guard let response = tab.response, response.data?.byteSize ?? 0 <= Self.responseLimit else { continue }
      if written[tab.id] == response {
        runs[tab.id] = response
        continue
      }
      // The tab may have been edited since the run.
      let redactor = Redactor(
        values: secrets, document: response.request?.draft.query.text ?? tab.query.buffer.text,
        variables: (try? JSONDocument(parsingRelaxed: response.request?.draft.variables.text ?? "").root) ?? .null,
        extensions: (try? JSONDocument(parsingRelaxed: tab.extensions.text).root) ?? .null)
      let json = redactor.json(SessionCoding.encode(response), keepsTypes: true)
      runs[tab.id] = response
      if let text = redactor.written(JSONWriter.compactBytes(json)) {
        try UserFile.replace(responseFile(tab.id), with: text)
      } else {
        unlink(responseFile(tab.id))
        refusal = ConfigurationError(
          file: responseFile(tab.id), "a secret in the response cannot be removed, so the response is not saved")
      }
    }
    for tab in written.keys where runs[tab] == nil { unlink(responseFile(tab)) }
    return (runs, refusal)
  }
}
