/// Work for the documents of the current folder.
package enum FileEffect: Equatable, Sendable {
  case list
  /// Finds the paths that continue one.
  case complete(String)
  case open(String)
  /// Checks whether another program changed a tab's file.
  case check(tab: Int, CollectionFile)
  case save(tab: Int, CollectionFile, query: String, variables: String, overwrites: Bool)

  private enum Key: Hashable {
    case files, check, paths
    case tab(Int)
  }

  var work: EffectWork {
    switch self {
    case .list: .start(Key.files) { $1(.file(.listed(await $0.files.list()))) }
    case .complete(let path):
      .start(Key.paths) { $1(.file(.pathsFound(await $0.files.complete(path), typed: path))) }
    case .open(let path): .start(Key.files) { $1(await $0.files.open(path)) }
    case .check(let tab, let held):
      .start(Key.check) { environment, send in
        if case .file(.opened(let file)) = await environment.files.open(held.path), file != held {
          send(.file(.differs(tab: tab, file)))
        }
      }
    case .save(let tab, let file, let query, let variables, let overwrites):
      .start(Key.tab(tab), .isFinishedFirst) {
        $1(await $0.files.save(tab, file, query, variables, overwrites))
      }
    }
  }
}

/// Access to files of the current folder.
package struct FileEnvironment: Sendable {
  package var list: @Sendable () async -> [PickerItem] = { [] }
  /// Returns the paths that continue one, with a slash after folders.
  package var complete: @Sendable (String) async -> [String] = { _ in [] }
  /// Returns `opened` or `operationFailed`.
  package var open: @Sendable (String) async -> Action = { .operationFailed("\($0) cannot be read") }
  /// Returns `saved`, `changedOutside` or `operationFailed`.
  package var save:
    @Sendable (_ tab: Int, CollectionFile, _ query: String, _ variables: String, _ overwrites: Bool) async -> Action = {
      _, file, _, _, _ in .operationFailed("\(file.path) cannot be written")
    }

  package init() {}
}
