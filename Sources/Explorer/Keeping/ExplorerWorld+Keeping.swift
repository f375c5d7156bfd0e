import ApusConfiguration
import ApusExplorerCore
import ApusPlatform
import Synchronization

/// What first went wrong with something that is kept, to be told once.
private final class FirstTrouble: Sendable {
  private let state = Mutex<(reason: String?, isKnown: Bool)>((nil, false))

  /// Does something; nil where it fails.
  func noting<Result>(_ body: () async throws -> Result) async -> Result? {
    do {
      return try await body()
    } catch {
      state.withLock { if !$0.isKnown { $0 = ("\(error)", true) } }
      return nil
    }
  }

  func take() -> String? {
    state.withLock { state in
      defer { state.reason = nil }
      return state.reason
    }
  }
}

/// The folders of a person and a project, as the explorer's world reaches them.
extension ExplorerWorld {
  /// The world with its workspace kept in a folder, as soon as there is one.
  package mutating func keepWorkspace(in store: @escaping @Sendable () -> WorkspaceStore?) {
    keepWorkspace = { workspace, send in
      store()?.keep(workspace) { send(.operationFailed(Self.notKept($0))) }
    }
    finishKeeping = { store()?.finish() }
  }

  /// The reason first: a line may have no room for the folder.
  package static func notKept(_ error: ConfigurationError) -> String {
    "Nothing is kept for the next time: \(error.message) (\(error.file))"
  }

  /// The world with what ran kept in a history.
  package mutating func keepHistory(in store: HistoryStore) {
    // A history that cannot be written must not stand in the way of what ran.
    let trouble = FirstTrouble()
    recordHistory = { entry in await trouble.noting { try await store.record(entry) } }
    searchHistory = { text in
      let now = Host.now()
      return (await trouble.noting { try await store.search(text) } ?? []).map { $0.item(now: now) }
    }
    recentEndpoints = {
      let now = Host.now()
      return (await trouble.noting { try await store.endpoints() } ?? []).map {
        PickerItem(id: $0.url, title: $0.url, note: Age.words(since: $0.time, now: now))
      }
    }
    historyEntry = { id in await trouble.noting { try await store.entry(id) }.flatMap { $0 } }
    historyTrouble = { trouble.take() }
  }

  /// The world with the documents of a folder.
  package mutating func openFiles(in store: CollectionStore) {
    listFiles = { store.files() }
    openFile = { path in
      do throws(ConfigurationError) {
        return .file(.opened(try store.read(path)))
      } catch {
        return .operationFailed("\(error)")
      }
    }
    saveFile = { tab, file, query, variables, overwrites in
      do throws(ConfigurationError) {
        switch try store.write(file, query: query, variables: variables, overwrites: overwrites) {
        case .saved(let file): return .file(.saved(tab: tab, file))
        case .changedOutside: return .file(.changedOutside(tab: tab, file))
        }
      } catch {
        return .operationFailed("\(error)")
      }
    }
    export = { text, path, overwrites in
      do throws(ConfigurationError) {
        let isWritten = try store.export(text, to: path, overwrites: overwrites)
        return isWritten ? .exported(path) : .fileIsThere(path, text: text)
      } catch {
        return .operationFailed("\(error)")
      }
    }
  }
}

/// What is asked of the system that the explorer runs on.
package enum Host {
  /// Seconds since 1970.
  package static func now() -> Int { Int(time(nil)) }

  package static var workingFolder: String {
    guard let path = getcwd(nil, 0) else { return "." }
    defer { free(path) }
    return String(cString: path)
  }
}
