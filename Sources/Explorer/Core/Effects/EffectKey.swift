/// What an effect is about: of effects with one key one runs at a time, and cancelling goes by it.
enum EffectKey: Hashable {
  case schema, clock, analysis, variables, completion, format, writing, records, record, preview, eviction, writes,
    pages
  case events, layout, order, link, form, check, copying, session
  case reading(Int), measuring(Int), search, filter, export, connection, historySearch, files
  case run(Int)
  case recording(String, Duration)
  case file(Int)
  case writtenFile(String)
  case answer

  /// Whether it is done before the explorer ends: a person counts on finding it again.
  var isFinishedFirst: Bool {
    switch self {
    case .file, .writtenFile, .recording: true
    default: false
    }
  }

  /// What never ends by itself keeps nobody from being idle.
  var isBackground: Bool { self == .clock }
}

extension Effect {
  var key: EffectKey {
    switch self {
    case .loadSchema: .schema
    case .run(let request): .run(request.id)
    case .cancelRun(let id), .fetchAgain(let id), .forgetRun(let id): .run(id)
    case .startClock, .stopClock, .writeClipboard, .editExternally, .readExternally, .captureMouse, .labelPlaces,
      .suspend:
      .clock
    case .loadPages, .cancelPages, .offerPaging: .pages
    case .readAgain(let id): .reading(id)
    case .measureCacheUse(let id): .measuring(id)
    case .search, .searchLines: .search
    case .filterEvents: .events
    case .layOut, .findPlace: .layout
    case .sortTable: .order
    case .copy: .copying
    case .openLink: .link
    case .fillForm: .form
    case .filter: .filter
    case .exportTable: .export
    case .analyse: .analysis
    case .analyseVariables: .variables
    case .complete, .completeVariables: .completion
    case .ask: .writing
    case .format: .format
    case .listRecords: .records
    case .openRecord: .record
    case .previewEdit: .preview
    case .editCache, .openCache: .eviction
    case .listWrites, .openWrite, .openWriteOf, .openWriteOfPart: .writes
    case .connect, .trustProject: .connection
    // Each is a thing of its own: none replaces another that waits.
    case .recordHistory(let entry): .recording(entry.operation, entry.elapsed)
    case .searchHistory, .openHistory: .historySearch
    case .listFiles, .openFile: .files
    case .checkFile: .check
    case .saveFile(let tab, _, _, _, _): .file(tab)
    case .export(_, let path), .exportResponse(_, let path): .writtenFile(path)
    case .record: .session
    case .answer: .answer
    }
  }
}
