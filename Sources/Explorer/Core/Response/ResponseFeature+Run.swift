import ApusFormatting
import ApusClientAPI
import ApusJSON

/// The course of a run, from the key press to its last payload and to later changes of its data in the cache.
extension ResponseFeature {
  /// The state of other features that the handling of a run's action depends on.
  struct Context {
    var endpoint: String
    /// Whether the response has the focus.
    var isFocused: Bool
    var rows: Int
    /// The pinned response, which is shown next to this one.
    var pinned: PinnedResponse?
  }

  /// Starts a run. The previous response stays visible until the first payload of this run arrives.
  mutating func begin(_ request: RunRequest, endpoint: String, profile: String?) -> [FollowUp] {
    let forgotten = run.map { [FollowUp.effect(.run($0.id, .forget))] } ?? []
    run = Run(id: request.id)
    run?.request = request
    run?.endpoint = endpoint
    run?.profile = profile
    opened = nil
    payloads = PayloadHistory()
    traffic = nil
    tracing = nil
    restoredMissing = []
    arrangeDeferred()
    let start = forgotten + [.effect(.run(request.id, .start(request)))]
    // The times of an application's request begin with its arrival.
    return request.observed == nil ? start + [.effect(.run(request.id, .startClock))] : start
  }

  mutating func cancel(endpoint: String) -> [FollowUp] {
    guard let current = run else { return [] }
    if current.paging != nil {
      run?.paging = nil
      return [
        .notice("Canceled paging; the loaded pages stay"), .effect(.run(current.id, .cancelPages)),
        .effect(.run(current.id, .stopClock)),
      ]
    }
    guard current.isActive else { return [] }
    run?.phase = .cancelled
    arrangeDeferred()
    if observedRequest != nil {
      return [
        .notice("The response is not followed any more; the application's request continues"),
        .effect(.run(current.id, .cancel)),
      ]
    }
    return [.notice("Canceled"), .effect(.run(current.id, .cancel)), .effect(.run(current.id, .stopClock))]
      + record(.cancelled, endpoint: endpoint)
  }

  mutating func receive(_ answer: RunAction, _ around: Context) -> [FollowUp] {
    guard let current = run else { return [] }
    switch answer {
    case .started(let operation):
      run?.operation = operation
      reading.begin(isSubscription: operation.kind == "subscription")
      deferredList = ListCursor()
    case .resultReceived(let result):
      if current.isActive { receive(result, of: current, around) }
    case .trafficObserved(let traffic): self.traffic = traffic
    case .completed:
      guard current.isActive else { return [] }
      run?.phase = .complete
      arrangeDeferred()
      // The elapsed time ends with the last payload, however long drawing took. A subscription has lasted until now.
      if current.operation?.kind != "subscription", let last = payloads.lastElapsed { run?.elapsed = last }
      // Cache misses are counted now, because a later session has only the saved response.
      let hasMissed = payloads.missing?.isEmpty == false
      return [.effect(.run(current.id, .stopClock))] + rereadResponse() + record(.complete, endpoint: around.endpoint)
        + (hasMissed ? [.effect(.run(current.id, .measureCacheUse))] : [])
    case .failed(let failure):
      guard current.isActive else { return [] }
      run?.phase = .failed
      run?.failure = failure
      arrangeDeferred()
      if current.payloadCount == 0 {
        tree = ResponseTree()
        reading.comparison = nil
        leaveViewsWithoutContent()
      }
      return [.effect(.run(current.id, .stopClock))] + rereadResponse() + record(.failed, endpoint: around.endpoint)
    case .eventsFiltered(let verdicts, let version): reading.events?.applyVerdicts(verdicts, version: version)
    case .clockTicked(let elapsed):
      if current.isActive {
        run?.elapsed = elapsed
        run?.waited = elapsed
      }
      run?.paging?.elapsed = elapsed
    case .cacheUseFound(let use): run?.cacheUse = use
    case .recordPathFound(let path):
      reading.view = .tree
      tree.reveal(path)
      return [.focus(.response)]
    case .uploadAsked(let files): return ask(about: files, endpoint: around.endpoint)
    case .noted(let message): return [.notice(message, .warning)]
    case .pageReceived(let result): receivePage(result)
    case .pagesCompleted: return pagesCompleted()
    case .pagesReset(let result): return pagesReset(result)
    case .pagesFailed(let message): return pagesFailed(message)
    case .cacheRead(let result, let fetchesLoss): return readAgain(result, fetchesLoss: fetchesLoss)
    }
    return []
  }

  private mutating func receive(_ result: RunResult, of current: Run, _ around: Context) {
    // Replacing the previous response only now avoids flicker when an operation runs again.
    if current.payloadCount == 0 {
      reading.previousData = content == .nothing ? nil : tree.data ?? .null
      // A pinned response is compared with the new one, unless that is not shown as a tree.
      let isTree = view == .tree && !reading.filter.isActive && reading.events == nil
      reading.comparison = around.pinned != nil && isTree ? comparison(with: around.pinned) : nil
      tree.begin(current.operation)
    }
    run?.phase = .receiving
    // A refetch starts again with payload 0. The end of an interrupted response does not count as a payload.
    let startsOver = result.payloadIndex < current.payloadCount && result.byteCount > 0
    run?.payloadCount = startsOver ? current.payloadCount + 1 : max(current.payloadCount, result.payloadIndex + 1)
    run?.byteCount += result.byteCount
    run?.elapsed = result.elapsed
    if let events = reading.events {
      let first = events.unfinished
      if first != nil, let count = run?.payloadCount, count > current.payloadCount { run?.continuations += 1 }
      if !result.errors.isEmpty, first?.hasErrors != true { run?.failedEvents += 1 }
    }
    payloads.add(result)
    reading.events?.append(EventLine(result, hidden: current.operation?.hidden))
    // An earlier payload stays visible if the user is looking at it. A result that another one already
    // follows is not drawn.
    guard !payloads.isInPast, !result.isFollowed else { return }
    let isFirst = result.payloadIndex == 0
    show(result, highlighting: isFirst && !current.hasFetchedAgain ? [] : highlights(of: result))
    // New data is scrolled into view only while another pane has the focus.
    if !isFirst, !around.isFocused { tree.follow(result.changedPaths, height: around.rows) }
  }

  private mutating func readAgain(_ result: RunResult, fetchesLoss: Bool) -> [FollowUp] {
    // During a refetch, only a complete result is used, because it contains the refetched data.
    guard let current = run, current.paging == nil,
      !current.isActive || (current.hasFetchedAgain && result.isComplete)
    else { return [] }
    payloads.readAgain(result)
    run?.rereads += 1
    run?.byteCount += result.byteCount
    // An earlier payload stays visible if the user is looking at it.
    if !payloads.isInPast { show(result, highlighting: highlights(of: result)) }
    guard fetchesLoss else { return [] }
    run?.hasFetchedAgain = true
    run?.cacheUse = nil
    run?.phase = .receiving
    return [.effect(.run(current.id, .refetch)), .effect(.run(current.id, .startClock))]
  }

  /// Returns the paths to highlight; nil keeps the previous highlights if the payload changed nothing.
  func highlights(of result: RunResult) -> [ResponsePath]? {
    result.changedPaths.isEmpty ? nil : result.changedPaths
  }

  mutating func show(_ result: RunResult, highlighting changedPaths: [ResponsePath]?) {
    run?.errors = result.errors
    run?.extensions = result.extensions
    run?.fragments = result.fragments
    run?.streams = result.streams
    if tracing != nil { tracing = ResolverTracing(result.extensions) }
    run?.isFromCache = result.isFromCache
    run?.lists = result.lists
    arrangeDeferred()
    tree.show(ResponseTree.Content(result, changedPaths: changedPaths))
    leaveViewsWithoutContent()
    reading.changeTable { [shown = shownTree.data] in $0.update(from: shown) }
  }

  /// Records a run that has ended in the history, unless it is an application's.
  private func record(_ status: HistoryEntry.Status, endpoint: String) -> [FollowUp] {
    guard let run, let request = run.request, request.observed == nil else { return [] }
    var stored = request.draft
    stored.url = endpoint
    var entry = HistoryEntry(
      operation: run.operation?.title ?? "operation", request: stored, status: status,
      errorCount: max(run.errors.count, run.failedEvents), elapsed: run.elapsed, byteCount: run.byteCount)
    // Until a payload arrives, the response of the previous run is shown.
    if run.payloadCount > 0 {
      let newest = newest
      (entry.response, entry.hidden) = (newest.data, tree.hidden)
      (entry.errors, entry.extensions) = (newest.errors, newest.extensions)
    }
    entry.failure = run.failure
    entry.profile = run.profile
    return [.effect(.history(.record(entry)))]
  }

  /// Shows the response of a history entry. The tab's own run is released first, so that none of its data is mistaken
  /// for the entry's.
  mutating func show(_ entry: HistoryEntry, endpoint: String) -> [FollowUp] {
    let forgotten = (isBusy ? cancel(endpoint: endpoint) : []) + (run.map { [.effect(.run($0.id, .forget))] } ?? [])
    self = ResponseFeature()
    tree.show(ResponseTree.Content(data: entry.response, errors: entry.errors, extensions: entry.extensions))
    opened = entry
    opened?.response = nil
    return forgotten
  }

  func compare(with entry: HistoryEntry) -> [FollowUp] {
    if let reason = reasonAgainstData { return [.notice(reason, .warning)] }
    guard let before = entry.response, !before.isNull, let after = tree.data else {
      return [.notice("The run in the history has no data to compare with", .warning)]
    }
    let changes = ValueDifference.between(before, after, without: tree.hidden)
    return [.present(Popup(DifferencePopup(title: entry.operation, changes: changes)))]
  }

  /// Asks the user before uploading files that are hidden or outside the document's folder; nothing has been sent yet.
  private mutating func ask(about files: [UploadCandidate], endpoint: String) -> [FollowUp] {
    guard var request = run?.request, run?.isActive == true else { return [] }
    run?.phase = .cancelled
    request.allowedFiles += files
    let question = ConfirmationPopup(
      question: files.count == 1 ? "Send this file to \(endpoint)?" : "Send these files to \(endpoint)?",
      detail: "The file is hidden or outside the document's folder.", lines: files.map(\.words),
      confirmation: .send(.uploadConfirmed(request)))
    return [.present(Popup(question)), .effect(.run(request.id, .stopClock))]
  }

  // MARK: Cache use

  func showCacheUse() -> [FollowUp] {
    let picker = PickerPopup(.cacheUse(run?.cacheUse?.summary), items: run?.cacheUse?.items ?? [])
    guard let run, run.cacheUse == nil else { return [.present(Popup(picker))] }
    return [.present(Popup(picker)), .effect(.run(run.id, .measureCacheUse))]
  }

  var reasonAgainstCacheUse: String? {
    guard let run else { return opened == nil ? "No operation has been run" : Self.keptAlone }
    if run.isRestored, run.cacheUse == nil { return Self.fromLastTime }
    if run.operation?.kind != nil, run.operation?.kind != "query" { return "Only queries use the cache" }
    if observedRequest != nil { return "The application's use of its cache is not known: F5 runs the operation here" }
    return run.isActive ? "The operation is still running" : nil
  }
}

// MARK: - Reasons for disabled commands

extension ResponseFeature {
  /// Only the response is saved for runs of earlier sessions and for history entries.
  static let fromLastTime = "This response is from the last session: F5 fetches it again"
  static let keptAlone = "The history stores only the response: F5 runs the operation again"

  var reasonAgainstSteppingBack: String? {
    guard payloads.count > 0 else { return reasonWithoutPayloads }
    let oldest = max(payloads.oldestIndex, reading.events?.oldest ?? 0)
    guard (payloads.shownIndex ?? payloads.count - 1) <= oldest else { return nil }
    let kind = payloadName
    return oldest == 0 ? "This is the first \(kind)" : "This is the oldest stored \(kind)"
  }

  var reasonAgainstSteppingForward: String? {
    guard payloads.count > 0 else { return reasonWithoutPayloads }
    return payloads.isInPast ? nil : "This is the latest \(payloadName)"
  }

  var reasonAgainstGoingToPayload: String? {
    guard payloads.count > 0 else { return reasonWithoutPayloads }
    return payloads.count - payloads.oldestIndex > 1 ? nil : "There is only one payload"
  }

  var reasonAgainstTraffic: String? {
    guard let run else { return opened == nil ? "No operation has been run" : Self.keptAlone }
    return run.isRestored ? Self.fromLastTime : nil
  }

  private var reasonWithoutPayloads: String {
    guard let run else { return opened == nil ? "There is no response" : Self.keptAlone }
    return run.isRestored ? Self.fromLastTime : "There is no response"
  }

  var reasonAgainstErrors: String? {
    guard errors.isEmpty else { return nil }
    // Errors that are too large for the history, and those of older entries, are only counted.
    if let count = opened?.errorCount, count > 0 {
      return "The history stores only the number of errors: F5 runs the operation again"
    }
    if isOfRunBefore { return "The response is from the previous run; this run has no data yet" }
    let missing = fragments.count { state(of: $0) == .neverCame || $0.shortfall?.isSilent == true }
    if missing > 0 {
      return
        "The server ended the response without \(DisplayFormat.plural(missing, "announced fragment")) and without an error"
    }
    if failure == nil { return content == .nothing ? "There is no response" : "The response has no errors" }
    return reasonAgainstTraffic == nil
      ? "The request failed; F9 shows the received bytes" : "The request failed; F5 runs it again"
  }
}

extension GraphQLError {
  /// The message, or a placeholder if the server sent an empty one.
  package var shownMessage: String { message.isEmpty ? "(no message)" : message }
}
