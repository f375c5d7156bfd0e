import ApusExplorerText
import ApusJSON

/// An event that `update` handles: user input, or a result from the environment.
package enum Action: Equatable, Sendable {
  case started
  /// An action from the environment of an endpoint, which may not be the one of the shown tab.
  indirect case from(EndpointID, Action)

  // User input
  case commandInvoked(Command)
  case textTyped(String)
  case vimPressed(VimKey)
  case textPasted(String)
  /// A click in the input line, after this number of UTF-8 bytes.
  case inputClicked(Int)
  case paneClicked(PaneID)
  case tabClicked(Int)
  case textClicked(PaneID, TextPosition, extending: Bool)
  case wordClicked(PaneID, TextPosition)
  case rowClicked(PaneID, row: Int, onFold: Bool)
  case popupRowClicked(Int)
  case scrolled(PaneID, lines: Int)
  case popupScrolled(lines: Int)
  case targetsLabeled([JumpTarget])
  /// The user dragged a divider: the change to the default size of the first pane, in percent of the screen.
  case widthDivided(Int)
  case heightDivided(Int)
  /// The visible part changed because the state or the size of the screen changed.
  case viewed(VisibleArea)
  /// The user returned after a period without input.
  case userReturned
  /// The terminal reported its background; `theme` suits it.
  case backgroundDetected(theme: Int)
  /// The terminal window gained or lost keyboard focus.
  case focusChanged(Bool)

  // Results from the environment for one feature
  case schema(SchemaAction)
  case text(EditorAction)
  case run(Int, RunAction)
  case reading(ResponseAction)
  case cache(CacheAction)
  case file(FileAction)
  case history(HistoryAction)
  case session(SessionAction)
  case audit(Int, AuditAction)
  case requests(RequestsAction)

  // Results from the environment for several features
  /// Includes the saved session of the endpoint if no endpoint was open before.
  case connected(EndpointChoice, SavedSession? = nil)
  /// Responses of these runs may be outdated.
  case cacheChanged(runs: [Int])
  case editPreviewed(CacheEdit, String)
  case formFilled([FormRow], FormRequest)
  case writingAnswered(LanguageServiceAction)
  case pagingOffered([PagingOffer])
  /// The environment needs a confirmation before it continues.
  case confirmationRequested(ConfirmationPopup)
  case productionRunConfirmed(ShownRun)
  /// The user confirmed that typed text is lost.
  case quitConfirmed
  /// A run from another endpoint is to be repeated at the open one.
  case runElsewhereConfirmed(HistoryEntry)
  /// The tab goes to the endpoint of this name or URL.
  case endpointConfirmed(String, tab: Int)
  /// The user declined to open the endpoint of an imported request.
  case importedEndpointDeclined(EndpointID)
  case uploadConfirmed(RunRequest)
  case auditConfirmed
  case withheldHeadersAnswered(WithheldHeaders, sends: Bool)
  /// A value was formatted as text to copy.
  case valueWritten(String, reason: String? = nil)
  /// A pasted text or a named file was read for import.
  case requestImported(ImportResult)
  /// Text that was pasted into the query was read as requests of other programs.
  case importOffered(ImportResult, of: String)
  case importDeclined(String)
  case linkCopied(String, reason: String)
  case textCopied(String, ClipboardMethod, reason: String?)

  case credentialsRenewed
  case signIn(SignInAction)

  // Notifications
  /// Follows the action that the receipt belongs to. The receipt is dropped once that action has been handled; the
  /// state does not change.
  case receiptReleased(FlowControlReceipt)
  case fileWritten(String)
  case exported(String)
  /// A file with this name exists, so the text was not written.
  case fileExists(String, text: String)
  /// Recording to this file started; nil if the recording stopped.
  case recordingChanged(String?)
  /// A note about the records of the shown cache.
  case recordsNoted(String)
  case operationFailed(String)
}

extension Action {
  /// Whether the action is about the endpoint whose environment sends it.
  var isAboutEndpoint: Bool {
    switch self {
    case .schema, .cache, .audit, .cacheChanged, .credentialsRenewed, .signIn: true
    case .started, .from, .commandInvoked, .textTyped, .vimPressed, .textPasted, .inputClicked, .paneClicked,
      .tabClicked,
      .textClicked, .wordClicked, .rowClicked, .popupRowClicked, .scrolled, .popupScrolled, .targetsLabeled,
      .widthDivided, .heightDivided, .viewed, .userReturned, .backgroundDetected, .focusChanged, .text, .run, .reading,
      .file, .history, .session, .requests, .connected, .editPreviewed, .formFilled, .writingAnswered, .pagingOffered,
      .confirmationRequested,
      .productionRunConfirmed, .quitConfirmed, .runElsewhereConfirmed, .endpointConfirmed, .importedEndpointDeclined,
      .uploadConfirmed,
      .auditConfirmed, .withheldHeadersAnswered, .valueWritten, .requestImported, .importOffered, .importDeclined,
      .linkCopied, .textCopied, .receiptReleased, .fileWritten, .exported, .fileExists, .recordingChanged,
      .recordsNoted,
      .operationFailed:
      false
    }
  }
}

/// An action about a run. It goes to the tab of the run, whether that tab is shown or not.
package enum RunAction: Equatable, Sendable {
  case started(OperationInfo)
  case resultReceived(RunResult)
  case trafficObserved(Traffic)
  case completed
  case failed(RunError)
  /// Whether each event matches the filter, by payload index.
  case eventsFiltered([Int: Bool], version: Int)
  case clockTicked(Duration)
  case cacheUseFound(CacheUsage)
  /// The response shows the requested record at this path.
  case recordPathFound(ResponsePath)
  case pageReceived(RunResult)
  case pagesCompleted
  case pagesFailed(String)
  case pagesReset(RunResult)
  /// A run was reread from the cache after a change to its data. `fetchesLoss` reports that evicted data is
  /// to be refetched.
  case cacheRead(RunResult, fetchesLoss: Bool)
  /// The run uploads files that the user has not allowed yet; nothing was sent.
  case uploadAsked([UploadCandidate])
  /// A note about the run or the source of its results.
  case noted(String)
}

/// The result of a background computation on the shown response.
package enum ResponseAction: Equatable, Sendable {
  case matchesFound([ResponsePath], isCut: Bool, version: Int)
  case filtered(VisibleJSON, version: Int)
  case filterFailed(String, version: Int)
  case laidOut(RawJSONText, line: Int, version: Int)
  case linesFound([Int], isCut: Bool, version: Int)
  /// A line of the formatted text has this response path.
  case pathFound(ResponsePath, copies: Bool)
  case tableSorted([Int], version: Int)
  case differencesFound([ValueChange], version: Int)
}

package enum EditorAction: Equatable, Sendable {
  case analysed(PaneID, EditorAnalysis)
  case completionsFound([Completion], PaneID, version: Int, isAsked: Bool)
  case formatted(String, version: Int)
  case editedExternally(PaneID, String)
}

/// An action about the files of a collection.
package enum FileAction: Equatable, Sendable {
  case listed([PickerItem])
  /// The paths that continue the one in an input line.
  case pathsFound([String], typed: String)
  case opened(CollectionFile)
  case saved(tab: Int, CollectionFile)
  /// The file of a tab differs from the content that was read before.
  case differs(tab: Int, CollectionFile)
  case changedOutside(tab: Int, CollectionFile)
}

package enum HistoryAction: Equatable, Sendable {
  /// A run was added to the history.
  case recorded
  case found([PickerItem], filter: String)
  case opened(HistoryEntry, HistoryPurpose)
  case endpointsFound([PickerItem])
  /// The history was cleared of a number of runs.
  case cleared(Int)
}
