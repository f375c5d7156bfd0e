import ApusSecrets

/// Coordinates exporting and importing requests, which involve the endpoint and a tab's editors.
extension ExplorerState {
  /// Exports the request of the shown tab to the clipboard, with secrets replaced and references to the
  /// environment kept.
  func handOn(as form: RequestForm) -> [Effect] {
    let texts = tab.texts
    let redactor = Redactor(document: texts.query.text)
    var request = ExchangedRequest(
      url: connection.endpoint,
      headers: headers.map { .init(name: $0.name, value: $0.handedOn) },
      query: redactor.document(texts.query.text), variables: redactor.variables(texts.variables.text),
      operationName: texts.queryAnalysis.operations.count > 1 ? texts.operation?.name : nil,
      cachePolicy: tab.hasUsualCachePolicy ? nil : tab.cachePolicy)
    request.extensions = redactor.variables(tab.extensions.text(for: connection.origin))
    let withheld = tab.texts.headerOrigins.withheld(from: connection.origin)
    var missing = withheld.isEmpty ? [] : [Self.words(for: withheld)]
    if areExtensionsWithheld { missing.append(tab.extensions.notice) }
    let reason = missing.isEmpty ? nil : "Copied without \(missing.joined(separator: " and "))"
    return [.handOn(request, as: form, reason: reason)]
  }

  /// Opens a single imported request; presents several to choose from.
  mutating func imported(_ answer: ImportAnswer) -> [Effect] {
    switch answer {
    case .failed(let reason):
      tell(reason, .warning)
      return []
    case .found(let requests, let leftOut):
      if requests.count == 1, var request = requests.first?.request {
        request.leftOut += leftOut
        return imported(request)
      }
      var items = [
        PickerItem(title: "All \(requests.count) requests", detail: "a tab each", choice: .imported(requests))
      ]
      items += requests.map { one in
        PickerItem(title: one.title, detail: ShownURL.withoutSecrets(one.request.url), choice: .imported([one]))
      }
      items += leftOut.map { words in
        let title = "Left out: \(words)"
        return PickerItem(title: title, tone: .warning, choice: .leftOut(title))
      }
      popups.present(Popup(PickerState(.imported, items: items)))
      return []
    }
  }

  /// Opens the requests that the user chose from an import, each in a tab.
  mutating func chooseImported(_ requests: [ImportedRequest]) -> [Effect] {
    if requests.count == 1, let one = requests.first { return imported(one.request) }
    var effects: [Effect] = []
    for one in requests.prefix(Self.mostTabs) {
      effects = openTab(TabContent(one.request))
      tabs.renameShown(one.title)
    }
    let places = Set(requests.map(\.request.url))
    if places.count == 1, let place = places.first { offerToGo(to: place, for: "The requests are") }
    let rest = requests.count - Self.mostTabs
    tell(rest > 0 ? "The first \(Self.mostTabs) are open; \(rest) are not" : "\(requests.count) tabs were opened")
    return effects
  }

  /// The maximum number of tabs that an import opens.
  private static var mostTabs: Int { 50 }

  /// Opens an imported request in a tab and reports its unsupported features.
  mutating func imported(_ request: ExchangedRequest) -> [Effect] {
    let effects = openTab(TabContent(request))
    offerToGo(to: request.url, for: "The request is")
    if !request.leftOut.isEmpty { tell("Left out: \(request.leftOut.joined(separator: ", "))", .warning) }
    return effects
  }

  /// Asks whether to switch to the URL of imported requests, unless it still contains a variable.
  private mutating func offerToGo(to url: String, for whom: String) {
    // This switch must not continue a run on another endpoint.
    elsewhere = nil
    guard url != connection.endpoint, !url.isEmpty, !url.contains("{{") else { return }
    let place = ShownURL.withoutSecrets(url)
    popups.present(
      Popup(
        Confirmation(
          question: "Go to \(place)?",
          detail: "\(whom) for it; \(connection.isOpen ? "this is \(connection.endpoint)" : "nothing is open").",
          lines: place == url ? [] : ["The whole URL:", Redactor().text(url)],
          effect: .connect(url))))
  }
}

extension TabContent {
  fileprivate init(_ request: ExchangedRequest) {
    let headers = request.headers.map { "\($0.name): \($0.value.source)" }.joined(separator: "\n")
    self.init(query: request.query, variables: request.variables, headers: headers)
    extensions = RequestExtensions(request.extensions, for: .init(imported: request.url))
    // The headers stay bound to the server named in the request, wherever it is sent.
    texts.headerOrigins = HeaderOrigins(importing: headers, for: Origin(url: request.url))
  }
}

extension HeaderLine {
  /// The value to export; a secret is replaced by a reference to an environment variable.
  fileprivate var handedOn: SecretText {
    let name = "$\(Self.environmentName(of: name))"
    return (isSecret ? try? SecretText(name) : text) ?? SecretText(literal: isSecret ? name : value)
  }

  /// Returns the environment variable that replaces the value of a header field: `X_API_KEY` for `X-Api-Key`.
  package static func environmentName(of name: String) -> String {
    let name = String(name.uppercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
    return name.first?.isNumber == true ? "_\(name)" : name
  }
}
