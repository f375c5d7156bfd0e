import ApusJSON

/// From the key that runs an operation to its last part and its changes in the cache.
extension ExplorerState {
  /// Whether what would run is a mutation; while that is not known yet, whatever may hold one.
  private var mayMutate: Bool {
    guard queryAnalysis.version == query.version, let operation = queryAnalysis.operation(at: query.cursor.line) else {
      return query.text.contains("mutation")
    }
    return operation.kind == "mutation"
  }

  mutating func runOperation(isConfirmed: Bool = false) -> [Effect] {
    if isProduction, !isConfirmed, mayMutate {
      let name = queryAnalysis.operation(at: query.cursor.line)?.name.map { " \($0)" } ?? ""
      popups.append(
        .confirmation(
          Confirmation(
            question: "Run the mutation\(name) on production?", detail: endpoint,
            effect: .answer(.productionRunConfirmed))))
      return []
    }
    popups.removeAll { if case .completion = $0 { true } else { false } }
    versionWithoutProposals = editor?.version
    let effects = isBusy ? cancelWork() : []
    notice = nil
    var request = RunRequest(
      id: runCount + 1, text: query.text, offset: query.cursorOffset, variables: variables.text,
      headers: HeaderLine.all(in: headers.buffer))
    request.cachePolicy = cachePolicy
    request.folder =
      tabs[shownTab].file.map { String($0.path[..<($0.path.lastIndex(of: "/") ?? $0.path.startIndex)]) }
      ?? ""
    return effects + begin(request)
  }

  /// What was asked about a run's files was answered with a yes: it is run as it was asked for.
  mutating func runAgain(_ request: RunRequest) -> [Effect] {
    guard let asked = run, asked.id == request.id, !asked.isActive else { return [] }
    var request = request
    request.id = runCount + 1
    return begin(request)
  }

  private mutating func begin(_ request: RunRequest) -> [Effect] {
    runCount = request.id
    let forgotten = run.map { [Effect.forgetRun($0.id)] } ?? []
    run = Run(id: runCount)
    run?.request = request
    history = PartHistory()
    traffic = nil
    if focus != .response { bringForward(.response) }
    return forgotten + [.run(request), .startClock(run: runCount)]
  }

  /// Nothing was sent: the files that would go along lie where nobody would expect it.
  private mutating func askAboutFiles(_ files: [AskedFile]) -> [Effect] {
    guard var request = run?.request, run?.isActive == true else { return [] }
    run?.phase = .cancelled
    request.allowedFiles += files
    popups.append(
      .confirmation(
        Confirmation(
          question: files.count == 1 ? "Send this file to \(endpoint)?" : "Send these files to \(endpoint)?",
          detail: "It is hidden, or not in the document's folder.", lines: files.map(\.words),
          effect: .answer(.uploadConfirmed(request)))))
    return [.stopClock]
  }

  mutating func cancelWork() -> [Effect] {
    guard let current = run else { return [] }
    if current.paging != nil {
      run?.paging = nil
      notice = Notice("Paging cancelled; the pages that arrived are kept")
      return [.cancelPages, .stopClock]
    }
    guard current.isActive else { return [] }
    run?.phase = .cancelled
    notice = Notice("Cancelled")
    return [.cancelRun(current.id), .stopClock] + historyEffects(.cancelled)
  }

  /// An answer about a run of a tab that is not shown changes that tab.
  mutating func receiveRunAnswer(_ action: Action) -> [Effect] {
    guard let id = action.run, let tab = hiddenTab(ofRun: id) else { return receiveOwnRunAnswer(action) }
    let told = notice
    var effects = inTab(tab) { $0.receiveOwnRunAnswer(action) }
    notice = told
    // There is one clock: it goes on for the run that is looked at.
    if effects.contains(.stopClock), isBusy, let run {
      effects = effects.filter { $0 != .stopClock } + [.startClock(run: run.id)]
    }
    return effects
  }

  private mutating func receiveOwnRunAnswer(_ action: Action) -> [Effect] {
    switch action {
    case .runStarted(let id, let operation):
      guard run?.id == id else { return [] }
      run?.operation = operation
      reading.events = operation.kind == "subscription" ? EventList() : nil
      rail = ListCursor()
    case .resultReceived(let id, let result):
      guard let current = run, current.id == id, current.isActive else { return [] }
      // The response before stays until the first part of this one is here: a run again does not flicker.
      if current.parts == 0 {
        reading.previousData = response.data
        reading.isComparing = false
        response.begin(current.operation)
      }
      run?.phase = .receiving
      run?.parts = max(current.parts, result.part + 1)
      run?.byteCount += result.byteCount
      run?.elapsed = result.elapsed
      history.add(result)
      reading.events?.note(EventLine(result, hidden: current.operation?.hidden))
      // Who looks back is left there; the newest part waits.
      guard !history.isInPast else { return [] }
      let isFirst = result.part == 0
      show(result, highlighting: isFirst && !current.hasFetchedAgain ? [] : highlights(of: result))
      // Who looks elsewhere sees what lands; who reads the response is left in peace.
      if !isFirst, focus != .response { response.follow(result.changedPaths, height: viewportRows(.response)) }
    case .trafficObserved(let id, let traffic):
      if run?.id == id { self.traffic = traffic }
    case .runCompleted(let id):
      guard run?.id == id, run?.isActive == true else { return [] }
      run?.phase = .complete
      return [.stopClock] + readingEffects() + historyEffects(.complete)
    case .runFailed(let id, let failure):
      guard run?.id == id, run?.isActive == true else { return [] }
      run?.phase = .failed
      run?.failure = failure
      if run?.parts == 0 { response = ResponseTree() }
      return [.stopClock] + historyEffects(.failed)
    case .eventsFiltered(let id, let verdicts, let version):
      if run?.id == id { reading.events?.judged(verdicts, version: version) }
    case .clockTicked(let id, let elapsed):
      guard run?.id == id, isBusy else { return [] }
      ticks += 1
      if run?.isActive == true { run?.elapsed = elapsed }
      run?.paging?.elapsed = elapsed
    case .cacheUseFound(let id, let use):
      if run?.id == id { receive(use) }
    case .uploadAsked(let id, let files): return run?.id == id ? askAboutFiles(files) : []
    case .pageReceived, .pagesCompleted, .pagesFailed, .pagesReset: return receivePages(action)
    case .cacheRead(let id, let result, let fetchesLoss):
      // While what was lost is fetched again, a read that has all of it is what the fetch brought.
      guard let current = run, current.id == id, current.paging == nil,
        !current.isActive || (current.hasFetchedAgain && result.isComplete)
      else { return [] }
      history.readAgain(result)
      run?.rereads += 1
      // Who looks back is left there.
      if !history.isInPast { show(result, highlighting: highlights(of: result)) }
      guard fetchesLoss else { return [] }
      run?.hasFetchedAgain = true
      run?.phase = .receiving
      return [.fetchAgain(run: id), .startClock(run: id)]
    default: break
    }
    return []
  }

  /// A part that changed nothing leaves the highlight of the one before.
  func highlights(of result: RunResult) -> [ResponsePath]? {
    result.changedPaths.isEmpty ? nil : result.changedPaths
  }

  mutating func show(_ result: RunResult, highlighting changedPaths: [ResponsePath]?) {
    run?.errors = result.errors
    run?.extensions = result.extensions
    run?.fragments = result.fragments
    run?.isFromCache = result.isFromCache
    run?.lists = result.lists
    response.show(
      ResponseTree.Content(
        data: result.data, errors: result.errors, fragments: result.fragments, changedPaths: changedPaths,
        missing: result.missing))
    let shown = shownTree.data
    reading.table?.update(from: shown)
  }
}
