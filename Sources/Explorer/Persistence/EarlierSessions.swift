import ApusConfiguration
import ApusExplorerCore
import ApusJSON
import ApusPlatform

/// The sessions of an endpoint that no explorer uses: `NAME` and `NAME~2` beside the open `NAME~3`.
extension SessionStore {
  /// Returns the sessions with their folders and the times of their last use, the last used one first.
  package func earlierSessions() -> [(folder: String, usedAt: Int, session: SavedSession)] {
    let mark = folder.lastIndex(of: "~")
    let isNumbered = mark.map { Int(folder[$0...].dropFirst()) != nil } ?? false
    let base = isNumbered ? String(folder[..<(mark ?? folder.endIndex)]) : folder
    let names = [base] + (2...99).map { "\(base)~\($0)" }
    return names.compactMap { name -> (folder: String, usedAt: Int, session: SavedSession)? in
      guard name != folder, let session = Self.unusedSession(in: name) else { return nil }
      var status = stat()
      let isKnown = stat("\(name)/workspace.json", &status) == 0
      return (name, isKnown ? Int(modificationTime(of: status).tv_sec) : 0, session)
    }.sorted { $0.usedAt > $1.usedAt }
  }

  /// Returns the session in a folder of the user; `nil` if there is none, or if an explorer uses it.
  private static func unusedSession(in folder: String) -> SavedSession? {
    let file = "\(folder)/workspace.json"
    do throws(ConfigurationError) {
      try UserFile.checkOwn(folder)
      try UserFile.checkOwn(file)
      let descriptor = ApusPlatform.open("\(folder)/lock", O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
      guard descriptor >= 0 else { return nil }
      defer { close(descriptor) }
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, let bytes = try UserFile.read(file, limit: sizeLimit),
        let json = try? JSONDocument(parsing: bytes).root, json["version"]?.int == SessionCoding.version,
        let session = SessionCoding.decode(json), !session.tabs.isEmpty
      else { return nil }
      return addResponses(to: session, from: folder)
    } catch {
      return nil
    }
  }
}

extension ExplorerEnvironment {
  /// Lists and opens the earlier sessions beside that of a store, once there is one.
  package mutating func openSessions(beside store: @escaping @Sendable () -> SessionStore?) {
    sessions.list = {
      let now = HostSystem.now()
      return store()?.earlierSessions().map { found in
        let titles = found.session.tabs.map { $0.title ?? "a tab without a name" }
        return PickerItem(
          id: found.folder, title: titles.joined(separator: ", "),
          detail: titles.count == 1 ? "1 tab" : "\(titles.count) tabs",
          note: RelativeAge.words(since: found.usedAt, now: now))
      } ?? []
    }
    sessions.open = { id in store()?.earlierSessions().first { $0.folder == id }?.session }
  }
}

extension SavedSession.Tab {
  /// The name of the tab, its file or its operation.
  fileprivate var title: String? {
    name ?? file?.path.split(separator: "/").last.map(String.init) ?? operations.lazy.compactMap(\.name).first
      ?? operations.first?.firstField
  }
}
