import ApusExplorerText

/// Coordinates the topmost popup with the features below it: passes input to it and handles choices.
extension ExplorerState {
  /// Sends input to the topmost popup and handles its answer; returns nil if there is no popup or it
  /// passes the input on.
  mutating func sendToPopup(_ question: (inout any PopupContent, ExplorerState) -> PopupResult) -> [Effect]? {
    guard var popup = popups.last?.state else { return nil }
    let answer = question(&popup, self)
    if answer.closes { popups.closeLast() } else { popups.replaceLast(with: Popup(popup)) }
    let effects = apply(answer.followUps)
    return answer.passesOn ? nil : effects
  }

  mutating func present(_ popup: some PopupContent) -> [Effect] {
    popups.present(Popup(popup))
    return []
  }

  mutating func choose(_ choice: PopupChoice) -> [Effect] {
    switch choice {
    case .position(let pane, let position): return clickText(in: pane) { $0.moveCursor(position) }
    case .edits(let edits, let pane, let version):
      // The edits apply only to the version of the text that they were computed for.
      guard pane == screen.focus, let editor, editor.version == version else {
        showNotice("The document has changed in the meantime", .warning)
        return []
      }
      return editText { changed in
        changed.apply(edits)
        // The cursor stays at the same text.
        changed.moveCursor(editor.cursor.moved(by: edits))
      }
    case .field(let path):
      let effects = focus(on: .query)
      return effects + (EditorSnapshot(self).map { [.text(.queryLanguageService(.field(path, $0)))] } ?? [])
    case .selection(let selection): changeText { $0.select(selection) }
    case .replacements(let edits):
      return editText {
        if edits.count == 1 { $0.replace(edits[0].range, with: edits[0].text) } else { $0.apply(edits) }
      }
    case .text(let command): return edit(command)
    case .completion(let completion): return accept(completion)
    case .form(let change): return self.change(change)
    case .pagingOffer(let offer): return accept(offer)
    case .vimCommand(let command): return doExCommand(command)
    case .vimSearch(let text, let isBackward): return searchInVim(text, isBackward: isBackward)
    case .vimModesLeft: leaveVimModes()

    case .responsePath(let path):
      tab.response.tree.reveal(path)
      return focus(on: .response)
    case .error(let error):
      tab.response.reading.view = .tree
      let effects = focus(on: .response)
      if let path = error.path { tab.response.tree.reveal(path) }
      tab.response.tree.select(error)
      return effects
    case .pages(let requested, let path): return apply(tab.response.load(requested, of: path))
    case .payload(let number): return apply(tab.response.show(payloadNumbered: number))
    case .miss(let miss): return go(to: miss)

    case .command(let command):
      screen.recentCommands = [command] + screen.recentCommands.filter { $0 != command }.prefix(7)
      return invoke(command)
    case .theme(let index, let isKept): if isKept { screen.chooseTheme(index) } else { screen.theme = index }
    case .cachePolicy(let id): return apply(tab.chooseCachePolicy(id))
    case .askForTimeLimit:
      return present(LinePopup(.timeLimit, text: tab.runOptions.timeLimit.map { "\($0)" } ?? ""))
    case .timeLimit(let text): return apply(tab.setTimeLimit(text))
    case .runOption(let option): return apply(tab.toggle(option))
    case .errorBehavior(let behavior): return apply(tab.choose(behavior))
    case .editReference(let name): return apply(tab.editReference(name))
    case .reference(let name, let value):
      return apply(tab.setReference(name, value, defined: connection.environmentNames)) + goToImportedURL()
    case .subscriptionURL(let url):
      return apply(tab.setSubscriptionURL(url, for: connection.origin, defined: connection.environmentNames))
    case .imported(let requests): return chooseImported(requests)
    case .importNotes: return presentImportNotes()
    case .endpoint(let id):
      otherEndpointRun = nil
      return go(to: id, inTab: tabs.shown.id)
    case .otherEndpoint(let id): return runOnOtherEndpoint(id)
    case .tabName(let name): tabs.renameShown(name)
    case .headerOfValue(let text, let path, let run): return use(text, at: path, ofRun: run)
    case .requestExtensions(let text): return apply(tab.extensions.apply(text, at: connection.origin))
    case .textFile(let path): return askForSecretOfFile() ?? apply(tabs.save(as: path))
    case .runFile(let path): return apply(tab.response.saveRun(as: path))
    case .trafficFile(let path): return apply(tab.response.saveTraffic(as: path))
    case .responseFile(let path): return apply(tab.response.save(as: path))
    case .schemaFile(let path): return apply(connection.loadSchema(.file(path)))
    }
    return []
  }
}
