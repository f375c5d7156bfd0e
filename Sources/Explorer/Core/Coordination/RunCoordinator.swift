import ApusFormatting
import ApusSecrets

/// The part of a run that the question about a mutation on production shows, and its tab and endpoint.
package struct ShownRun: Equatable, Sendable {
  let tab: Int
  let endpoint: String
  let query: String
  let variables: String
  let offset: Int
}

/// Coordinates the editors and the response of a tab: runs the operation under the cursor and handles the
/// actions about runs.
extension ExplorerState {
  /// - Parameter confirmed: The run that the user confirmed, if it was shown.
  mutating func runOperation(confirmed: ShownRun? = nil) -> [Effect] {
    let converted = screen.focus == .headers ? convertHeadersFromJSON() : []
    bindHeaders()
    if let effects = openBeforeUse() ?? askForSecret() { return effects }
    let editors = tab.editors
    let shown = ShownRun(
      tab: tabs.shown.id, endpoint: connection.endpoint, query: editors.query.text, variables: editors.variables.text,
      offset: editors.query.cursorOffset)
    if connection.isProduction, shown != confirmed, editors.mayMutate {
      let name = editors.currentOperation?.name.map { " \($0)" } ?? ""
      let question = ConfirmationPopup(
        question: "Run the mutation\(name) on production?", detail: connection.endpoint, lines: editors.whatRuns,
        confirmation: .send(.productionRunConfirmed(shown)))
      return apply([.present(Popup(question))])
    }
    if let effects = askAboutWithheldHeaders(before: .run(confirmed: confirmed)) { return effects }
    popups.removeCompletions()
    typing.versionWithoutProposals = editor?.version
    let effects = converted + (tab.response.isBusy ? cancelWork() : [])
    if converted.isEmpty { screen.notice = nil }
    var request = RunRequest(
      id: tabs.lastRun + 1, draft: tab.draft, offset: editors.query.cursorOffset, headers: headers)
    request.draft.definedNames = connection.environmentNames
    request.draft.extensions = tab.extensions.draft(for: connection.origin)
    if !request.draft.extensions.isEmpty { request.extensionsOrigin = connection.origin }
    request.folder = tabs.shown.file?.folder ?? ""
    let begun = start(request)
    if areExtensionsWithheld {
      showNotice("Sent without \(tab.extensions.notice); confirm them in \"Request extensions\" to send them", .warning)
    }
    return effects + begun
  }

  /// Runs the operation that the question showed, or asks again if its text has changed since.
  mutating func runAsShown(_ shown: ShownRun) -> [Effect] {
    guard shown.tab == tabs.shown.id, shown.endpoint == connection.endpoint else { return reportNothingSent() }
    return runOperation(confirmed: shown)
  }

  /// Reports that the endpoint or the tab that a question named is no longer shown.
  mutating func reportNothingSent() -> [Effect] {
    showNotice("Nothing was sent: the endpoint or tab has changed", .warning)
    return []
  }

  /// Repeats a run after the user confirmed its uploads.
  mutating func runAgain(_ request: RunRequest) -> [Effect] {
    guard let requested = tab.response.run, requested.id == request.id, !requested.isActive else { return [] }
    var request = request
    request.id = tabs.lastRun + 1
    return start(request)
  }

  private mutating func start(_ request: RunRequest) -> [Effect] {
    tabs.lastRun = request.id
    if screen.focus != .response { screen.bringForward(.response) }
    return apply(tab.response.begin(request, endpoint: connection.endpoint, profile: connection.profile))
  }

  /// Cancels the run in a tab.
  mutating func endRun(ofTab index: Int) -> [Effect] {
    guard tabs.all[index].content.response.isBusy else { return [] }
    let endpoint = endpoints[tabs.all[index].endpoint].connection.endpoint
    return tabs.all[index].content.response.cancel(endpoint: endpoint).compactMap {
      if case .effect(let effect) = $0 { effect } else { nil }
    }
  }

  mutating func cancelWork() -> [Effect] { apply(tab.response.cancel(endpoint: connection.endpoint)) }

  /// Handles an action about a run. If its tab is not shown, no notice appears, except for notes, which name the tab.
  mutating func receive(_ answer: RunAction, of id: Int) -> [Effect] {
    guard let index = tabs.index(ofRun: id) else { return [] }
    let around = ResponseFeature.Context(
      endpoint: endpoints[tabs.all[index].endpoint].connection.endpoint, isFocused: screen.focus == .response,
      rows: screen.viewportRows(.response), pinned: pinned)
    if case .clockTicked = answer, tabs.all[index].content.response.isBusy { screen.ticks += 1 }
    if case .cacheUseFound(let use) = answer { popups.cacheUseFound(use) }
    let wasActive = tabs.all[index].content.response.run?.isActive ?? false
    let followUps = tabs.all[index].content.response.receive(answer, around) + notification(of: index, wasActive)
    guard index != tabs.shownIndex else { return apply(followUps) }
    let lastNotice = screen.notice
    let effects = apply(followUps)
    screen.notice = lastNotice
    if case .noted(let message) = answer { showNotice("\(name(ofTab: index)): \(message)", .warning) }
    // The only clock continues for the shown run.
    guard effects.contains(.run(id, .stopClock)), tab.response.isBusy, let run = tab.response.run else {
      return effects
    }
    return effects.filter { $0 != .run(id, .stopClock) } + [.run(run.id, .startClock)]
  }

  /// Returns a desktop notification if a long run ended while the terminal is not in focus. It contains the operation's
  /// name and the outcome, but no text from the server.
  private func notification(of index: Int, _ wasActive: Bool) -> [FollowUp] {
    guard wasActive, !screen.isInFocus, let least = screen.notifiesAfter,
      let run = tabs.all[index].content.response.run, case let waited = max(run.waited, run.elapsed), waited >= least
    else { return [] }
    let title = run.operation?.title ?? "operation"
    guard let ending = tabs.all[index].content.response.runState?.ending else { return [] }
    return [.effect(.screen(.notify("\(title) \(ending) after \(DisplayFormat.duration(waited))")))]
  }

  // MARK: Pages

  var isResponseFocused: Bool { screen.focus == .response }

  mutating func loadPages(_ requested: PageRequest) -> [Effect] {
    let run = tab.response.run
    // Without a paged list, suggest changes to the query that would add paging.
    if run?.lists.isEmpty == true, requested != .first || run?.pagedPath == nil { return [tab.editors.offerPaging] }
    return apply(tab.response.loadPages(requested, isFocused: isResponseFocused))
  }

  /// Applies a paging suggestion and runs the query.
  mutating func accept(_ offer: PagingOffer) -> [Effect] {
    tab.editors.query.replace(.start..<tab.editors.query.buffer.end, with: offer.text)
    return tab.editors.analysisEffects(for: .query) + runOperation()
  }

  // MARK: History

  mutating func receive(_ answer: HistoryAction) -> [Effect] {
    switch answer {
    case .recorded: return apply(popups.historyRecorded())
    case .found(let entries, let filter): popups.historyFound(entries, filter: filter)
    case .opened(let entry, let purpose): return open(entry, purpose)
    case .endpointsFound(let recent): popups.endpointsFound(recent)
    case .cleared(let count):
      return apply([.notice("Removed \(DisplayFormat.plural(count, "run")) from the history")])
    }
    return []
  }

  mutating func open(_ entry: HistoryEntry, _ purpose: HistoryPurpose) -> [Effect] {
    let profile = endpoints.profiles.first { $0.name == entry.profile }?.name
    let isElsewhere = !connection.isAt(entry.endpoint) || (profile != nil && profile != connection.profile)
    let open = isElsewhere ? endpoints.id(openAt: entry.endpoint, profile: profile) : nil
    switch purpose {
    case .compare: return apply(tab.response.compare(with: entry))
    case .runAgain where isElsewhere && open == nil:
      let question = ConfirmationPopup(
        question: "Run the operation on \(connection.words)?", detail: "It ran on \(entry.endpointWords).",
        confirmation: .send(.runElsewhereConfirmed(entry)))
      return apply([.present(Popup(question))])
    case .open, .runAgain, .runHere:
      if let open, purpose != .runHere { tabs.add(TabContent(entry.request), at: open) } else { tabs.show(entry) }
      let shown = purpose == .open ? tab.response.show(entry, endpoint: connection.endpoint) : []
      let effects = apply(shown) + focus(on: .query) + tab.editors.analysisEffects(for: .query)
      if purpose == .open { return effects + (isElsewhere && open == nil ? offerEndpoint(of: entry) : []) }
      return effects + runOperation()
    }
  }

  /// Asks whether the tab with an entry goes to the endpoint where the entry ran.
  private mutating func offerEndpoint(of entry: HistoryEntry) -> [Effect] {
    guard !entry.endpoint.isEmpty else { return [] }
    let choices = endpoints.profiles.filter { NormalizedURL.of($0.url) == NormalizedURL.of(entry.endpoint) }
    let choice = choices.first { $0.name == entry.profile } ?? choices.first
    let word = choice?.name ?? entry.endpoint
    return present(
      ConfirmationPopup(
        question: "Open \(choice.map { "\($0.name): " } ?? "")\(entry.endpoint) in this tab?",
        detail: "The operation ran there; \(connection.isOpen ? connection.words : "no endpoint") is open.",
        confirmation: .send(.endpointConfirmed(word, tab: tabs.shown.id))))
  }
}
