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
    var worlds: [EndpointID: ExplorerEnvironment]
    /// The endpoints of the runs.
    var runs: [Int: EndpointID] = [:]
    var foreground = 0
    var lastID = 0
    var isStopped = false
  }

  /// The environment for an endpoint that is not open.
  private let unopened: ExplorerEnvironment
  private let send: ExplorerEnvironment.Send
  private let onSettled: @Sendable () -> Void
  private let state: Mutex<State>

  /// Calls `onSettled` each time the last foreground task has ended, after all the actions that it sent. `world` is the
  /// environment of the first endpoint, and also of those that are not open if `unopened` is nil.
  package init(
    environment: ExplorerEnvironment, unopened: ExplorerEnvironment? = nil, send: @escaping ExplorerEnvironment.Send,
    onSettled: @escaping @Sendable () -> Void = {}
  ) {
    self.unopened = unopened ?? environment
    self.send = send
    self.onSettled = onSettled
    state = Mutex(State(worlds: [.first: environment]))
    environment.listen(sender(of: .first))
  }

  package var isSettled: Bool { state.withLock { $0.foreground == 0 } }

  /// Runs an effect at the endpoint of the shown tab, unless it is about another endpoint or about a run.
  package func run(_ effect: Effect, at shown: EndpointID = .first) {
    if case .at(let endpoint, let effect) = effect { return run(effect, at: endpoint) }
    let endpoint = endpoint(of: effect) ?? shown
    switch effect.scheduling(at: endpoint) {
    case .byScreen: break
    case .immediately(let act): act(environment(of: endpoint))
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

  private func environment(of endpoint: EndpointID) -> ExplorerEnvironment {
    state.withLock { $0.worlds[endpoint] } ?? unopened
  }

  /// Returns a function that sends actions, those about the endpoint with its identity.
  private func sender(of endpoint: EndpointID) -> ExplorerEnvironment.Send {
    { [send] action in send(action.isAboutEndpoint ? .from(endpoint, action) : action) }
  }

  private func take(_ answer: EndpointAnswer, of endpoint: EndpointID) {
    guard !Task.isCancelled else { return }
    switch answer {
    case .connected(let choice, let workspace, let environment):
      let environment = environment ?? unopened
      state.withLock { $0.worlds[endpoint] = environment }
      environment.listen(sender(of: endpoint))
      send(.from(endpoint, .connected(choice, workspace)))
    case .confirmationRequested(let question): send(.from(endpoint, .confirmationRequested(question)))
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
    let environment = environment(of: endpoint)
    let send = sender(of: endpoint)
    switch effect {
    case .at(let endpoint, let effect): await perform(effect, at: endpoint)
    case .loadSchema(let request): await environment.loadSchema(request, send)
    case .run(let request): await environment.run(request, send)
    case .loadPages(let run, let requested, let list): await environment.loadPages(run, requested, list, send)
    case .suggestPaging(let text, let offset): send(.pagingOffered(await environment.offerPaging(text, offset)))
    case .search(let text, let data, let version):
      let found = await environment.search(text, data)
      send(.reading(.matchesFound(found.paths, isCut: found.isCut, version: version)))
    case .filterEvents(let text, let lines, let run, let version):
      let verdicts = lines.map { ($0.part, $0.contains(text)) }
      send(.run(run, .eventsFiltered(Dictionary(verdicts, uniquingKeysWith: { $1 }), version: version)))
    case .filter(let text, let data, let version):
      switch await environment.filter(text, data) {
      case .success(let value): send(.reading(.filtered(VisibleJSON(value), version: version)))
      case .failure(let failure): send(.reading(.filterFailed(failure.message, version: version)))
      }
    case .formatJSON(let value, let path, let version):
      let text = RawJSONText(value)
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
    case .fillForm(let question): send(.formFilled(await environment.fillForm(question), question))
    case .putOnClipboard(let text, let reason):
      send(.textCopied(text, await environment.putOnClipboard(text), reason: reason))
    case .openLink(let link):
      if let reason = await environment.openLink(link) { send(.linkCopied(link, reason: reason)) }
    case .copyTable(let table, let format):
      let text = await environment.writeTable(table, format)
      // A line that is copied has no line end.
      send(.valueWritten(table.isSingleRow ? String(text.reversed().drop(while: \.isNewline).reversed()) : text))
    case .exportTable(let table, let format):
      await write(await environment.writeTable(table, format), to: "apus-\(table.name).\(format.rawValue)")
    case .exportTimeline(let timeline, let format):
      await write(timeline.written(as: format), to: "apus-\(timeline.name).\(format.rawValue)")
    case .reread(let run): await environment.readAgain(run, send)
    case .measureCacheUse(let run): send(.run(run, .cacheUseFound(await environment.measureCacheUse(run))))
    case .refetch(let run): await environment.fetchAgain(run, send)
    case .analyse(let text, let version): send(.text(.analysed(.query, await environment.analyse(text, version))))
    case .analyseVariables(let text, let version, let query, let offset):
      send(.text(.analysed(.variables, await environment.analyseVariables(text, version, query, offset))))
    case .complete(let text, let position, let version, let isAsked):
      send(
        .text(.completionsFound(await environment.complete(text, position), .query, version: version, isAsked: isAsked))
      )
    case .completeVariables(let text, let position, let version, let query, let offset, let isAsked):
      let items = await environment.completeVariables(text, position, query, offset)
      send(.text(.completionsFound(items, .variables, version: version, isAsked: isAsked)))
    case .completeHeaders(let text, let position, let version, let isAsked):
      let items = HeaderCompletion.completions(in: text, at: position)
      send(.text(.completionsFound(items, .headers, version: version, isAsked: isAsked)))
    case .queryLanguageService(let question): send(.writingAnswered(await environment.answer(question)))
    case .format(let text, let version):
      if let formatted = await environment.format(text) {
        send(.text(.formatted(formatted, version: version)))
      } else {
        send(.operationFailed("A query with syntax errors cannot be formatted"))
      }
    case .listRecords(let listing):
      let records = await environment.listRecords(listing)
      send(
        .cache(
          .recordsListed(
            records.entries, totalCount: records.totalCount, totalBytes: records.totalBytes, listing)))
      if let note = records.note { send(.recordsNoted(note)) }
    case .openRecord(let key, let revision):
      send(await environment.openRecord(key, revision).map { .cache(.recordOpened($0)) } ?? .cache(.recordGone(key)))
    case .findRecord(let run, let path, let revision):
      if let found = await environment.findRecord(run, path, revision) {
        send(.cache(.recordFound(found.record, field: found.field)))
      } else {
        send(.operationFailed("The cache has no record of \(path)"))
      }
    case .findRecordPlace(let record, let run):
      if let path = await environment.findPlace(record, run) {
        send(.run(run, .recordPlaceFound(path)))
      } else {
        send(.operationFailed("The response does not show \(record)"))
      }
    case .previewEdit(let edit):
      if let preview = await environment.previewEdit(edit) { send(.editPreviewed(edit, preview)) }
    case .openCache(let cache): send(await environment.openCache(cache))
    case .openWriteOfPart(let part, let run):
      if let write = await environment.openWriteOfPart(part, run) {
        send(.cache(.writeOpened(write)))
      } else {
        send(.operationFailed("Payload \(part + 1) wrote nothing, or its writes are no longer stored"))
      }
    case .editCache(let edit):
      do {
        send(.cache(.edited(edit, try await environment.editCache(edit))))
      } catch {
        send(.operationFailed("\(error)"))
      }
    case .listWrites: send(.cache(.writesListed(await environment.listWrites())))
    case .openWrite(let number):
      if let write = await environment.openWrite(number) { send(.cache(.writeOpened(write))) }
    case .openWriteOf(let record, let field):
      if let write = await environment.openWriteOf(record, field) {
        send(.cache(.writeOpened(write)))
      } else {
        send(.operationFailed("The write of \(field) is not in this session's log"))
      }
    case .connect(let word, let url): take(await environment.connect(word, url), of: endpoint)
    case .renewCredentials: send(await environment.renewCredentials())
    case .audit(let id): await environment.audit { [send] in send(.audit(id, $0)) }
    case .confirm(.auditConfirmed): send(.auditConfirmed)
    case .listEndpoints: send(.history(.endpointsFound(await environment.recentEndpoints())))
    case .trustProject(let file, let name): take(await environment.trustProject(file, name), of: endpoint)
    case .recordHistory(let entry):
      await environment.recordHistory(entry)
      send(.history(.recorded))
      tellHistoryTrouble()
    case .searchHistory(let text):
      send(.history(.found(await environment.searchHistory(text), filter: text)))
      tellHistoryTrouble()
    case .openHistory(let id, let purpose):
      send(
        await environment.historyEntry(id).map { .history(.opened($0, purpose)) }
          ?? .operationFailed("The run is no longer in the history"))
    case .listFiles: send(.file(.listed(await environment.listFiles())))
    case .openFile(let path): send(await environment.openFile(path))
    case .checkFile(let tab, let held):
      if case .file(.opened(let file)) = await environment.openFile(held.path), file != held {
        send(.file(.differs(tab: tab, file)))
      }
    case .saveFile(let tab, let file, let query, let variables, let overwrites):
      send(await environment.saveFile(tab, file, query, variables, overwrites))
    case .export(let text, let path, let overwrites): send(await environment.export(text, path, overwrites))
    case .record(let path): send(await environment.record(path))
    case .exportResponse(let value, let path): send(await environment.export(value.pretty + "\n", path, false))
    case .exportEvents(let events, let path):
      let lines = events.map { String(decoding: $0.compactBytes, as: UTF8.self) + "\n" }
      let answer = await environment.export(lines.joined(), path, false)
      if case .exported(let path) = answer {
        send(.exported("\(path): \(DisplayFormat.plural(events.count, "event")) of the list, one per line"))
      } else {
        send(answer)
      }
    case .saveRun(let run, let path): send(await environment.saveRun(run, path))
    case .confirm(.endpointConfirmed(let word, let tab)): send(.endpointConfirmed(word, tab: tab))
    case .confirm(.runElsewhereConfirmed(let entry)): send(.runElsewhereConfirmed(entry))
    case .confirm(.productionRunConfirmed): send(.productionRunConfirmed)
    case .confirm(.uploadConfirmed(let request)): send(.uploadConfirmed(request))
    case .confirm(.withheldHeadersAnswered(let question, let sends)):
      send(.withheldHeadersAnswered(question, sends: sends))
    case .copyRequest(let request, let form, let reason):
      let written = await environment.writeRequest(request, form)
      let names = written.variables.joined(separator: ", ")
      let advice = names.isEmpty ? reason : "\(reason ?? "Copied"); set \(names) before you run it"
      send(.valueWritten(written.text, reason: advice))
    case .importRequest(let text): send(.requestImported(await environment.importRequest(text)))
    case .offerImport(let text): send(.importOffered(await environment.importRequest(text), of: text))
    case .confirm(.importConfirmed(let answer)): send(.requestImported(answer))
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
