import ApusExplorerText
import ApusJSON

/// Everything outside the state, as closures: the live one reaches a server and a cache, a test's one what it likes.
///
/// A closure that answers once returns its answer; one that answers in parts sends actions until it returns.
/// Cancelling the task that a closure runs in ends what it does, on the wire too.
package struct ExplorerWorld: Sendable {
  package typealias Send = @Sendable (Action) -> Void

  package struct Records: Sendable {
    package var entries: [RecordEntry]
    package var totalCount: Int
    package var totalBytes: Int
    /// What is to be known of them.
    package var note: String?

    package init(entries: [RecordEntry] = [], totalCount: Int = 0, totalBytes: Int = 0, note: String? = nil) {
      self.note = note
      self.entries = entries
      self.totalCount = totalCount
      self.totalBytes = totalBytes
    }
  }

  /// Sends `schemaLoaded`, twice where a kept one was shown before the server's came, or `schemaFailed`.
  package var loadSchema: @Sendable (SchemaRequest, Send) async -> Void = {
    $1(.schema(.failed("there is no server")))
  }
  package var run: @Sendable (RunRequest, Send) async -> Void = { _, _ in }
  /// Takes whom to tell what happens without having been asked for, such as a change of the cache.
  package var listen: @Sendable (@escaping Send) -> Void = { _ in }
  /// No tab shows the run any more.
  package var forgetRun: @Sendable (Int) -> Void = { _ in }
  package var loadPages: @Sendable (_ run: Int, PagesWanted, _ list: ResponsePath, Send) async -> Void = { _, _, _, _ in
  }
  package var offerPaging: @Sendable (TextBuffer, _ offset: Int) async -> [PagingOffer] = { _, _ in [] }
  package var search: @Sendable (String, SharedJSON) async -> (paths: [ResponsePath], isCut: Bool) = {
    ResponseSearcher.search($0, in: $1.value, hidden: $1.hidden)
  }
  /// The filter's results, one by itself, several as a list; or why there are none.
  package var filter: @Sendable (String, SharedJSON) async -> Result<JSONValue, WorldFailure> = { _, _ in
    .failure(WorldFailure("there is nothing to filter with"))
  }
  /// The file's name, or why it was not written.
  package var writeFile: @Sendable (_ name: String, _ text: String) async -> Result<String, WorldFailure> = { _, _ in
    .failure(WorldFailure("there is nowhere to write to"))
  }
  package var putOnClipboard: @Sendable (String) async -> ClipboardWay = { _ in .terminal }
  /// Opens a link; says why it was left where it could not.
  package var openLink: @Sendable (String) async -> String? = { _ in "There is no browser" }
  /// Records what arrives from now on in a file; with nil, no longer.
  package var record: @Sendable (_ path: String?) async -> Action = { _ in .operationFailed("Nothing can be recorded") }
  /// Writes a run to a recording; answers `exported`, or `operationFailed`.
  package var saveRun: @Sendable (_ run: Int, _ path: String) async -> Action = { _, path in
    .operationFailed("\(path) cannot be written")
  }
  package var readAgain: @Sendable (_ run: Int, Send) async -> Void = { _, _ in }
  package var measureCacheUse: @Sendable (_ run: Int) async -> CacheUse = { _ in CacheUse() }
  package var fetchAgain: @Sendable (_ run: Int, Send) async -> Void = { _, _ in }
  package var analyse: @Sendable (TextBuffer, _ version: Int) async -> TextAnalysis = { TextAnalysis(version: $1) }
  package var analyseVariables:
    @Sendable (TextBuffer, _ version: Int, _ query: TextBuffer, _ offset: Int) async -> TextAnalysis = {
      _, version, _, _ in
      TextAnalysis(version: version)
    }
  package var complete: @Sendable (TextBuffer, TextPosition) async -> [Completion] = { _, _ in [] }
  package var completeVariables:
    @Sendable (TextBuffer, TextPosition, _ query: TextBuffer, _ offset: Int) async -> [Completion] = { _, _, _, _ in []
    }
  package var answer: @Sendable (WritingQuestion) async -> WritingAnswer = { _ in .nothing("Nobody knows") }
  package var fillForm: @Sendable (FormQuestion) async -> [FormRow] = { _ in [] }
  /// `nil` when the text cannot be formatted, because it cannot be read.
  package var format: @Sendable (TextBuffer) async -> String? = { _ in nil }
  package var listRecords: @Sendable (RecordListing) async -> Records = { _ in Records() }
  package var openRecord: @Sendable (_ key: String, _ moment: CacheMoment?) async -> OpenedRecord? = { _, _ in nil }
  /// The record that a value of a run's response is in, and its field there.
  package var findRecord:
    @Sendable (_ run: Int, ResponsePath, CacheMoment?) async -> (record: String, field: String?)? = { _, _, _ in nil }
  /// The first place of a run's response that shows a record.
  package var findPlace: @Sendable (_ record: String, _ run: Int) async -> ResponsePath? = { _, _ in nil }
  /// What a change would touch, in words; `nil` when nobody knows.
  package var previewEdit: @Sendable (CacheEdit) async -> String? = { _ in nil }
  /// Looks at another program's cache, or, for `nil`, at the explorer's own again; answers `cacheOpened`, or
  /// `operationFailed`.
  package var openCache: @Sendable (ForeignCache?) async -> Action = { .cache(.opened($0)) }
  package var openWriteOfPart: @Sendable (_ part: Int, _ run: Int) async -> OpenedWrite? = { _, _ in nil }
  /// Makes a change and says what was done.
  package var editCache: @Sendable (CacheEdit) async throws -> String = { _ in "" }
  package var listWrites: @Sendable () async -> [WriteEntry] = { [] }
  package var openWrite: @Sendable (_ number: Int) async -> OpenedWrite? = { _ in nil }
  package var openWriteOf: @Sendable (_ record: String, _ field: String) async -> OpenedWrite? = { _, _ in nil }
  /// The endpoints that operations ran at lately, the newest first.
  package var recentEndpoints: @Sendable () async -> [PickerItem] = { [] }
  /// Goes to an endpoint by its name or URL; answers `connected`, or `operationFailed`.
  package var connect: @Sendable (String) async -> Action = { .operationFailed("there is no endpoint \($0)") }
  /// Runs the commands again that give the endpoint's credentials; answers `credentialsRenewed`, or `operationFailed`.
  package var renewCredentials: @Sendable () async -> Action = { .operationFailed("There are no credentials to renew") }
  /// Trusts the project's file of this digest and goes to its endpoint of this name; answers as `connect` does.
  package var trustProject: @Sendable (_ file: String, _ endpoint: String) async -> Action = { _, name in
    .operationFailed("there is no project with the endpoint \(name)")
  }
  /// Checks the endpoint against the specifications, until the last audit has ended.
  package var audit: @Sendable (@escaping @Sendable (AuditAnswer) -> Void) async -> Void = {
    $0(.ended("there is no server to audit"))
  }
  package var recordHistory: @Sendable (HistoryEntry) async -> Void = { _ in }
  package var searchHistory: @Sendable (String) async -> [PickerItem] = { _ in [] }
  package var historyEntry: @Sendable (Int) async -> HistoryEntry? = { _ in nil }
  /// Why the history could not be used, the first time that this is asked for after it could not.
  package var historyTrouble: @Sendable () -> String? = { nil }
  package var listFiles: @Sendable () async -> [PickerItem] = { [] }
  /// Answers `fileOpened`, or `operationFailed`.
  package var openFile: @Sendable (String) async -> Action = { .operationFailed("\($0) cannot be read") }
  /// Answers `fileSaved`, `fileChangedOutside` or `operationFailed`.
  package var saveFile:
    @Sendable (_ tab: Int, CollectionFile, _ query: String, _ variables: String, _ overwrites: Bool) async -> Action = {
      _, file, _, _, _ in .operationFailed("\(file.path) cannot be written")
    }
  package var writeTable: @Sendable (ResponseTable, ResponseTable.Format) async -> String = { _, _ in "" }
  package var writeRequest: @Sendable (ExchangedRequest, RequestForm) async -> WrittenRequest = { _, _ in
    WrittenRequest(text: "")
  }
  /// Reads whichever form a pasted request has; nil if it is none.
  package var importRequest: @Sendable (String) async -> ImportAnswer = { _ in .failed("Nothing is imported here") }
  /// Answers `exported`, `fileIsThere` or `operationFailed`.
  package var export: @Sendable (_ text: String, _ path: String, _ overwrites: Bool) async -> Action = { _, path, _ in
    .operationFailed("\(path) cannot be written")
  }
  /// Takes a changed workspace to be written soon; returns at once. Sends `operationFailed` when it begins to fail.
  package var keepWorkspace: @Sendable (Workspace, @escaping Send) -> Void = { _, _ in }
  /// Writes what is not written yet; the explorer ends behind it.
  package var finishKeeping: @Sendable () -> Void = {}
  /// Waits a while; returns early when cancelled. A test's clock never ticks.
  package var wait: @Sendable (Duration) async -> Void = { _ in
    let (stream, _) = AsyncStream<Never>.makeStream()
    for await _ in stream {}
  }

  package init() {}
}

/// Why something outside did not work, in one line.
package struct WorldFailure: Error, Equatable, Sendable, CustomStringConvertible {
  package var message: String
  package var description: String { message }

  package init(_ message: String) { self.message = message }
}
