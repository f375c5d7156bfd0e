import ApusFormatting
import ApusClientAPI
import ApusExplorerCore
import ApusExplorerTerminal

extension Painter {
  /// Draws the status line: the endpoint and operation, or the current notice; on the right the status, payload count,
  /// time, bytes and errors.
  mutating func paintStatus(_ rect: Rect) {
    frame.fill(rect, style: theme[.statusLine])
    var right = statusParts()
    var rightWidth = right.reduce(0) { $0 + TextWidth.width(of: $1.text) }
    // A notice is shown in full, even if it displaces the figures.
    if let notice = state.screen.notice, TextWidth.width(of: notice.text) + 4 + rightWidth > rect.width {
      right = []
      rightWidth = 0
    }
    // On a narrow screen, the status and the errors take precedence over the figures between them.
    while rightWidth > rect.width, right.count > 3 {
      rightWidth -= TextWidth.width(of: right.remove(at: right.count - 3).text)
    }
    var column = max(rect.column, rect.endColumn - rightWidth)
    let leftEnd = column - 1
    for part in right { column = put(part.text, at: column, in: rect, part.style) }
    // The production badge is never hidden by a notice.
    let badge = state.connection.isProduction ? " \(glyphs.warning) \(state.connection.profile ?? "production") " : ""
    let badgeEnd = put(badge, at: rect.column, in: rect, theme[.statusError])
    let recording = state.recordingPath == nil ? "" : " \(glyphs.fulfilled) rec "
    let start = put(recording, at: badgeEnd, in: rect, theme[.statusError])
    let left = Rect(column: start, row: rect.row, width: max(0, leftEnd - start), height: 1)
    if let notice = state.screen.notice {
      let isWarning = notice.kind == .warning
      let glyph = isWarning ? glyphs.warning : glyphs.info
      let text = TextWidth.truncated(" \(glyph) \(notice.text)", to: left.width, ellipsis: glyphs.ellipsis)
      put(
        text, at: left.column, in: left, isWarning ? theme[.warning, on: .statusLine].with(.bold) : theme[.statusAccent]
      )
      return
    }
    paintEndpoint(in: left)
  }

  /// Draws the endpoint, the cache policy with other options, and the operation, as far as there is space.
  private mutating func paintEndpoint(in left: Rect) {
    let operation = state.tab.response.run?.operation?.title ?? ""
    let operationWidth = operation.isEmpty ? 0 : TextWidth.width(of: operation) + 2
    let room = left.width - 1
    // Options that the user chose take precedence over the operation's name.
    let words = [state.tab.cachePolicy.words] + state.tab.runOptions.words
    let policy = "\(glyphs.separator) \(words.joined(separator: ", "))"
    let isUsual = state.tab.hasUsualCachePolicy && state.tab.runOptions.isDefault
    let policyWidth = TextWidth.width(of: policy) + 1
    let rest = isUsual ? room - operationWidth : room
    let showsPolicy = rest - policyWidth >= 16
    let policyRoom = room - (showsPolicy ? policyWidth : 0)
    let endpointRoom = policyRoom - operationWidth >= 16 ? policyRoom - operationWidth : policyRoom
    let profile = state.connection.isProduction ? "" : state.connection.profile.map { "\($0) " } ?? ""
    let named = state.connection.isOpen ? "\(profile)\(state.connection.endpoint)\(phase)" : "no endpoint"
    let endpoint = TextWidth.truncated(named, to: endpointRoom, ellipsis: glyphs.ellipsis)
    var end = put(" \(endpoint)", at: left.column, in: left, theme[.statusAccent])
    if showsPolicy {
      let role = isUsual ? theme[.statusLine] : theme[.statusAccent]
      end = put(" \(policy)", at: end, in: left, role)
    }
    if endpointRoom != policyRoom || operation.isEmpty { put("  \(operation)", at: end, in: left, theme[.statusLine]) }
  }

  /// The state of an endpoint that is not open.
  private var phase: String {
    switch state.connection.phase {
    case .open: ""
    case .opening: " (opening\(glyphs.ellipsis))"
    case .waiting, .asking, .failed: " (not open)"
    }
  }

  private var isSubscription: Bool { state.tab.response.run?.operation?.kind == "subscription" }

  /// The state of a subscription's connection.
  private var connection: String? {
    guard case .reconnecting(let attempt, _)? = state.tab.response.traffic?.subscription else {
      return state.tab.response.traffic?.subscription?.name
    }
    return "reconnecting (attempt \(attempt))"
  }

  /// The progress of an upload.
  private var uploading: String? {
    guard let upload = state.tab.response.traffic?.upload, upload.totalByteCount > 0,
      upload.sentByteCount < upload.totalByteCount
    else { return nil }
    return "sent \(upload.sentByteCount * 100 / upload.totalByteCount) %"
  }

  /// The position among the differences from the previous run.
  private var comparing: String? {
    guard let comparison = state.tab.response.reading.comparison else { return nil }
    if comparison.reason != nil { return "no data to compare" }
    guard let changes = comparison.changes else { return "comparing \(glyphs.ellipsis)" }
    let count = DisplayFormat.plural(changes.count, "difference")
    if changes.isEmpty { return "no differences" }
    return "\(DisplayFormat.count(comparison.index + 1)) of \(comparison.isCut ? "the first " : "")\(count)"
  }

  /// The earlier payload or event that is shown: `payload 2 of 3`.
  private var payloadInPast: String? {
    guard let shown = state.tab.response.payloads.shownIndex, let run = state.tab.response.run else { return nil }
    let kind = isSubscription && run.continuations == 0 ? "event" : "payload"
    return "\(kind) \(DisplayFormat.count(shown + 1)) of \(DisplayFormat.count(state.tab.response.payloads.count))"
  }

  /// Returns the outcome or progress of a run.
  private func statusWord(of run: Run) -> (glyph: String, role: ThemeRole, word: String) {
    // For an earlier payload, show only the state at that time.
    if let past = state.tab.response.payloads.shownInPast {
      guard past.isComplete else {
        return (String(glyphs.pending), .pending, run.isActive ? "receiving" : "as received at \(payloadInPast ?? "")")
      }
      let ending = ResultStatus(data: past.data, past.errors, past.fragments)
      let style = self.style(of: ending)
      return (String(style.glyph), style.role, ending.wordOfRun)
    }
    let runState = state.tab.response.runState ?? .pending
    let style = self.style(of: runState)
    switch run.phase {
    case .sending: return (spinner, style.role, uploading ?? connection ?? "waiting")
    case .receiving: return (spinner, style.role, connection ?? "receiving")
    case .complete where run.paging != nil: return (spinner, .pending, "paging")
    case .complete, .failed, .cancelled:
      return (String(style.glyph), style.role, run.failure?.summary ?? runState.wordOfRun)
    }
  }

  /// Returns the status of a response that was opened from the history.
  private func historyParts(_ entry: HistoryEntry) -> [(text: String, style: Style)] {
    let errors = entry.errorCount
    let style = self.style(of: state.tab.response.state(of: entry))
    var parts = [
      ("from the history  ", theme[.warning, on: .statusLine]),
      ("\(style.glyph) \(style.word)", theme[style.role, on: .statusLine]),
    ]
    if entry.endpoint != state.connection.endpoint {
      parts.append(("  of \(entry.endpoint)", theme[.warning, on: .statusLine]))
    }
    if entry.elapsed > .zero { parts.append(("  \(DisplayFormat.duration(entry.elapsed))", theme[.statusLine])) }
    parts.append((errors > 0 ? "  \(DisplayFormat.plural(errors, "error")) " : " ", theme[.statusLine]))
    return parts
  }

  private func statusParts() -> [(text: String, style: Style)] {
    guard let run = state.tab.response.run else {
      return state.tab.response.opened.map(historyParts) ?? [("not run yet ", theme[.statusLine])]
    }
    var parts: [(text: String, style: Style)] = []
    if let number = state.tab.response.observedRequest {
      parts.append(("application's request \(number)  ", theme[.statusAccent]))
    }
    if state.pinned != nil, !state.tab.response.isBesidePinned {
      parts.append(("\(glyphs.bullet) pinned  ", theme[.statusLine]))
    }
    if let words = comparing { parts.append(("\(words)  ", theme[.statusAccent])) }
    let (glyph, role, word) = statusWord(of: run)
    parts.append(("\(glyph) \(word)", theme[role, on: .statusLine]))
    if state.tab.response.isOfRunBefore {
      parts.append(("  showing the previous run", theme[.warning, on: .statusLine]))
    }
    if run.payloadCount > 0, let endpoint = run.endpoint, endpoint != state.connection.endpoint {
      parts.append(("  of \(endpoint)", theme[.warning, on: .statusLine]))
    }
    if state.tab.response.traffic?.failure != nil {
      parts.append(("  the network failed (F9)", theme[.warning, on: .statusLine]))
    } else if run.payloadCount > 0, let status = state.tab.response.traffic?.failedStatus {
      parts.append(("  HTTP \(status)", theme[.warning, on: .statusLine]))
    }
    if let payloadInPast {
      // The status of a payload in the middle of a finished run names it already.
      if !word.hasSuffix(payloadInPast) { parts.append(("  \(payloadInPast)", theme[.warning, on: .statusLine])) }
    } else if run.isActive, isSubscription, run.eventCount > 0, state.tab.response.reading.isEventOpen {
      parts.append(("  event \(DisplayFormat.count(run.eventCount)), live", theme[.statusLine]))
    } else if run.payloadCount > 0 {
      let count = isSubscription ? run.eventCount : run.payloadCount
      parts.append(("  \(DisplayFormat.plural(count, isSubscription ? "event" : "payload"))", theme[.statusLine]))
      if run.hasFetchedAgain { parts.append(("  sent again (Alt-u)", theme[.statusLine])) }
      if run.pages > 0 { parts.append(("  \(DisplayFormat.plural(run.pages, "page")) more", theme[.statusLine])) }
    }
    return parts + figures(of: run)
  }

  /// The time, bytes, cache misses and errors of a run.
  private func figures(of run: Run) -> [(text: String, style: Style)] {
    var parts: [(text: String, style: Style)] = []
    let past = state.tab.response.payloads.shownInPast
    // A run that failed before the first clock tick has no accurate time.
    let elapsed = past?.elapsed ?? run.elapsed
    let byteCount = past == nil ? run.byteCount : state.tab.response.payloads.byteCountInPast
    if elapsed > .zero { parts.append(("  \(DisplayFormat.duration(elapsed))", theme[.statusLine])) }
    if byteCount > 0 { parts.append(("  \(DisplayFormat.bytes(byteCount))", theme[.statusLine])) }
    let missing = state.tab.response.payloads.missing?.count ?? run.cacheUse?.misses.count ?? 0
    if past == nil, missing > 0, run.isFromCache {
      parts.append(("  \(missing) missing", theme[.warning, on: .statusLine]))
    }
    // Each event is a separate response, so the number of events with errors is shown.
    let failed = past == nil ? run.failedEvents : 0
    let errors = run.errors.count
    if errors > 0 || failed > 0 {
      let words =
        failed > 0 ? "\(DisplayFormat.plural(failed, "event")) with errors" : DisplayFormat.plural(errors, "error")
      parts.append(("  ", theme[.statusLine]))
      parts.append((" \(glyphs.error) \(words) ", theme[.statusError]))
    } else {
      parts.append((" ", theme[.statusLine]))
    }
    return parts
  }

  /// Draws the keys for the focused pane. Keys of unavailable commands are dimmed.
  mutating func paintFooter(_ rect: Rect) {
    frame.fill(rect, style: theme[.footerText])
    var column = rect.column + 1
    if !pendingKeys.isEmpty { return paintContinuations(rect) }
    if let pending = state.typing.vim?.pendingText, !pending.isEmpty, state.screen.focus.isEditor {
      column = put(pending, at: column, in: rect, theme[.footerKey]) + 2
    }
    for binding in keys.footer(for: state) {
      guard let key = binding.keys.first, let word = binding.footer else { continue }
      let width = TextWidth.width(of: "\(key) \(word)")
      guard column + width < rect.endColumn else { break }
      let isEnabled = binding.command.flatMap { state.reason(against: $0) } == nil
      column = put("\(key)", at: column, in: rect, theme[isEnabled ? .footerKey : .footerDisabled])
      column = put(" \(word)", at: column, in: rect, theme[isEnabled ? .footerText : .footerDisabled]) + 2
    }
  }

  /// Draws the keys that can follow the pressed ones.
  private mutating func paintContinuations(_ rect: Rect) {
    let begun = KeySequence(pendingKeys).description
    var column = put("\(begun) \(glyphs.ellipsis) ", at: rect.column + 1, in: rect, theme[.footerKey]) + 1
    for (keys, title) in keys.continuations(of: pendingKeys, in: state) {
      let rest = KeySequence(Array(keys.presses.dropFirst(pendingKeys.count))).description
      guard column + TextWidth.width(of: "\(rest) \(title)") < rect.endColumn else { break }
      column = put(rest, at: column, in: rect, theme[.footerKey])
      column = put(" \(title)", at: column, in: rect, theme[.footerText]) + 2
    }
  }
}
