import ApusExplorerText

/// Changes the state for an action and returns the effects to perform. This pure function is the only place that
/// changes the state.
///
/// 1. Each action goes to its feature. Logic that involves several features is in the coordinators.
/// 2. Results from the environment are used only for the newest run or text; outdated results are dropped.
/// 3. Values derived from the response in the background are requested again when the response has changed.
package func update(_ state: inout ExplorerState, _ action: Action) -> [Effect] {
  state.bindHeaders()
  let endpoint = state.tabs.shown.endpoint
  var effects = state.distribute(action)
  state.bindHeaders()
  state.tab.response.markEventsSeen()
  effects += state.openWaitingEndpoint()
  if state.tabs.shown.endpoint != endpoint { effects += state.showEndpoint() }
  return effects + state.momentEffects() + state.derivedEffects() + state.askForRefusedSchema()
    + state.closeUnusedEndpoints()
}

extension ExplorerState {
  /// Applies an action. An action about an endpoint is about the one of the shown tab unless it is from another one.
  mutating func distribute(_ action: Action, from sender: EndpointID? = nil) -> [Effect] {
    let endpoint = sender ?? tabs.shown.endpoint
    switch action {
    case .from(let endpoint, let action): return distribute(action, from: endpoint)
    case .started:
      return begin() + [cache.listing] + tab.editors.analysisEffects(for: .query) + beginTap()

    case .commandInvoked(let command): return dismissingNotice { $0.invoke(command) }
    case .textTyped(let text): return dismissingNotice { $0.typeText(text) }
    case .vimPressed(let key): return dismissingNotice { $0.pressVim(key) }
    case .textPasted(let text): return dismissingNotice { $0.pasteText(text) }
    case .inputClicked(let offset): inputLine?.moveCursor(offset)
    case .paneClicked(let pane): return dismissingNotice { $0.focus(on: pane) }
    case .tabClicked(let index): return dismissingNotice { $0.showTab(index) }
    case .textClicked(let pane, let position, let extending):
      return dismissingNotice { $0.clickText(in: pane) { $0.moveCursor(position, selecting: extending) } }
    case .wordClicked(let pane, let position):
      return dismissingNotice { $0.clickText(in: pane) { $0.selectWord(at: position) } }
    case .rowClicked(let pane, let row, let onFold):
      return dismissingNotice { $0.clickRow(row, in: pane, onFold: onFold) }
    case .popupRowClicked(let row):
      return dismissingNotice { $0.sendToPopup { $0.click(row: row, in: $1) } ?? [] }
    case .scrolled(let pane, let lines):
      screen.notice = nil
      scroll(pane, by: lines)
    case .popupScrolled(let lines): return dismissingNotice { $0.invoke(lines > 0 ? .popupDown : .popupUp) }
    case .targetsLabeled(let targets): return present(JumpPopup(targets: targets))
    case .widthDivided(let change): screen.arrangement.divide(width: change)
    case .heightDivided(let change): screen.arrangement.divide(height: change)
    case .viewed(let view): viewed(view)
    case .userReturned: return tabs.fileChecks
    case .backgroundDetected(let index): screen.backgroundSeen(theme: index)
    case .focusChanged(let isInFocus): screen.isInFocus = isInFocus

    case .schema(let answer): return receive(answer, of: endpoint)
    case .text(let answer): return receive(answer)
    case .run(let id, let answer): return receive(answer, of: id) + endedHere(id, answer)
    case .reading(let answer): return apply(tab.response.receive(answer))
    case .cache(let answer): return receive(answer, of: endpoint)
    case .file(let answer): return receive(answer)
    case .history(let answer): return receive(answer)
    case .session(let answer): return receive(answer)
    case .audit(let id, let answer): receive(answer, of: id, at: endpoint)
    case .requests(let action): return receive(action)

    case .connected(let choice, let workspace): return connected(to: choice, workspace, at: endpoint)
    case .cacheChanged(let runs): return cacheChanged(runs, at: endpoint)
    case .credentialsRenewed: return credentialsRenewed(at: endpoint)
    case .signIn(let answer): return receive(answer, of: endpoint)
    case .editPreviewed(let edit, let detail): popups.previewed(edit, detail)
    case .formFilled(let rows, let question): popups.change(FormPopup.self) { $0.filled(rows, for: question) }
    case .writingAnswered(let answer): return receive(answer)
    case .pagingOffered(let offers): return apply(tab.response.offered(offers))
    case .confirmationRequested(let question): return sender.map { ask(question, before: $0) } ?? present(question)
    case .quitConfirmed: return quit(isConfirmed: true)
    case .productionRunConfirmed(let shown): return runAsShown(shown)
    case .runElsewhereConfirmed(let entry): return open(entry, .runHere)
    case .endpointConfirmed(let word, let tab): return go(to: word, inTab: tab)
    case .importedEndpointDeclined(let id): return decline(id)
    case .uploadConfirmed(let request): return runAgain(request)
    case .auditConfirmed: return startAudit()
    case .withheldHeadersAnswered(let question, let sends): return answer(question, sends: sends)
    case .valueWritten(let text, let reason): return copy(text, because: reason)
    case .requestImported(let answer): return imported(answer)
    case .importOffered(let answer, let text): return offerImport(answer, of: text)
    case .importDeclined(let text): return pasteAsText(text)
    case .linkCopied(let link, let reason): return copy(link, because: "\(reason); copied the link instead")
    case .textCopied(let text, let way, let reason): return copied(text, way, because: reason)

    case .receiptReleased: break
    case .fileWritten(let name): showNotice("Written: \(name)")
    case .exported(let path): showNotice("Wrote \(path)")
    case .fileExists(let path, let text): return askToOverwrite(path, with: text)
    case .recordingChanged(let path): recordingChanged(path)
    case .recordsNoted(let message): showNotice(message, .warning)
    case .operationFailed(let message): operationFailed(message, at: sender)
    }
    return []
  }

  /// Returns the effects that recompute derived values of the shown content that are outdated.
  mutating func derivedEffects() -> [Effect] {
    var effects = tab.response.derivedEffects()
    alignPinned()
    let editors = tab.editors
    popups.change(FormPopup.self) { form in
      if let effect = form.fill(from: editors.query, editors.variables) { effects.append(effect) }
    }
    return effects
  }

  /// Handles user input, which dismisses the notice.
  private mutating func dismissingNotice(_ handle: (inout ExplorerState) -> [Effect]) -> [Effect] {
    screen.notice = nil
    return handle(&self)
  }

  private mutating func askToOverwrite(_ path: String, with text: String) -> [Effect] {
    present(
      ConfirmationPopup(
        question: "Overwrite \(path)?", detail: "The file exists already.",
        confirmation: .effect(.export(.text(text, to: path, overwrites: true)))))
  }

  private mutating func recordingChanged(_ path: String?) {
    showNotice(
      path.map { "Recording incoming data to \($0)" }
        ?? "Recording finished: view it with apus replay, or apus replay --explore for this screen")
    recordingPath = path
  }

  private mutating func operationFailed(_ message: String, at endpoint: EndpointID?) {
    if let endpoint { return connectingFailed(message, at: endpoint) }
    otherEndpointRun = nil
    showNotice(message, .warning)
  }

  mutating func showNotice(_ text: String, _ kind: Notice.Kind = .information) { screen.notice = Notice(text, kind) }
}
