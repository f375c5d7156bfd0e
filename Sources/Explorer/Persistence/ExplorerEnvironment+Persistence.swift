import ApusConfiguration
import ApusExplorerCore
import ApusPlatform
import Synchronization

/// The first error of a store, reported once.
private final class FirstErrorReporter: Sendable {
  private let state = Mutex<(reason: String?, isKnown: Bool)>((nil, false))

  /// Runs an operation of the store. Returns nil if it fails.
  func noting<Result>(_ body: () async throws -> Result) async -> Result? {
    do {
      return try await body()
    } catch {
      state.withLock { if !$0.isKnown { $0 = ("\(error)", true) } }
      return nil
    }
  }

  func dequeue() -> String? {
    state.withLock { state in
      defer { state.reason = nil }
      return state.reason
    }
  }
}

/// Access to the folders of the user and the project.
extension ExplorerEnvironment {
  /// Saves the session in the folder of a store, once there is one.
  package mutating func saveSession(in store: @escaping @Sendable () -> SessionStore?) {
    keepWorkspace = { workspace, send in
      store()?.scheduleSave(workspace) { send(.operationFailed(Self.notKept($0))) }
    }
    finishSaving = { store()?.finish() }
    openSessions(beside: store)
  }

  /// Describes an error, with the reason first because the line may be too short for the path.
  package static func notKept(_ error: ConfigurationError) -> String {
    "Cannot save the session: \(error.message) (\(error.file))"
  }

  /// Reads a history, and records requests in it unless the user turned that off.
  package mutating func attachHistory(in store: HistoryStore, records: Bool = true) {
    // A history that cannot be written must not affect requests.
    let trouble = FirstErrorReporter()
    if records { history.record = { entry in await trouble.noting { try await store.record(entry) } } }
    history.clear = { await trouble.noting { try await store.clear() } }
    history.search = { text in
      let now = HostSystem.now()
      let found = await trouble.noting { try await store.search(text, limit: HistoryFold.searchLimit) } ?? []
      return HistoryFold.folds(of: found, matching: text).map { $0.item(now: now) }
    }
    history.endpoints = {
      let now = HostSystem.now()
      return (await trouble.noting { try await store.endpoints() } ?? []).map {
        PickerItem(id: $0.url, title: $0.url, note: RelativeAge.words(since: $0.time, now: now))
      }
    }
    history.entry = { id in await trouble.noting { try await store.entry(id) }.flatMap { $0 } }
    history.trouble = { trouble.dequeue() }
  }

  /// Opens and saves documents in a folder.
  package mutating func openFiles(in store: CollectionStore) {
    files.list = { store.files() }
    files.complete = { store.paths(continuing: $0) }
    files.open = { path in
      do throws(ConfigurationError) {
        return .file(.opened(try store.read(path)))
      } catch {
        return .operationFailed("\(error)")
      }
    }
    files.save = { tab, file, query, variables, overwrites in
      do throws(ConfigurationError) {
        switch try store.write(file, query: query, variables: variables, overwrites: overwrites) {
        case .saved(let file): return .file(.saved(tab: tab, file))
        case .changedOutside: return .file(.changedOutside(tab: tab, file))
        }
      } catch {
        return .operationFailed("\(error)")
      }
    }
    exports.export = { text, path, overwrites in
      do throws(ConfigurationError) {
        let isWritten = try store.export(text, to: path, overwrites: overwrites)
        return isWritten ? .exported(path) : .fileExists(path, text: text)
      } catch {
        return .operationFailed("\(error)")
      }
    }
  }
}

/// Properties of the host system.
package enum HostSystem {
  /// Seconds since 1970.
  package static func now() -> Int { Int(time(nil)) }

  package static var workingFolder: String {
    guard let path = getcwd(nil, 0) else { return "." }
    defer { free(path) }
    return String(cString: path)
  }
}
