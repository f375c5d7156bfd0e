import Synchronization

/// Does effects, each in a task that is registered before it starts, so that "nothing is under way" is knowable.
///
/// - Of effects about the same thing (the analysis of a text, the list of records) one runs at a time, and of those that
///   came meanwhile only the last: an answer that would be thrown away is never computed.
/// - What never ends by itself (the clock) runs in the background: it does not keep anyone from being idle.
package final class EffectRunner: Sendable {
  private enum Key: Hashable {
    case schema, clock, analysis, variables, completion, format, writing, records, record, preview, eviction, writes,
      pages
    case events, layout, order, link, form, check, copying, session
    case reading(Int), measuring(Int), search, filter, export, connection, historySearch, files
    case run(Int)
    case recording(String, Duration)
    case file(Int)
    case writtenFile(String)
    case answer
  }

  private struct State {
    var tasks: [Key: (id: Int, task: Task<Void, Never>)] = [:]
    var waiting: [Key: [Effect]] = [:]
    var foreground = 0
    var lastID = 0
    var isStopped = false
  }

  private let world: ExplorerWorld
  private let send: ExplorerWorld.Send
  private let onSettled: @Sendable () -> Void
  private let state = Mutex(State())

  /// `onSettled` is called each time the last task in the foreground has ended, after all that it sent.
  package init(
    world: ExplorerWorld, send: @escaping ExplorerWorld.Send, onSettled: @escaping @Sendable () -> Void = {}
  ) {
    self.world = world
    self.send = send
    self.onSettled = onSettled
    world.listen(send)
  }

  package var isSettled: Bool { state.withLock { $0.foreground == 0 } }

  package func run(_ effect: Effect) {
    switch effect {
    case .writeClipboard, .editExternally, .readExternally, .captureMouse, .labelPlaces, .suspend: break
    case .cancelRun(let id): cancel(.run(id))
    case .forgetRun(let id): world.forgetRun(id)
    case .cancelPages: cancel(.pages)
    case .stopClock: cancel(.clock)
    case .startClock:
      cancel(.clock)
      start(effect, .clock)
    default: start(effect, key(of: effect))
    }
  }

  /// Ends what is under way and takes nothing more. What a person counts on to find again is done first: a file that is
  /// saved while the explorer is quit, and what ran.
  package func stop() async {
    let tasks = state.withLock { state in
      state.isStopped = true
      state.waiting = state.waiting.filter { lasts($0.key) }
      return state.tasks.filter { !lasts($0.key) }.map(\.value.task)
    }
    for task in tasks { task.cancel() }
    while let task = state.withLock({ state in state.tasks.first { lasts($0.key) }?.value.task }) { await task.value }
  }

  private func lasts(_ key: Key) -> Bool {
    switch key {
    case .file, .writtenFile, .recording: true
    default: false
    }
  }

  private func key(of effect: Effect) -> Key {
    switch effect {
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

  private func isBackground(_ key: Key) -> Bool { key == .clock }

  private func cancel(_ key: Key) {
    let task = state.withLock { state in
      state.waiting[key] = nil
      return state.tasks[key]?.task
    }
    task?.cancel()
  }

  private func start(_ effect: Effect, _ key: Key) {
    state.withLock { state in
      guard !state.isStopped else { return }
      // A cancelled clock may still be on its way out: the new one does not wait for it.
      if state.tasks[key] != nil, key != .clock {
        // What changes the cache is done, each in its turn; of anything else only the last is still wanted.
        if key == .eviction { state.waiting[key, default: []].append(effect) } else { state.waiting[key] = [effect] }
        return
      }
      launch(effect, key, &state)
    }
  }

  private func launch(_ effect: Effect, _ key: Key, _ state: inout State) {
    state.lastID += 1
    let id = state.lastID
    if !isBackground(key) { state.foreground += 1 }
    let task = Task { [self] in
      await perform(effect)
      finish(key, id)
    }
    state.tasks[key] = (id, task)
  }

  private func finish(_ key: Key, _ id: Int) {
    let isSettled = state.withLock { state in
      if state.tasks[key]?.id == id {
        state.tasks[key] = nil
        if var waiting = state.waiting.removeValue(forKey: key), !state.isStopped || lasts(key) {
          let next = waiting.removeFirst()
          if !waiting.isEmpty { state.waiting[key] = waiting }
          launch(next, key, &state)
        }
      }
      guard !isBackground(key) else { return false }
      state.foreground -= 1
      return state.foreground == 0
    }
    if isSettled { onSettled() }
  }

  private func perform(_ effect: Effect) async {
    switch effect {
    case .loadSchema: await world.loadSchema(send)
    case .run(let request): await world.run(request, send)
    case .loadPages(let run, let wanted, let list): await world.loadPages(run, wanted, list, send)
    case .offerPaging(let text, let offset): send(.pagingOffered(await world.offerPaging(text, offset)))
    case .search(let text, let data, let version):
      let found = await world.search(text, data)
      send(.matchesFound(found.paths, isCut: found.isCut, version: version))
    case .filterEvents(let text, let lines, let run, let version):
      let verdicts = lines.map { ($0.part, $0.contains(text)) }
      send(.eventsFiltered(run, Dictionary(verdicts, uniquingKeysWith: { $1 }), version: version))
    case .filter(let text, let data, let version):
      switch await world.filter(text, data) {
      case .success(let value): send(.responseFiltered(SharedJSON(value), version: version))
      case .failure(let failure): send(.filterFailed(failure.message, version: version))
      }
    case .layOut(let value, let path, let version):
      let text = RawText(value)
      send(.laidOut(text, line: text.line(of: path), version: version))
    case .searchLines(let text, let raw, let version):
      let found = raw.lines(with: text)
      send(.linesFound(found.lines, isCut: found.isCut, version: version))
    case .findPlace(let raw, let line, let copies):
      send(.placeFound(raw.path(ofLine: line), copies: copies))
    case .sortTable(let table, let version): send(.tableSorted(table.sortedItems(), version: version))
    case .copy(let value): send(.valueWritten(value.pretty))
    case .fillForm(let question): send(.formFilled(await world.fillForm(question), question))
    case .openLink(let link):
      if let reason = await world.openLink(link) { send(.linkLeft(link, reason: reason)) }
    case .exportTable(let table, let format):
      let name = "apus-\(table.name).\(format.rawValue)"
      switch await world.writeFile(name, table.exported(as: format)) {
      case .success(let name): send(.fileWritten(name))
      case .failure(let failure): send(.operationFailed("\(name) could not be written: \(failure.message)"))
      }
    case .readAgain(let run): await world.readAgain(run, send)
    case .measureCacheUse(let run): send(.cacheUseFound(run, await world.measureCacheUse(run)))
    case .fetchAgain(let run): await world.fetchAgain(run, send)
    case .analyse(let text, let version): send(.textAnalysed(.query, await world.analyse(text, version)))
    case .analyseVariables(let text, let version, let query, let offset):
      send(.textAnalysed(.variables, await world.analyseVariables(text, version, query, offset)))
    case .complete(let text, let position, let version, let isAsked):
      send(.completionsFound(await world.complete(text, position), .query, version: version, isAsked: isAsked))
    case .completeVariables(let text, let position, let version, let query, let offset, let isAsked):
      let items = await world.completeVariables(text, position, query, offset)
      send(.completionsFound(items, .variables, version: version, isAsked: isAsked))
    case .ask(let question): send(.writingAnswered(await world.answer(question)))
    case .format(let text, let version):
      if let formatted = await world.format(text) {
        send(.queryFormatted(formatted, version: version))
      } else {
        send(.operationFailed("A query with syntax errors cannot be formatted"))
      }
    case .listRecords(let listing):
      let records = await world.listRecords(listing)
      send(
        .recordsListed(
          records.entries, totalCount: records.totalCount, totalBytes: records.totalBytes, listing))
      if let note = records.note { send(.answerNoted(note)) }
    case .openRecord(let key, let moment):
      send(await world.openRecord(key, moment).map { .recordOpened($0) } ?? .recordGone(key))
    case .previewEdit(let edit):
      if let preview = await world.previewEdit(edit) { send(.editPreviewed(edit, preview)) }
    case .openCache(let cache): send(await world.openCache(cache))
    case .openWriteOfPart(let part, let run):
      if let write = await world.openWriteOfPart(part, run) {
        send(.writeOpened(write))
      } else {
        send(.operationFailed("Part \(part + 1) wrote nothing, or it is too long ago"))
      }
    case .editCache(let edit):
      do {
        send(.cacheEdited(edit, try await world.editCache(edit)))
      } catch {
        send(.operationFailed("\(error)"))
      }
    case .listWrites: send(.writesListed(await world.listWrites()))
    case .openWrite(let number): if let write = await world.openWrite(number) { send(.writeOpened(write)) }
    case .openWriteOf(let record, let field):
      if let write = await world.openWriteOf(record, field) {
        send(.writeOpened(write))
      } else {
        send(.operationFailed("\(field) was written before this session, or by nobody here"))
      }
    case .connect, .trustProject, .recordHistory, .searchHistory, .openHistory, .listFiles, .openFile, .checkFile,
      .saveFile, .export,
      .exportResponse, .record, .answer:
      await performKeeping(effect)
    case .startClock(let run): await tick(run)
    case .cancelRun, .forgetRun, .cancelPages, .stopClock, .writeClipboard, .editExternally, .readExternally,
      .captureMouse,
      .labelPlaces, .suspend:
      break
    }
  }

  /// What outlives the session.
  private func performKeeping(_ effect: Effect) async {
    switch effect {
    case .connect(let name): send(await world.connect(name))
    case .trustProject(let file, let endpoint): send(await world.trustProject(file, endpoint))
    case .recordHistory(let entry):
      await world.recordHistory(entry)
      send(.historyRecorded)
      tellHistoryTrouble()
    case .searchHistory(let text):
      send(.historyFound(await world.searchHistory(text), filter: text))
      tellHistoryTrouble()
    case .openHistory(let id, let purpose):
      send(
        await world.historyEntry(id).map { .historyOpened($0, purpose) }
          ?? .operationFailed("The history no longer has it"))
    case .listFiles: send(.filesListed(await world.listFiles()))
    case .openFile(let path): send(await world.openFile(path))
    case .checkFile(let tab, let held):
      if case .fileOpened(let file) = await world.openFile(held.path), file != held {
        send(.fileDiffers(tab: tab, file))
      }
    case .saveFile(let tab, let file, let query, let variables, let overwrites):
      send(await world.saveFile(tab, file, query, variables, overwrites))
    case .export(let text, let path): send(await world.export(text, path))
    case .record(let path): send(await world.record(path))
    case .exportResponse(let value, let path): send(await world.export(value.pretty + "\n", path))
    case .answer(.runElsewhereConfirmed(let entry)): send(.runElsewhereConfirmed(entry))
    case .answer(.productionRunConfirmed): send(.productionRunConfirmed)
    case .answer(.uploadConfirmed(let request)): send(.uploadConfirmed(request))
    default: break
    }
  }

  private func tellHistoryTrouble() {
    guard let reason = world.historyTrouble() else { return }
    send(.operationFailed("There is no history: \(reason)"))
  }

  /// Ten times a second, as long as something runs: nothing wakes up while nothing does.
  private func tick(_ run: Int) async {
    let start = ContinuousClock.now
    while !Task.isCancelled {
      await world.wait(.milliseconds(100))
      guard !Task.isCancelled else { return }
      send(.clockTicked(run, ContinuousClock.now - start))
    }
  }
}
