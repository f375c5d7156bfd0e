import ApusJSON

/// Coordinates the sign-in at an endpoint with its dialog and its schema.
extension ExplorerState {
  mutating func receive(_ answer: SignInAction, of id: EndpointID) -> [Effect] {
    guard endpoints.contains(id) else { return [] }
    switch answer {
    case .needed: return id == tabs.shown.endpoint ? beginSignIn() : []
    case .shown(let step):
      popups.change(SignInPopup.self) { if $0.endpoint == id { $0.step = step } }
      return []
    case .completed(let message):
      popups.closeSignIn(at: id)
      let effects = credentialsRenewed(at: id)
      showNotice(message)
      return effects
    case .valueUsed(let message):
      endpoints[id].connection.renewsCredentials = true
      let effects = credentialsRenewed(at: id)
      showNotice(message)
      return effects
    case .signedOut(let message):
      showNotice(message)
      return []
    case .failed(let reason):
      popups.closeSignIn(at: id)
      showNotice(reason, .warning)
      return []
    }
  }

  var reasonAgainstUsingValue: String? {
    let response = tab.response
    guard response.run != nil, let path = response.pathAtHand, response.text(at: path) != nil else {
      return "Select a text of the response, such as a token"
    }
    return connection.isReplay ? "A recording answers, so nothing is sent" : nil
  }

  /// Asks for the header that the selected value becomes.
  mutating func offerValueAsHeader() -> [Effect] {
    guard let path = tab.response.pathAtHand, let run = tab.response.run else { return [] }
    return present(
      LinePopup(.headerOfValue(path, run: run.id, host: connection.host), text: "Authorization: Bearer"))
  }

  mutating func use(_ text: String, at path: ResponsePath, ofRun id: Int) -> [Effect] {
    guard let header = HeaderOfValue(text) else {
      showNotice("Write the header as NAME or NAME: PREFIX, such as Authorization: Bearer", .warning)
      return []
    }
    return [.endpoint(.useValue(header, at: path, run: id))]
  }

  /// Shows the dialog and starts the sign-in at the shown endpoint, unless the dialog is open.
  mutating func beginSignIn() -> [Effect] {
    let id = tabs.shown.endpoint
    guard !popups.all.contains(where: { $0.state is SignInPopup }) else { return [] }
    popups.present(Popup(SignInPopup(endpoint: id, step: SignInStep(profile: connection.label))))
    return [.at(id, .endpoint(.signIn))]
  }
}

extension PopupStack {
  fileprivate mutating func closeSignIn(at id: EndpointID) {
    removeAll { ($0.state as? SignInPopup)?.endpoint == id }
  }
}
