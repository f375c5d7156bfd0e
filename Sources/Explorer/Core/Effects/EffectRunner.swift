import Synchronization

/// Performs effects, each in a task that is registered before it starts, so that it is known when no effect is running.
///
/// - Effects with the same key (the analysis of a document, the list of records) run one at a time. Of those that arrive in
///   the meantime only the last one runs, so that no outdated result is computed.
/// - Each endpoint has its environment. An effect about a run is performed by the one where the run was started.
/// - Effects that never end by themselves (the clock) run in the background and do not count as activity.
package final class EffectRunner: Sendable {
  private typealias Job = (effect: Effect, endpoint: EndpointID)

  private struct State {
    var tasks: [EffectKey: (id: Int, task: Task<Void, Never>, traits: EffectTraits, endpoint: EndpointID)] = [:]
    var waiting: [EffectKey: [Job]] = [:]
    /// The environments of the open endpoints.
    var worlds: [EndpointID: ExplorerWorld]
    /// The endpoints of the runs.
    var runs: [Int: EndpointID] = [:]
    var foreground = 0
    var lastID = 0
    var isStopped = false
  }

  /// The environment for an endpoint that is not open.
  private let unopened: ExplorerWorld
  private let send: ExplorerWorld.Send
  private let onSettled: @Sendable () -> Void
  private let state: Mutex<State>

  /// Calls `onSettled` each time the last foreground task has ended, after all the actions that it sent. `world` is the
  /// environment of the first endpoint, and also of those that are not open if `unopened` is nil.
  package init(
    world: ExplorerWorld, unopened: ExplorerWorld? = nil, send: @escaping ExplorerWorld.Send,
    onSettled: @escaping @Sendable () -> Void = {}
  ) {
    self.unopened = unopened ?? world
    self.send = send
    self.onSettled = onSettled
    state = Mutex(State(worlds: [.first: world]))
    world.listen(sender(of: .first))
  }

  package var isSettled: Bool { state.withLock { $0.foreground == 0 } }

  /// Runs an effect at the endpoint of the shown tab, unless it is about another endpoint or about a run.
  package func run(_ effect: Effect, at shown: EndpointID = .first) {
    if case .at(let endpoint, let effect) = effect { return run(effect, at: endpoint) }
    let endpoint = endpoint(of: effect) ?? shown
    switch effect.scheduling(at: endpoint) {
    case .byScreen: break
    case .immediately(let act): act(world(of: endpoint))
    case .cancel(let key): cancel(key)
    case .close: close(endpoint)
    case .restart(let key, let traits):
      cancel(key)
      start(effect, endpoint, key, traits)
    case .start(let key, let traits): start(effect, endpoint, key, traits)
    }
    state.withLock { state in
      if case .run(let request) = effect { state.runs[request.id] = endpoint }
      if case .forgetRun(let id) = effect { state.runs[id] = nil }
    }
  }

  // MARK: Endpoints

  private func endpoint(of effect: Effect) -> EndpointID? {
    effect.run.flatMap { run in state.withLock { $0.runs[run] } }
  }

  private func world(of endpoint: EndpointID) -> ExplorerWorld { state.withLock { $0.worlds[endpoint] } ?? unopened }

  /// Returns a function that sends actions, those about the endpoint with its identity.
  private func sender(of endpoint: EndpointID) -> ExplorerWorld.Send {
    { [send] action in send(action.isAboutEndpoint ? .from(endpoint, action) : action) }
  }

  private func take(_ answer: EndpointAnswer, of endpoint: EndpointID) {
    guard !Task.isCancelled else { return }
    switch answer {
    case .connected(let choice, let workspace, let world):
      let world = world ?? unopened
      state.withLock { $0.worlds[endpoint] = world }
      world.listen(sender(of: endpoint))
      send(.from(endpoint, .connected(choice, workspace)))
    case .asked(let question): send(.from(endpoint, .asked(question)))
    case .operationFailed(let reason): send(.from(endpoint, .operationFailed(reason)))
    }
  }

  /// Ends the effects at an endpoint and releases its environment.
  private func close(_ endpoint: EndpointID) {
    let tasks = state.withLock { state in
      state.worlds[endpoint] = nil
      state.runs = state.runs.filter { $0.value != endpoint }
      state.waiting = state.waiting.mapValues { $0.filter { $0.endpoint != endpoint || $0.effect.isFinishedFirst } }
        .filter { !$0.value.isEmpty }
      return state.tasks.values.filter { $0.endpoint == endpoint && !$0.traits.contains(.isFinishedFirst) }.map(\.task)
    }
    for task in tasks { task.cancel() }
  }

  /// Cancels the running effects and accepts no new ones. Effects with results that the user expects to find are
  /// finished first, such as saving a file and recording the history.
  package func stop() async {
    let tasks = state.withLock { state in
      state.isStopped = true
      state.waiting = state.waiting.filter { $0.value.allSatisfy(\.effect.isFinishedFirst) }
      return state.tasks.values.filter { !$0.traits.contains(.isFinishedFirst) }.map(\.task)
    }
    for task in tasks { task.cancel() }
    while let task = state.withLock({ $0.tasks.values.first { $0.traits.contains(.isFinishedFirst) }?.task }) {
      await task.value
    }
  }

  private func cancel(_ key: EffectKey) {
    let task = state.withLock { state in
      state.waiting[key] = nil
      return state.tasks[key]?.task
    }
    task?.cancel()
  }

  private func start(_ effect: Effect, _ endpoint: EndpointID, _ key: EffectKey, _ traits: EffectTraits) {
    state.withLock { state in
      guard !state.isStopped else { return }
      let job = (effect, endpoint)
      guard state.tasks[key] != nil, !traits.contains(.isBackground) else { return launch(job, key, traits, &state) }
      state.waiting[key] = (traits.contains(.isQueued) ? state.waiting[key] ?? [] : []) + [job]
    }
  }

  private func launch(_ job: Job, _ key: EffectKey, _ traits: EffectTraits, _ state: inout State) {
    state.lastID += 1
    let id = state.lastID
    if !traits.contains(.isBackground) { state.foreground += 1 }
    let task = Task { [self] in
      await perform(job.effect, at: job.endpoint)
      finish(key, id, traits)
    }
    state.tasks[key] = (id, task, traits, job.endpoint)
  }

  private func finish(_ key: EffectKey, _ id: Int, _ traits: EffectTraits) {
    let isSettled = state.withLock { state in
      if state.tasks[key]?.id == id {
        state.tasks[key] = nil
        if var waiting = state.waiting.removeValue(forKey: key) {
          let next = waiting.removeFirst()
          if !waiting.isEmpty { state.waiting[key] = waiting }
          launch(next, key, next.effect.traits(at: next.endpoint), &state)
        }
      }
      guard !traits.contains(.isBackground) else { return false }
      state.foreground -= 1
      return state.foreground == 0
    }
    if isSettled { onSettled() }
  }

  private func perform(_ effect: Effect, at endpoint: EndpointID) async {
    let world = world(of: endpoint)
    let send = sender(of: endpoint)
    switch effect {
    case .at(let endpoint, let effect): await perform(effect, at: endpoint)
    case .loadSchema(let request): await world.loadSchema(request, send)
    case .run(let request): await world.run(request, send)
    case .loadPages(let run, let wanted, let list): await world.loadPages(run, wanted, list, send)
    case .offerPaging(let text, let offset): send(.pagingOffered(await world.offerPaging(text, offset)))
    case .search(let text, let data, let version):
      let found = await world.search(text, data)
      send(.reading(.matchesFound(found.paths, isCut: found.isCut, version: version)))
    case .filterEvents(let text, let lines, let run, let version):
      let verdicts = lines.map { ($0.part, $0.contains(text)) }
      send(.run(run, .eventsFiltered(Dictionary(verdicts, uniquingKeysWith: { $1 }), version: version)))
    case .filter(let text, let data, let version):
      switch await world.filter(text, data) {
      case .success(let value): send(.reading(.filtered(SharedJSON(value), version: version)))
      case .failure(let failure): send(.reading(.filterFailed(failure.message, version: version)))
      }
    case .layOut(let value, let path, let version):
      let text = RawText(value)
      send(.reading(.laidOut(text, line: text.line(of: path), version: version)))
    case .searchLines(let text, let raw, let version):
      let found = raw.lines(with: text)
      send(.reading(.linesFound(found.lines, isCut: found.isCut, version: version)))
    case .findPlace(let raw, let line, let copies):
      send(.reading(.placeFound(raw.path(ofLine: line), copies: copies)))
    case .sortTable(let table, let version): send(.reading(.tableSorted(table.sortedItems(), version: version)))
    case .findDifferences(let before, let after, let version):
      let changes = ValueDifference.between(before.value, after.value, without: after.hidden)
      send(.reading(.differencesFound(changes, version: version)))
    case .copy(let value): send(.valueWritten(value.pretty))
    case .fillForm(let question): send(.formFilled(await world.fillForm(question), question))
    case .putOnClipboard(let text, let reason):
      send(.textCopied(text, await world.putOnClipboard(text), reason: reason))
    case .openLink(let link):
      if let reason = await world.openLink(link) { send(.linkLeft(link, reason: reason)) }
    case .copyTable(let table, let format):
      let text = await world.writeTable(table, format)
      // A line that is copied has no line end.
      send(.valueWritten(table.isSingleRow ? String(text.reversed().drop(while: \.isNewline).reversed()) : text))
    case .exportTable(let table, let format):
      await write(await world.writeTable(table, format), to: "apus-\(table.name).\(format.rawValue)")
    case .exportTimeline(let waterfall, let format):
      await write(waterfall.written(as: format), to: "apus-\(waterfall.name).\(format.rawValue)")
    case .readAgain(let run): await world.readAgain(run, send)
    case .measureCacheUse(let run): send(.run(run, .cacheUseFound(await world.measureCacheUse(run))))
    case .fetchAgain(let run): await world.fetchAgain(run, send)
    case .analyse(let text, let version): send(.text(.analysed(.query, await world.analyse(text, version))))
    case .analyseVariables(let text, let version, let query, let offset):
      send(.text(.analysed(.variables, await world.analyseVariables(text, version, query, offset))))
    case .complete(let text, let position, let version, let isAsked):
      send(.text(.completionsFound(await world.complete(text, position), .query, version: version, isAsked: isAsked)))
    case .completeVariables(let text, let position, let version, let query, let offset, let isAsked):
      let items = await world.completeVariables(text, position, query, offset)
      send(.text(.completionsFound(items, .variables, version: version, isAsked: isAsked)))
    case .completeHeaders(let text, let position, let version, let isAsked):
      let items = HeaderCompletion.completions(in: text, at: position)
      send(.text(.completionsFound(items, .headers, version: version, isAsked: isAsked)))
    case .ask(let question): send(.writingAnswered(await world.answer(question)))
    case .format(let text, let version):
      if let formatted = await world.format(text) {
        send(.text(.formatted(formatted, version: version)))
      } else {
        send(.operationFailed("A query with syntax errors cannot be formatted"))
      }
    case .listRecords(let listing):
      let records = await world.listRecords(listing)
      send(
        .cache(
          .recordsListed(
            records.entries, totalCount: records.totalCount, totalBytes: records.totalBytes, listing)))
      if let note = records.note { send(.answerNoted(note)) }
    case .openRecord(let key, let moment):
      send(await world.openRecord(key, moment).map { .cache(.recordOpened($0)) } ?? .cache(.recordGone(key)))
    case .findRecord(let run, let path, let moment):
      if let found = await world.findRecord(run, path, moment) {
        send(.cache(.recordFound(found.record, field: found.field)))
      } else {
        send(.operationFailed("The cache has no record of \(path)"))
      }
    case .findRecordPlace(let record, let run):
      if let path = await world.findPlace(record, run) {
        send(.run(run, .recordPlaceFound(path)))
      } else {
        send(.operationFailed("The response does not show \(record)"))
      }
    case .previewEdit(let edit):
      if let preview = await world.previewEdit(edit) { send(.editPreviewed(edit, preview)) }
    case .openCache(let cache): send(await world.openCache(cache))
    case .openWriteOfPart(let part, let run):
      if let write = await world.openWriteOfPart(part, run) {
        send(.cache(.writeOpened(write)))
      } else {
        send(.operationFailed("Payload \(part + 1) wrote nothing, or its writes are no longer stored"))
      }
    case .editCache(let edit):
      do {
        send(.cache(.edited(edit, try await world.editCache(edit))))
      } catch {
        send(.operationFailed("\(error)"))
      }
    case .listWrites: send(.cache(.writesListed(await world.listWrites())))
    case .openWrite(let number): if let write = await world.openWrite(number) { send(.cache(.writeOpened(write))) }
    case .openWriteOf(let record, let field):
      if let write = await world.openWriteOf(record, field) {
        send(.cache(.writeOpened(write)))
      } else {
        send(.operationFailed("The write of \(field) is not in this session's log"))
      }
    case .connect(let word, let url): take(await world.connect(word, url), of: endpoint)
    case .renewCredentials: send(await world.renewCredentials())
    case .audit(let id): await world.audit { [send] in send(.audit(id, $0)) }
    case .answer(.auditConfirmed): send(.auditConfirmed)
    case .listEndpoints: send(.history(.endpointsFound(await world.recentEndpoints())))
    case .trustProject(let file, let name): take(await world.trustProject(file, name), of: endpoint)
    case .recordHistory(let entry):
      await world.recordHistory(entry)
      send(.history(.recorded))
      tellHistoryTrouble()
    case .searchHistory(let text):
      send(.history(.found(await world.searchHistory(text), filter: text)))
      tellHistoryTrouble()
    case .openHistory(let id, let purpose):
      send(
        await world.historyEntry(id).map { .history(.opened($0, purpose)) }
          ?? .operationFailed("The run is no longer in the history"))
    case .listFiles: send(.file(.listed(await world.listFiles())))
    case .openFile(let path): send(await world.openFile(path))
    case .checkFile(let tab, let held):
      if case .file(.opened(let file)) = await world.openFile(held.path), file != held {
        send(.file(.differs(tab: tab, file)))
      }
    case .saveFile(let tab, let file, let query, let variables, let overwrites):
      send(await world.saveFile(tab, file, query, variables, overwrites))
    case .export(let text, let path, let overwrites): send(await world.export(text, path, overwrites))
    case .record(let path): send(await world.record(path))
    case .exportResponse(let value, let path): send(await world.export(value.pretty + "\n", path, false))
    case .exportEvents(let events, let path):
      let lines = events.map { String(decoding: $0.compactBytes, as: UTF8.self) + "\n" }
      let answer = await world.export(lines.joined(), path, false)
      if case .exported(let path) = answer {
        send(.exported("\(path): \(Wording.plural(events.count, "event")) of the list, one per line"))
      } else {
        send(answer)
      }
    case .saveRun(let run, let path): send(await world.saveRun(run, path))
    case .answer(.endpointConfirmed(let word, let tab)): send(.endpointConfirmed(word, tab: tab))
    case .answer(.runElsewhereConfirmed(let entry)): send(.runElsewhereConfirmed(entry))
    case .answer(.productionRunConfirmed): send(.productionRunConfirmed)
    case .answer(.uploadConfirmed(let request)): send(.uploadConfirmed(request))
    case .answer(.withheldHeadersAnswered(let question, let sends)):
      send(.withheldHeadersAnswered(question, sends: sends))
    case .handOn(let request, let form, let reason):
      let written = await world.writeRequest(request, form)
      let names = written.variables.joined(separator: ", ")
      let advice = names.isEmpty ? reason : "\(reason ?? "Copied"); set \(names) before you run it"
      send(.valueWritten(written.text, reason: advice))
    case .importRequest(let text): send(.requestImported(await world.importRequest(text)))
    case .offerImport(let text): send(.importOffered(await world.importRequest(text), of: text))
    case .answer(.importConfirmed(let answer)): send(.requestImported(answer))
    case .startClock(let run): await tick(run)
    // These effects run without a task.
    case .screen, .cancelRun, .forgetRun, .cancelPages, .stopClock, .cancelAudit, .closeEndpoint: break
    }
  }

  /// Writes an exported file and reports its name.
  private func write(_ text: String, to name: String) async {
    switch await unopened.writeFile(name, text) {
    case .success(let name): send(.fileWritten(name))
    case .failure(let failure): send(.operationFailed("Cannot write \(name): \(failure.message)"))
    }
  }

  private func tellHistoryTrouble() {
    guard let reason = unopened.historyTrouble() else { return }
    send(.operationFailed("The history is not available: \(reason)"))
  }

  /// Sends ten ticks per second while an operation runs, so that an idle explorer never wakes up.
  private func tick(_ run: Int) async {
    let start = ContinuousClock.now
    while !Task.isCancelled {
      await unopened.wait(.milliseconds(100))
      guard !Task.isCancelled else { return }
      send(.run(run, .clockTicked(ContinuousClock.now - start)))
    }
  }
}
