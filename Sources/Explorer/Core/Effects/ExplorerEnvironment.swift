import ApusExplorerText
import ApusJSON

/// The explorer's access to the outside, as closures. The live environment reaches a server and a cache; tests provide
/// their own closures.
///
/// A closure with one result returns it. A closure with several results sends actions until it returns. Canceling the
/// task of a closure ends its work, including its network requests.
package struct ExplorerEnvironment: Sendable {
  package typealias Send = @Sendable (Action) -> Void

  package struct RecordPage: Sendable {
    package var entries: [RecordEntry]
    package var totalCount: Int
    package var totalBytes: Int
    /// Additional information about the records.
    package var note: String?

    package init(entries: [RecordEntry] = [], totalCount: Int = 0, totalBytes: Int = 0, note: String? = nil) {
      self.note = note
      self.entries = entries
      self.totalCount = totalCount
      self.totalBytes = totalBytes
    }
  }

  /// Sends `loaded`, twice if a saved schema was shown before the server's arrived, or `failed`.
  package var loadSchema: @Sendable (SchemaRequest, Send) async -> Void = {
    $1(.schema(.failed("there is no server")))
  }
  package var run: @Sendable (RunRequest, Send) async -> Void = { _, _ in }
  /// Sets the receiver of actions that no effect requested, such as changes to the cache.
  package var listen: @Sendable (@escaping Send) -> Void = { _ in }
  /// Releases a run that no tab shows anymore.
  package var forgetRun: @Sendable (Int) -> Void = { _ in }
  package var loadPages: @Sendable (_ run: Int, PageRequest, _ list: ResponsePath, Send) async -> Void = { _, _, _, _ in
  }
  package var offerPaging: @Sendable (TextBuffer, _ offset: Int) async -> [PagingOffer] = { _, _ in [] }
  package var search: @Sendable (String, VisibleJSON) async -> (paths: [ResponsePath], isCut: Bool) = {
    ResponseSearcher.search($0, in: $1.value, hidden: $1.hidden)
  }
  /// Returns the filter's result, as a list if there are several values, or the reason for a failure.
  package var filter: @Sendable (String, VisibleJSON) async -> Result<JSONValue, EnvironmentError> = { _, _ in
    .failure(EnvironmentError("no filter is available"))
  }
  /// Returns the name of the written file or the reason for a failure.
  package var writeFile: @Sendable (_ name: String, _ text: String) async -> Result<String, EnvironmentError> = {
    _, _ in
    .failure(EnvironmentError("files cannot be written"))
  }
  package var putOnClipboard: @Sendable (String) async -> ClipboardMethod = { _ in .terminal }
  /// Opens a link; returns the reason if that is not possible.
  package var openLink: @Sendable (String) async -> String? = { _ in "No browser is available" }
  /// Records incoming responses to a file; nil stops the recording.
  package var record: @Sendable (_ path: String?) async -> Action = { _ in .operationFailed("Nothing can be recorded") }
  /// Writes a run to a recording; returns `exported` or `operationFailed`.
  package var saveRun: @Sendable (_ run: Int, _ path: String) async -> Action = { _, path in
    .operationFailed("\(path) cannot be written")
  }
  package var readAgain: @Sendable (_ run: Int, Send) async -> Void = { _, _ in }
  package var measureCacheUse: @Sendable (_ run: Int) async -> CacheUsage = { _ in CacheUsage() }
  package var fetchAgain: @Sendable (_ run: Int, Send) async -> Void = { _, _ in }
  package var analyse: @Sendable (TextBuffer, _ version: Int) async -> EditorAnalysis = { EditorAnalysis(version: $1) }
  package var analyseVariables:
    @Sendable (TextBuffer, _ version: Int, _ query: TextBuffer, _ offset: Int) async -> EditorAnalysis = {
      _, version, _, _ in
      EditorAnalysis(version: version)
    }
  package var complete: @Sendable (TextBuffer, TextPosition) async -> [Completion] = { _, _ in [] }
  package var completeVariables:
    @Sendable (TextBuffer, TextPosition, _ query: TextBuffer, _ offset: Int) async -> [Completion] = { _, _, _, _ in []
    }
  package var answer: @Sendable (LanguageServiceRequest) async -> LanguageServiceAction = { _ in
    .nothing("No language service is available")
  }
  package var fillForm: @Sendable (FormRequest) async -> [FormRow] = { _ in [] }
  /// Returns `nil` if the text has syntax errors and cannot be formatted.
  package var format: @Sendable (TextBuffer) async -> String? = { _ in nil }
  package var listRecords: @Sendable (RecordListing) async -> RecordPage = { _ in RecordPage() }
  package var openRecord: @Sendable (_ key: String, _ revision: CacheRevision?) async -> RecordDetail? = { _, _ in nil }
  /// Returns the record that contains a value of a run's response, and the field of the value in it.
  package var findRecord:
    @Sendable (_ run: Int, ResponsePath, CacheRevision?) async -> (record: String, field: String?)? = { _, _, _ in nil }
  /// Returns the first path in a run's response that shows a record.
  package var findPlace: @Sendable (_ record: String, _ run: Int) async -> ResponsePath? = { _, _ in nil }
  /// Describes the consequences of an edit; `nil` if they are unknown.
  package var previewEdit: @Sendable (CacheEdit) async -> String? = { _ in nil }
  /// Opens another program's cache or, for `nil`, the explorer's own; returns `opened` or `operationFailed`.
  package var openCache: @Sendable (ExternalCache?) async -> Action = { .cache(.opened($0)) }
  package var openWriteOfPart: @Sendable (_ part: Int, _ run: Int) async -> CacheWriteDetail? = { _, _ in nil }
  /// Performs an edit and describes the result.
  package var editCache: @Sendable (CacheEdit) async throws -> String = { _ in "" }
  package var listWrites: @Sendable () async -> [CacheWriteEntry] = { [] }
  package var openWrite: @Sendable (_ number: Int) async -> CacheWriteDetail? = { _ in nil }
  package var openWriteOf: @Sendable (_ record: String, _ field: String) async -> CacheWriteDetail? = { _, _ in nil }
  /// Returns the recently used endpoints, newest first.
  package var recentEndpoints: @Sendable () async -> [PickerItem] = { [] }
  /// Opens an endpoint by name or URL. For one of a saved session, the URL that it had then is given too.
  package var connect: @Sendable (_ word: String, _ restoring: String?) async -> EndpointAnswer = { word, _ in
    .operationFailed("there is no endpoint \(word)")
  }
  /// Runs the commands that supply the endpoint's credentials again; returns `credentialsRenewed` or `operationFailed`.
  package var renewCredentials: @Sendable () async -> Action = { .operationFailed("There are no credentials to renew") }
  /// Trusts the project file with this digest and opens its endpoint of this name; returns the same
  /// as `connect`.
  package var trustProject: @Sendable (_ file: String, _ endpoint: String) async -> EndpointAnswer = { _, name in
    .operationFailed("there is no project with the endpoint \(name)")
  }
  /// Checks the endpoint against the specifications; returns when the last audit has ended.
  package var audit: @Sendable (@escaping @Sendable (AuditAction) -> Void) async -> Void = {
    $0(.ended("there is no server to audit"))
  }
  package var recordHistory: @Sendable (HistoryEntry) async -> Void = { _ in }
  package var searchHistory: @Sendable (String) async -> [PickerItem] = { _ in [] }
  package var historyEntry: @Sendable (Int) async -> HistoryEntry? = { _ in nil }
  /// Returns the reason why the history could not be used, once per failure; otherwise nil.
  package var historyTrouble: @Sendable () -> String? = { nil }
  package var listFiles: @Sendable () async -> [PickerItem] = { [] }
  /// Returns `opened` or `operationFailed`.
  package var openFile: @Sendable (String) async -> Action = { .operationFailed("\($0) cannot be read") }
  /// Returns `saved`, `changedOutside` or `operationFailed`.
  package var saveFile:
    @Sendable (_ tab: Int, CollectionFile, _ query: String, _ variables: String, _ overwrites: Bool) async -> Action = {
      _, file, _, _, _ in .operationFailed("\(file.path) cannot be written")
    }
  package var writeTable: @Sendable (ResponseTable, ResponseTable.Format) async -> String = { _, _ in "" }
  package var writeRequest: @Sendable (PortableRequest, RequestFormat) async -> WrittenRequest = { _, _ in
    WrittenRequest(text: "")
  }
  /// Parses a pasted request in any supported format.
  package var importRequest: @Sendable (String) async -> ImportResult = { _ in .failed("Requests cannot be imported") }
  /// Returns `exported`, `fileIsThere` or `operationFailed`.
  package var export: @Sendable (_ text: String, _ path: String, _ overwrites: Bool) async -> Action = { _, path, _ in
    .operationFailed("\(path) cannot be written")
  }
  /// Schedules a changed session to be saved soon and returns immediately. Sends `operationFailed` when saving
  /// starts to fail.
  package var keepWorkspace: @Sendable (SavedSession, @escaping Send) -> Void = { _, _ in }
  /// Saves everything that is still pending, before the explorer exits.
  package var finishSaving: @Sendable () -> Void = {}
  /// Waits for a duration; returns early if the task is canceled. In tests the clock never ticks.
  package var wait: @Sendable (Duration) async -> Void = { _ in
    let (stream, _) = AsyncStream<Never>.makeStream()
    for await _ in stream {}
  }

  package init() {}
}

/// A one-line description of why an operation of the environment failed.
package struct EnvironmentError: Error, Equatable, Sendable, CustomStringConvertible {
  package var message: String
  package var description: String { message }

  package init(_ message: String) { self.message = message }
}

/// The result of opening an endpoint.
package enum EndpointAnswer: Sendable {
  /// The endpoint is open. The saved session is given for the first endpoint; the environment is the one of the endpoint,
  /// if it differs from the one that opened it.
  case connected(EndpointChoice, SavedSession? = nil, ExplorerEnvironment? = nil)
  /// A question must be answered first.
  case confirmationRequested(ConfirmationPopup)
  case operationFailed(String)
}
