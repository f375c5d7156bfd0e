import ApusExplorerText
import ApusJSON

/// An effect that the screen performs itself, because it owns the terminal.
package enum ScreenEffect: Equatable, Sendable {
  case writeClipboard(String)
  /// Opens text in `$EDITOR` and reads it back.
  case editExternally(PaneID, String)
  /// Opens a response in `$EDITOR` and ignores any changes.
  case readExternally(VisibleJSON)
  case captureMouse(Bool)
  /// Shows a desktop notification.
  case notify(String)
  /// Labels everything that can be clicked.
  case labelPlaces
  /// Suspends the explorer and returns the terminal to the shell until the job is continued.
  case suspend
}

/// Work to be done outside the loop, as a value that tests compare and `EffectRunner` performs.
package enum Effect: Equatable, Sendable {
  case screen(ScreenEffect)
  /// An effect at an endpoint that may not be the one of the shown tab.
  indirect case at(EndpointID, Effect)
  case loadSchema(SchemaRequest)
  case run(RunRequest)
  case cancelRun(Int)
  /// Releases a run that no tab shows anymore.
  case forgetRun(Int)
  /// Ticks while a run is active, to update its elapsed time.
  case startClock(run: Int)
  case stopClock
  case loadPages(run: Int, PageRequest, of: ResponsePath)
  case cancelPages(run: Int)
  case search(String, VisibleJSON, version: Int)
  /// Finds the events of a run that contain a string.
  case filterEvents(String, [EventLine], run: Int, version: Int)
  case filter(String, VisibleJSON, version: Int)
  /// Formats a response as text and finds the line of a path in it.
  case formatJSON(VisibleJSON, at: ResponsePath, version: Int)
  case searchLines(String, RawJSONText, version: Int)
  case findPlace(RawJSONText, line: Int, copies: Bool)
  case sortTable(ResponseTable, version: Int)
  /// Compares a response with an earlier one.
  case findDifferences(VisibleJSON, VisibleJSON, version: Int)
  /// Copies text to the clipboard; `reason` replaces the default notice.
  case putOnClipboard(String, reason: String? = nil)
  /// Opens a link in the browser.
  case openLink(String)
  /// Writes a table to a file in the current directory.
  case exportTable(ResponseTable, as: ResponseTable.Format)
  /// Copies the rows of a table to the clipboard.
  case copyTable(ResponseTable, as: ResponseTable.Format)
  /// Writes a timeline to a file in the current directory.
  case exportTimeline(Timeline, as: Timeline.Format)
  /// Finds lists of the operation under the cursor that could be paged if the query selected a few more fields.
  case suggestPaging(TextBuffer, offset: Int)
  /// Rereads the operation of a run from the cache after a change to records that it depends on.
  case reread(run: Int)
  /// Counts the fields that a run read from the cache and from the network.
  case measureCacheUse(run: Int)
  /// Refetches a run from the server because the cache no longer holds all of its data.
  case refetch(run: Int)
  case analyse(TextBuffer, version: Int)
  case analyseVariables(TextBuffer, version: Int, query: TextBuffer, offset: Int)
  case complete(TextBuffer, at: TextPosition, version: Int, isAsked: Bool)
  case format(TextBuffer, version: Int)
  /// Completes the variables with the query that they are for.
  case completeVariables(TextBuffer, at: TextPosition, version: Int, query: TextBuffer, offset: Int, isAsked: Bool)
  case completeHeaders(TextBuffer, at: TextPosition, version: Int, isAsked: Bool)
  case queryLanguageService(LanguageServiceRequest)
  case fillForm(FormRequest)
  case listRecords(RecordListing)
  case openRecord(String, at: CacheRevision?)
  /// Finds the record that contains a value of a run's response.
  case findRecord(run: Int, ResponsePath, at: CacheRevision?)
  /// Finds the location of a record in a run's response.
  case findRecordPlace(String, run: Int)
  case previewEdit(CacheEdit)
  case openCache(ExternalCache?)
  case openWriteOfPart(Int, run: Int)
  case editCache(CacheEdit)
  case listWrites
  case openWrite(Int)
  /// Opens the newest write that changed a field.
  case openWriteOf(record: String, field: String)
  /// Formats a value as text and copies it.
  case copy(VisibleJSON)
  /// Opens an endpoint by its name or URL. `restoring` is the URL that it had in a saved session.
  case connect(String, restoring: String? = nil)
  /// No tab uses the endpoint any more.
  case closeEndpoint
  /// Runs the commands that supply the endpoint's credentials again.
  case renewCredentials
  /// Lists the recently used endpoints.
  case listEndpoints
  /// Trusts the project file with this digest and opens its endpoint.
  case trustProject(String, endpoint: String)
  /// Checks the endpoint against the specifications.
  case audit(Int)
  case cancelAudit
  case recordHistory(HistoryEntry)
  case searchHistory(String)
  case openHistory(Int, HistoryPurpose)
  case listFiles
  case openFile(String)
  /// Checks whether another program changed a tab's file.
  case checkFile(tab: Int, CollectionFile)
  case saveFile(tab: Int, CollectionFile, query: String, variables: String, overwrites: Bool)
  case export(String, to: String, overwrites: Bool)
  /// Exports a request as text and copies it.
  case copyRequest(PortableRequest, as: RequestFormat, reason: String? = nil)
  /// Parses a pasted request.
  case importRequest(String)
  /// Parses requests that were pasted into the query, to offer their import.
  case offerImport(of: String)
  /// Records incoming responses to a file; nil stops the recording.
  case record(to: String?)
  /// Formats a response as text and writes it to a file.
  case exportResponse(VisibleJSON, to: String)
  /// Writes the events of a subscription to a file, one per line.
  case exportEvents([VisibleJSON], to: String)
  /// Writes a run that has ended to a recording.
  case saveRun(Int, to: String)
  /// Sends back an action that the user confirmed and only `update` can perform.
  case confirm(ConfirmedAction)

  package enum ConfirmedAction: Equatable, Sendable {
    case productionRunConfirmed
    case runElsewhereConfirmed(HistoryEntry)
    case endpointConfirmed(String, tab: Int)
    /// The files of the request may be uploaded.
    case uploadConfirmed(RunRequest)
    /// The pasted requests are imported.
    case importConfirmed(ImportResult)
    /// The requests of an audit may be sent.
    case auditConfirmed
    /// The user decided whether the withheld headers are sent.
    case withheldHeadersAnswered(WithheldHeaders, sends: Bool)
  }
}

extension Effect {
  /// The scheduling of the effect at an endpoint.
  func scheduling(at endpoint: EndpointID) -> EffectScheduling {
    switch self {
    case .screen: .byScreen
    case .at(let endpoint, let effect): effect.scheduling(at: endpoint)
    case .loadSchema: .restart(.schema(endpoint))
    case .run(let request): .start(.run(request.id))
    case .refetch(let id): .start(.run(id))
    case .cancelRun(let id): .cancel(.run(id))
    case .forgetRun(let id): .immediately { $0.forgetRun(id) }
    case .startClock: .restart(.clock, .isBackground)
    case .stopClock: .cancel(.clock)
    case .loadPages(let id, _, _): .start(.pages(id))
    case .cancelPages(let id): .cancel(.pages(id))
    case .suggestPaging: .start(.pagingOffers)
    case .reread(let id): .start(.reading(id))
    case .measureCacheUse(let id): .start(.measuring(id))
    case .search, .searchLines: .start(.search)
    case .filterEvents: .start(.events)
    case .formatJSON, .findPlace: .start(.layout)
    case .sortTable: .start(.order)
    case .findDifferences: .start(.comparison)
    case .copy, .copyTable, .copyRequest: .start(.copying)
    case .importRequest, .offerImport: .start(.importing)
    case .putOnClipboard: .start(.clipboard, .isFinishedFirst)
    case .openLink: .start(.link)
    case .fillForm: .start(.form)
    case .filter: .start(.filter)
    case .exportTable, .exportTimeline: .start(.export)
    case .analyse: .start(.analysis)
    case .analyseVariables: .start(.variables)
    case .complete, .completeVariables, .completeHeaders: .start(.completion)
    case .queryLanguageService: .start(.writing)
    case .format: .start(.format)
    case .listRecords: .start(.records)
    case .openRecord: .start(.record)
    case .findRecord, .findRecordPlace: .start(.recordPlace)
    case .previewEdit: .start(.preview)
    // Every change to the cache is made, in order.
    case .editCache, .openCache: .start(.eviction(endpoint), .isQueued)
    case .listWrites, .openWrite, .openWriteOf, .openWriteOfPart: .start(.writes)
    case .connect, .trustProject: .start(.connection(endpoint))
    case .closeEndpoint: .close
    case .renewCredentials: .start(.credentials(endpoint))
    case .listEndpoints: .start(.endpoints)
    case .audit: .restart(.audit(endpoint))
    case .cancelAudit: .cancel(.audit(endpoint))
    // Every run is recorded, so none replaces another one that waits.
    case .recordHistory(let entry): .start(.recording(entry.operation, entry.elapsed), .isFinishedFirst)
    case .searchHistory, .openHistory: .start(.historySearch)
    case .listFiles, .openFile: .start(.files)
    case .checkFile: .start(.check)
    case .saveFile(let tab, _, _, _, _): .start(.file(tab), .isFinishedFirst)
    case .export(_, let path, _), .exportResponse(_, let path), .exportEvents(_, let path), .saveRun(_, let path):
      .start(.writtenFile(path), .isFinishedFirst)
    case .record: .start(.session)
    case .confirm: .start(.answer)
    }
  }

  /// The traits of an effect that runs in a task; none for the others.
  func traits(at endpoint: EndpointID) -> EffectTraits {
    switch scheduling(at: endpoint) {
    case .start(_, let traits), .restart(_, let traits): traits
    case .byScreen, .immediately, .cancel, .close: []
    }
  }

  /// Whether the effect is finished before the explorer exits.
  var isFinishedFirst: Bool { traits(at: .first).contains(.isFinishedFirst) }

  /// The run that the effect is about; it belongs to an endpoint for as long as a tab has it.
  var run: Int? {
    switch self {
    case .cancelRun(let id), .forgetRun(let id), .refetch(let id), .reread(let id), .measureCacheUse(let id),
      .loadPages(let id, _, _), .findRecord(let id, _, _), .findRecordPlace(_, let id), .openWriteOfPart(_, let id),
      .saveRun(let id, _):
      id
    case .screen, .at, .loadSchema, .run, .startClock, .stopClock, .cancelPages, .search, .filterEvents, .filter,
      .formatJSON, .searchLines, .findPlace, .sortTable, .findDifferences, .putOnClipboard, .openLink, .exportTable,
      .exportTimeline, .suggestPaging, .analyse, .analyseVariables, .complete, .format, .completeVariables,
      .completeHeaders, .queryLanguageService,
      .fillForm, .listRecords, .openRecord, .previewEdit, .openCache, .editCache, .listWrites, .openWrite,
      .openWriteOf, .copy, .copyTable, .connect, .closeEndpoint, .renewCredentials, .listEndpoints, .trustProject,
      .audit,
      .cancelAudit, .recordHistory, .searchHistory, .openHistory, .listFiles, .openFile, .checkFile, .saveFile,
      .export, .copyRequest, .importRequest, .offerImport, .record, .exportResponse, .exportEvents, .confirm:
      nil
    }
  }
}
