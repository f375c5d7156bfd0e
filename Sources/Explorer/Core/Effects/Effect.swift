import ApusExplorerText
import ApusJSON

/// What the screen does itself, for it has the terminal.
package enum ScreenEffect: Equatable, Sendable {
  case writeClipboard(String)
  /// Hands a text to `$EDITOR`, and takes it back.
  case editExternally(PaneID, String)
  /// Lets `$EDITOR` show a response; what it makes of it is not taken back.
  case readExternally(SharedJSON)
  case captureMouse(Bool)
  /// Tells the person something on the desktop.
  case notify(String)
  /// Labels all that can be clicked.
  case labelPlaces
  /// Leaves the terminal to the shell until the job is continued.
  case suspend
}

/// Something to be done outside the loop, as a value: tests compare it, `EffectRunner` does it.
package enum Effect: Equatable, Sendable {
  case screen(ScreenEffect)
  case loadSchema(SchemaRequest)
  case run(RunRequest)
  case cancelRun(Int)
  /// No tab shows the run any more.
  case forgetRun(Int)
  /// Ticks while a run is active, so that its time moves.
  case startClock(run: Int)
  case stopClock
  case loadPages(run: Int, PagesWanted, of: ResponsePath)
  case cancelPages
  case search(String, SharedJSON, version: Int)
  /// Looks which events of a run have a text.
  case filterEvents(String, [EventLine], run: Int, version: Int)
  case filter(String, SharedJSON, version: Int)
  /// Lays a response out as text, and finds the line of a path in it.
  case layOut(SharedJSON, at: ResponsePath, version: Int)
  case searchLines(String, RawText, version: Int)
  case findPlace(RawText, line: Int, copies: Bool)
  case sortTable(ResponseTable, version: Int)
  /// Compares a response with an earlier one.
  case findDifferences(SharedJSON, SharedJSON, version: Int)
  /// Puts a text on the person's clipboard; `reason` replaces the usual notice.
  case putOnClipboard(String, reason: String? = nil)
  /// Opens a link in the person's browser.
  case openLink(String)
  /// Writes a table to a file in the folder that the program was started in.
  case exportTable(ResponseTable, as: ResponseTable.Format)
  /// The same of a waterfall.
  case exportWaterfall(Waterfall, as: Waterfall.Format)
  /// Looks for lists of the operation under the cursor that would have pages if the query asked for a little more.
  case offerPaging(TextBuffer, offset: Int)
  /// Reads the operation of a run again from the cache, because records that it read have changed.
  case readAgain(run: Int)
  /// Counts what a run took from the cache and what from the network.
  case measureCacheUse(run: Int)
  /// Fetches it again from the server, because the cache no longer holds all of it.
  case fetchAgain(run: Int)
  case analyse(TextBuffer, version: Int)
  case analyseVariables(TextBuffer, version: Int, query: TextBuffer, offset: Int)
  case complete(TextBuffer, at: TextPosition, version: Int, isAsked: Bool)
  case format(TextBuffer, version: Int)
  /// Of the variables, with the query that they are for.
  case completeVariables(TextBuffer, at: TextPosition, version: Int, query: TextBuffer, offset: Int, isAsked: Bool)
  case ask(WritingQuestion)
  case fillForm(FormQuestion)
  case listRecords(RecordListing)
  case openRecord(String, at: CacheMoment?)
  /// Looks for the record that a value of a run's response is in.
  case findRecord(run: Int, ResponsePath, at: CacheMoment?)
  /// Looks for a record in a run's response.
  case findRecordPlace(String, run: Int)
  case previewEdit(CacheEdit)
  case openCache(ForeignCache?)
  case openWriteOfPart(Int, run: Int)
  case editCache(CacheEdit)
  case listWrites
  case openWrite(Int)
  /// The newest write that changed a field.
  case openWriteOf(record: String, field: String)
  /// Writes a value as text, and copies that.
  case copy(SharedJSON)
  /// Goes to another endpoint.
  case connect(String)
  /// Runs the commands again that give the endpoint's credentials.
  case renewCredentials
  /// The endpoints that were open lately.
  case listEndpoints
  /// Trusts the project's file of this digest, and goes to its endpoint.
  case trustProject(String, endpoint: String)
  /// Checks the endpoint against the specifications.
  case audit(Int)
  case cancelAudit
  case recordHistory(HistoryEntry)
  case searchHistory(String)
  case openHistory(Int, HistoryPurpose)
  case listFiles
  case openFile(String)
  /// Looks whether a tab's file is still as it was.
  case checkFile(tab: Int, CollectionFile)
  case saveFile(tab: Int, CollectionFile, query: String, variables: String, overwrites: Bool)
  case export(String, to: String, overwrites: Bool)
  /// Writes a request as others take it, and copies that.
  case handOn(ExchangedRequest, as: RequestForm, reason: String? = nil)
  /// Reads a request that was pasted.
  case importRequest(String)
  /// Records what arrives in a file; with nil, no longer.
  case record(to: String?)
  /// Writes a response as text, and that to a file.
  case exportResponse(SharedJSON, to: String)
  /// Writes the events of a subscription, a line each.
  case exportEvents([SharedJSON], to: String)
  /// Writes a run that is over to a recording.
  case saveRun(Int, to: String)
  /// Sends an action back: what a question was about and only the state can do.
  case answer(Answer)

  package enum Answer: Equatable, Sendable {
    case productionRunConfirmed
    case runElsewhereConfirmed(HistoryEntry)
    /// The files of the request may go along.
    case uploadConfirmed(RunRequest)
    /// The requests of an audit may be sent.
    case auditConfirmed
    /// Whether the headers that are withheld are sent after all.
    case withheldHeadersAnswered(WithheldHeaders, sends: Bool)
  }
}

extension Effect {
  var scheduling: EffectScheduling {
    switch self {
    case .screen: .byScreen
    case .loadSchema: .restart(.schema)
    case .run(let request): .start(.run(request.id), .usesEndpoint)
    case .fetchAgain(let id): .start(.run(id), .usesEndpoint)
    case .cancelRun(let id): .cancel(.run(id))
    case .forgetRun(let id): .immediately { $0.forgetRun(id) }
    case .startClock: .restart(.clock, .isBackground)
    case .stopClock: .cancel(.clock)
    case .loadPages, .offerPaging: .start(.pages, .usesEndpoint)
    case .cancelPages: .cancel(.pages)
    case .readAgain(let id): .start(.reading(id), .usesEndpoint)
    case .measureCacheUse(let id): .start(.measuring(id), .usesEndpoint)
    case .search, .searchLines: .start(.search)
    case .filterEvents: .start(.events)
    case .layOut, .findPlace: .start(.layout)
    case .sortTable: .start(.order)
    case .findDifferences: .start(.comparison)
    case .copy, .handOn: .start(.copying)
    case .importRequest: .start(.importing)
    case .putOnClipboard: .start(.clipboard, .isFinishedFirst)
    case .openLink: .start(.link)
    case .fillForm: .start(.form)
    case .filter: .start(.filter)
    case .exportTable, .exportWaterfall: .start(.export)
    case .analyse: .start(.analysis)
    case .analyseVariables: .start(.variables)
    case .complete, .completeVariables: .start(.completion)
    case .ask: .start(.writing)
    case .format: .start(.format)
    case .listRecords: .start(.records)
    case .openRecord: .start(.record)
    case .findRecord, .findRecordPlace: .start(.recordPlace)
    case .previewEdit: .start(.preview)
    // Each change of the cache is done, in its turn.
    case .editCache, .openCache: .start(.eviction, .isQueued)
    case .listWrites, .openWrite, .openWriteOf, .openWriteOfPart: .start(.writes)
    case .connect, .trustProject: .start(.connection, .leavesEndpoint)
    case .renewCredentials: .start(.credentials)
    case .listEndpoints: .start(.endpoints)
    case .audit: .restart(.audit, .usesEndpoint)
    case .cancelAudit: .cancel(.audit)
    // Each run is recorded: none replaces another that waits.
    case .recordHistory(let entry): .start(.recording(entry.operation, entry.elapsed), .isFinishedFirst)
    case .searchHistory, .openHistory: .start(.historySearch)
    case .listFiles, .openFile: .start(.files)
    case .checkFile: .start(.check)
    case .saveFile(let tab, _, _, _, _): .start(.file(tab), .isFinishedFirst)
    case .export(_, let path, _), .exportResponse(_, let path), .exportEvents(_, let path), .saveRun(_, let path):
      .start(.writtenFile(path), .isFinishedFirst)
    case .record: .start(.session)
    case .answer: .start(.answer)
    }
  }

  /// The traits of an effect that runs in a task; none for the others.
  var traits: EffectTraits {
    switch scheduling {
    case .start(_, let traits), .restart(_, let traits): traits
    case .byScreen, .immediately, .cancel: []
    }
  }

  var leavesEndpoint: Bool { traits.contains(.leavesEndpoint) }
}
