import ApusSecrets

/// Coordinates exporting and importing requests, which involve the endpoint and a tab's editors.
extension ExplorerState {
  /// Exports the request of the shown tab to the clipboard, with secrets replaced and references to the
  /// environment kept.
  func copyRequest(as form: RequestFormat) -> [Effect] {
    let editors = tab.editors
    let redactor = Redactor(document: editors.query.text)
    var request = PortableRequest(
      url: connection.endpoint,
      headers: headers.map { .init(name: $0.name, value: $0.handedOn) },
      query: redactor.document(editors.query.text), variables: redactor.variables(editors.variables.text),
      operationName: editors.queryAnalysis.operations.count > 1 ? editors.operation?.name : nil,
      cachePolicy: tab.hasUsualCachePolicy ? nil : tab.cachePolicy)
    request.extensions = redactor.variables(tab.extensions.text(for: connection.origin))
    request.options = tab.runOptions
    let withheld = tab.editors.headerOrigins.withheld(from: connection.origin)
    var missing = withheld.isEmpty ? [] : [Self.words(for: withheld)]
    if areExtensionsWithheld { missing.append(tab.extensions.notice) }
    let reason = missing.isEmpty ? nil : "Copied without \(missing.joined(separator: " and "))"
    return [.copyRequest(request, as: form, reason: reason)]
  }

  /// Opens a single imported request; presents several to choose from.
  mutating func imported(_ answer: ImportResult) -> [Effect] {
    switch answer {
    case .failed(let reason):
      showNotice(reason, .warning)
      return []
    case .found(let requests, let leftOut):
      if requests.count == 1, var request = requests.first?.request {
        request.leftOut += leftOut
        return imported(request)
      }
      var items = [
        PickerItem(title: "All \(requests.count) requests", detail: "one tab for each", choice: .imported(requests))
      ]
      items += requests.map { one in
        PickerItem(title: one.title, detail: RedactedURL.withoutSecrets(one.request.url), choice: .imported([one]))
      }
      items += leftOut.map { words in
        let title = "Note: \(words)"
        return PickerItem(title: title, tone: .warning, choice: .leftOut(title))
      }
      popups.present(Popup(PickerPopup(.imported, items: items)))
      return []
    }
  }

  /// Opens the requests that the user chose from an import, each in a tab.
  mutating func chooseImported(_ requests: [ImportedRequest]) -> [Effect] {
    if requests.count == 1, let one = requests.first { return imported(one.request) }
    let current = tabs.shown.endpoint
    var effects: [Effect] = []
    for one in requests.prefix(Self.mostTabs) {
      effects = openTab(TabContent(one.request), at: endpoint(ofImported: one.request.url, importedAt: current))
      tabs.renameShown(one.title)
    }
    let rest = requests.count - Self.mostTabs
    showNotice(
      rest > 0 ? "Opened the first \(Self.mostTabs) requests; \(rest) are not open" : "Opened \(requests.count) tabs")
    return effects
  }

  /// The maximum number of tabs that an import opens.
  private static var mostTabs: Int { 50 }

  /// Opens an imported request in a tab and reports its unsupported features.
  mutating func imported(_ request: PortableRequest) -> [Effect] {
    let effects = openTab(TabContent(request), at: endpoint(ofImported: request.url, importedAt: tabs.shown.endpoint))
    if !request.leftOut.isEmpty { showNotice("Imported. Note: \(request.leftOut.joined(separator: "; "))", .warning) }
    return effects
  }
}

extension TabContent {
  fileprivate init(_ request: PortableRequest) {
    let headers = request.headers.map { "\($0.name): \($0.value.source)" }.joined(separator: "\n")
    self.init(query: request.query, variables: request.variables, headers: headers)
    extensions = RequestExtensions(request.extensions, for: .init(imported: request.url))
    runOptions = request.options
    // The headers stay bound to the server named in the request, wherever it is sent.
    editors.headerOrigins = HeaderOrigins(importing: headers, for: Origin(url: request.url))
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
