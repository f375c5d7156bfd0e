import ApusExplorerText

/// The only place where the state changes. Pure: what must happen outside is told as effects.
///
/// 1. What a person did is turned into a change here or, for the panes, in the files beside this one.
/// 2. What the world answers is taken only if it is about the newest run or text: an older answer is dropped.
/// 3. What is made of the response beside the loop is asked for when the response is no longer what it was made of.
package func update(_ state: inout ExplorerState, _ action: Action) -> [Effect] {
  respond(&state, to: action) + state.momentEffects() + state.derivedEffects()
}

private func respond(_ state: inout ExplorerState, to action: Action) -> [Effect] {
  switch action {
  case .started:
    return [.loadSchema, state.listing] + state.analysisEffects(for: .query)

  case .commandInvoked(let command):
    state.notice = nil
    return state.invoke(command)
  case .textTyped(let text):
    state.notice = nil
    return state.typeText(text)
  case .vimPressed(let key):
    state.notice = nil
    return state.pressVim(key)
  case .textPasted(let text):
    state.notice = nil
    return state.pasteText(text)
  case .inputClicked(let offset):
    state.inputLine?.place(offset)
    return []
  case .tabClicked(let index):
    state.notice = nil
    return state.showTab(index)
  case .placesLabelled(let targets):
    state.popups.append(.jump(JumpState(targets: targets)))
    return []
  case .widthDivided(let change):
    state.arrangement.widthChange = min(40, max(-35, change))
    return []
  case .heightDivided(let change):
    state.arrangement.heightChange = min(40, max(-35, change))
    return []
  case .paneClicked, .textClicked, .wordClicked, .rowClicked, .popupRowClicked, .scrolled, .popupScrolled:
    state.notice = nil
    return state.handlePointer(action)

  case .schemaLoaded(let typeCount, let example):
    state.schema = .loaded(typeCount: typeCount)
    if let example, state.awaitsExample, state.query.version == 0 {
      state.query = Editor(example, language: .graphQL)
    }
    state.awaitsExample = false
    // The text is judged anew: fields can be checked now.
    return state.analysisEffects(for: .query)
  case .schemaFailed(let reason):
    state.schema = .unavailable(reason)
    // The line has room for the reason, rather than for the endpoint that stands in it otherwise.
    let isNamed = !state.endpoint.isEmpty && reason.hasPrefix(state.endpoint)
    let said = isNamed ? "the server\(reason.dropFirst(state.endpoint.count))" : reason
    state.notice = Notice("No schema: \(said)", .warning)
    return []

  case .schemaChanged(let count):
    state.schemaNote = count == 1 ? "1 change" : "\(count) changes"
    state.notice = Notice("The schema has changed in \(count == 1 ? "1 place" : "\(count) places") since the last time")
    return []

  case .textAnalysed, .completionsFound, .queryFormatted, .editedExternally:
    return state.receiveTextAnswer(action)
  case .formFilled(let rows, let question):
    state.receiveForm(rows, question)
    return []
  case .writingAnswered(let answer):
    return state.receiveWritingAnswer(answer)

  case .runStarted, .resultReceived, .trafficObserved, .runCompleted, .runFailed, .clockTicked, .pageReceived,
    .pagesCompleted, .pagesFailed, .pagesReset, .cacheRead, .cacheUseFound, .eventsFiltered, .uploadAsked:
    return state.receiveRunAnswer(action)
  case .deliveryTaken: return []
  case .matchesFound, .responseFiltered, .filterFailed, .fileWritten, .valueWritten, .tableSorted:
    return state.receiveReading(action)
  case .laidOut, .linesFound, .placeFound:
    return state.receiveRaw(action)
  case .linkLeft(let link, let reason):
    let effects = state.copy(link)
    state.notice = Notice("\(reason): the link is copied instead", .warning)
    return effects
  case .pagingOffered(let offers):
    return state.receiveOffers(offers)

  case .cacheChanged, .recordsListed, .recordOpened, .recordGone:
    return state.receiveCacheAnswer(action)
  case .editPreviewed, .cacheEdited, .writesListed, .writeOpened, .cacheOpened:
    return state.receiveCacheEdit(action)

  case .connected, .schemaNoted, .historyRecorded, .historyFound, .historyOpened:
    return state.receiveKeptAnswer(action)
  case .personReturned: return state.fileChecks
  case .filesListed, .fileOpened, .fileSaved, .fileChangedOutside, .fileDiffers:
    return state.receiveFileAnswer(action)
  case .exported(let path):
    state.notice = Notice("Wrote \(path)")
    return []
  case .recordingChanged(let path):
    state.notice = Notice(
      path.map { "What arrives is recorded in \($0)" }
        ?? "The recording is whole: apus replay shows it again, with --explore on this screen")
    state.recordingPath = path
    return []
  case .productionRunConfirmed:
    return state.runOperation(isConfirmed: true)
  case .runElsewhereConfirmed(let entry):
    return state.open(entry, .runHere)
  case .uploadConfirmed(let request):
    return state.runAgain(request)
  case .asked(let confirmation):
    state.popups.append(.confirmation(confirmation))
    return []

  case .backgroundSeen(let index):
    if state.chosenTheme == nil, state.themes.indices.contains(index) { state.theme = index }
    return []

  case .operationFailed(let message), .answerNoted(let message):
    state.notice = Notice(message, .warning)
    return []
  }
}

extension ExplorerState {
  /// Does what a command asks, or says why it cannot.
  mutating func invoke(_ command: Command) -> [Effect] {
    if let effects = invokeInInput(command) { return effects }
    if let reason = reason(against: command) {
      notice = Notice(reason, .warning)
      return []
    }
    if let effects = popups.last?.state.perform(command, on: &self) { return effects }
    // What changes the word goes on completing it; anything else is done with it.
    if isCompleting, ![.deleteBackward, .complete, .completeOrIndent].contains(command) { popups.removeLast() }
    if ![.expandSelection, .shrinkSelection].contains(command) { selectionsBefore = [] }
    return command.action(&self)
  }

  mutating func present(_ popup: Popup) -> [Effect] {
    popups.append(popup)
    return []
  }

  mutating func showNextTheme() -> [Effect] {
    theme = (theme + 1) % max(1, themes.count)
    chosenTheme = themes[theme]
    notice = Notice("Theme: \(themes[theme])")
    return []
  }

  mutating func reloadSchema() -> [Effect] {
    schema = .loading
    return [.loadSchema]
  }

  mutating func toggleVimKeys() -> [Effect] {
    leaveVimModes()
    vim = vim == nil ? VimState() : nil
    notice = Notice(vim == nil ? "Vim keys are off" : "Vim keys are on")
    return []
  }

  mutating func quit() -> [Effect] {
    isQuitting = true
    return run?.isActive == true ? cancelWork() : []
  }

  mutating func focus(on pane: PaneID) -> [Effect] {
    if pane != focus { leaveVimModes() }
    focus = pane
    recentPanes.removeAll { $0 == pane }
    recentPanes.insert(pane, at: 0)
    popups.removeAll()
    return []
  }

  mutating func copyOrCancel() -> [Effect] {
    if popups.isEmpty || isCompleting, let text = editor?.selectedText, !text.isEmpty { return copy(text) }
    if isBusy { return cancelWork() }
    notice = Notice("Nothing is selected and nothing runs. Ctrl-Q quits")
    return []
  }

  mutating func closeOrCancel() -> [Effect] {
    if popups.popLast() != nil { return [] }
    if editor?.otherSelections.isEmpty == false {
      changeEditor { $0.leaveOneCursor() }
      return []
    }
    if focus == .cache, cache.isFiltering || cache.edit != nil { return clearRecordFilter() }
    if focus == .response, reading.events?.isOpen == true || reading.events?.filter.isEmpty == false {
      return clearReading()
    }
    if isBusy { return cancelWork() }
    if focus == .cache, !cache.filter.isEmpty, cache.openedKey == nil { return clearRecordFilter() }
    if let editor, editor.hasSelection { changeEditor { $0.place(editor.cursor) } }
    return []
  }

  mutating func copy(_ text: String) -> [Effect] {
    clipboard = text
    copiedHeaders = focus == .headers && headers.text.contains(text) ? text : nil
    guard text.utf8.count <= Self.clipboardLimit else {
      notice = Notice("This is more than a terminal takes for its clipboard: save the response instead", .warning)
      return []
    }
    let lines = text.utf8.count { $0 == 10 } + 1
    notice = Notice(lines > 1 ? "Copied \(lines) lines" : "Copied \(text.count) characters")
    return [.writeClipboard(text)]
  }

  /// Terminals and multiplexers cut or drop longer sequences.
  private static let clipboardLimit = 750_000

  var isCompleting: Bool {
    if case .completion = popups.last { true } else { false }
  }
}
