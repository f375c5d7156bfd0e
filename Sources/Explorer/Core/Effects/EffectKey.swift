/// What an effect is about: of effects with one key one runs at a time, and cancelling goes by it.
enum EffectKey: Hashable {
  case schema, clock, analysis, variables, completion, format, writing, records, record, preview, eviction, writes,
    pages
  case events, layout, order, comparison, recordPlace, link, form, check, copying, importing, session
  case clipboard
  case reading(Int), measuring(Int), search, filter, export, connection, endpoints, historySearch, files
  case run(Int)
  case recording(String, Duration)
  case file(Int)
  case writtenFile(String)
  case answer

  /// Whether it is done before the explorer ends: a person counts on finding it again.
  var isFinishedFirst: Bool {
    switch self {
    case .file, .writtenFile, .recording, .clipboard: true
    case .schema, .clock, .analysis, .variables, .completion, .format, .writing, .records, .record, .preview, .eviction,
      .writes, .pages, .events, .layout, .order, .comparison, .recordPlace, .link, .form, .check, .copying, .importing,
      .session, .reading, .measuring, .search, .filter, .export, .connection, .endpoints, .historySearch, .files, .run,
      .answer:
      false
    }
  }

  /// Whether it asks the endpoint, or looks at what came from it.
  var isOfEndpoint: Bool {
    switch self {
    case .run, .pages, .reading, .measuring: true
    case .schema, .clock, .analysis, .variables, .completion, .format, .writing, .records, .record, .preview, .eviction,
      .writes, .events, .layout, .order, .comparison, .recordPlace, .link, .form, .check, .copying, .importing,
      .session, .clipboard, .search, .filter, .export, .connection, .endpoints, .historySearch, .files, .recording,
      .file, .writtenFile, .answer:
      false
    }
  }

  /// What never ends by itself keeps nobody from being idle.
  var isBackground: Bool { self == .clock }
}

/// Who does an effect, and how it stands to what is under way.
enum EffectCourse {
  case byScreen
  /// Waits until what has its key is done; of those that wait, the last is done.
  case start(EffectKey)
  /// Takes the place of what has its key.
  case restart(EffectKey)
  /// Ends what has its key.
  case cancel(EffectKey)
  /// Done at once, and by nobody else.
  case forgetRun(Int)
}

extension Effect {
  /// Whether another endpoint is open behind it.
  var leavesEndpoint: Bool {
    if case .connect = self { return true }
    if case .trustProject = self { return true }
    return false
  }

  var course: EffectCourse {
    switch self {
    case .screen: .byScreen
    case .loadSchema: .restart(.schema)
    case .run(let request): .start(.run(request.id))
    case .fetchAgain(let id): .start(.run(id))
    case .cancelRun(let id): .cancel(.run(id))
    case .forgetRun(let id): .forgetRun(id)
    case .startClock: .restart(.clock)
    case .stopClock: .cancel(.clock)
    case .loadPages, .offerPaging: .start(.pages)
    case .cancelPages: .cancel(.pages)
    case .readAgain(let id): .start(.reading(id))
    case .measureCacheUse(let id): .start(.measuring(id))
    case .search, .searchLines: .start(.search)
    case .filterEvents: .start(.events)
    case .layOut, .findPlace: .start(.layout)
    case .sortTable: .start(.order)
    case .findDifferences: .start(.comparison)
    case .copy, .handOn: .start(.copying)
    case .importRequest: .start(.importing)
    case .putOnClipboard: .start(.clipboard)
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
    case .editCache, .openCache: .start(.eviction)
    case .listWrites, .openWrite, .openWriteOf, .openWriteOfPart: .start(.writes)
    case .connect, .trustProject: .start(.connection)
    case .listEndpoints: .start(.endpoints)
    // Each is a thing of its own: none replaces another that waits.
    case .recordHistory(let entry): .start(.recording(entry.operation, entry.elapsed))
    case .searchHistory, .openHistory: .start(.historySearch)
    case .listFiles, .openFile: .start(.files)
    case .checkFile: .start(.check)
    case .saveFile(let tab, _, _, _, _): .start(.file(tab))
    case .export(_, let path, _), .exportResponse(_, let path): .start(.writtenFile(path))
    case .record: .start(.session)
    case .answer: .start(.answer)
    }
  }
}
