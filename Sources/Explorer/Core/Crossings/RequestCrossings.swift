import ApusSecrets

/// Requests handed on and taken in: they are made of the endpoint and of a tab's texts. This crosses rooms.
extension ExplorerState {
  /// Copies the request of the shown tab for others: secrets are replaced, what refers to the environment stays.
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

  /// A request is opened; of several a person chooses.
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

  /// Opens what was chosen of an import's list.
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

  /// More tabs at once are no help.
  private static var mostTabs: Int { 50 }

  /// Opens what was pasted in a tab of its own, and tells what of it is another here.
  mutating func imported(_ request: ExchangedRequest) -> [Effect] {
    let effects = openTab(TabContent(request))
    offerToGo(to: request.url, for: "The request is")
    if !request.leftOut.isEmpty { tell("Left out: \(request.leftOut.joined(separator: ", "))", .warning) }
    return effects
  }

  /// Asks whether to go where imported requests are sent; a URL that still has a variable in it leads nowhere.
  private mutating func offerToGo(to url: String, for whom: String) {
    // Where this leads to is no longer what an operation was to run at, too.
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
    // Where the request is sent in the end, its headers stay those of the server that it names.
    texts.headerOrigins = HeaderOrigins(importing: headers, for: Origin(url: request.url))
  }
}

extension HeaderLine {
  /// The value for others: a variable stands for a secret.
  fileprivate var handedOn: SecretText {
    let name = "$\(Self.environmentName(of: name))"
    return (isSecret ? try? SecretText(name) : text) ?? SecretText(literal: isSecret ? name : value)
  }

  /// The variable that replaces the value of a header field: `X-Api-Key` becomes `X_API_KEY`.
  package static func environmentName(of name: String) -> String {
    let name = String(name.uppercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
    return name.first?.isNumber == true ? "_\(name)" : name
  }
}
