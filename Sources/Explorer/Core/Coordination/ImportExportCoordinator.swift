import ApusClientRequests
import ApusFormatting
import ApusSecrets

/// Coordinates exporting and importing requests, which involve the endpoint and a tab's editors.
extension ExplorerState {
  /// Exports the request of the shown tab to the clipboard, with secrets replaced and references to the
  /// environment kept.
  func copyRequest(as form: RequestFormat) -> [Effect] {
    let editors = tab.editors
    var request = tab.draft
    request.definedNames = connection.environmentNames
    let redactor = Redactor(document: editors.query.text, references: request.declaredNames)
    let plain = request.plainValues(headers: editors.headers.text, redactor)
    request.url = connection.endpoint
    request.headers = headers.map { .init(name: $0.name, value: $0.exported) } + missingHeaders
    request.query = redactor.draft(document: request.query)
    request.variables = redactor.draft(variables: request.variables)
    request.extensions = redactor.draft(variables: tab.extensions.draft(for: connection.origin))
    request.operationName = editors.queryAnalysis.operations.count > 1 ? editors.operation?.name : nil
    request = request.inserting(plain)
    let withheld = tab.editors.headerOrigins.withheld(from: connection.origin)
    var missing = withheld.isEmpty ? [] : [Self.words(for: withheld)]
    if areExtensionsWithheld { missing.append(tab.extensions.notice) }
    let reason = missing.isEmpty ? nil : "Copied without \(missing.joined(separator: " and "))"
    return [.exchange(.copyRequest(request, as: form, reason: reason))]
  }

  /// Opens a single imported request; presents several to choose from.
  mutating func imported(_ answer: ImportResult) -> [Effect] {
    switch answer {
    case .failed(let reason):
      showNotice(reason, .warning)
      return []
    case .found(let requests, let leftOut):
      importNotes = leftOut
      if requests.count == 1, let one = requests.first { return open(one) }
      var items = [
        PickerItem(title: "All \(requests.count) requests", detail: "one tab for each", choice: .imported(requests))
      ]
      items += requests.map { one in
        PickerItem(title: one.title, detail: one.draft.shownURL, choice: .imported([one]))
      }
      items += leftOut.map { PickerItem(title: "Note: \($0)", tone: .warning, choice: .importNotes) }
      popups.present(Popup(PickerPopup(.imported, items: items)))
      return []
    }
  }

  /// Opens the requests that the user chose from an import, each in a tab.
  mutating func chooseImported(_ requests: [ImportedRequest]) -> [Effect] {
    if requests.count == 1, let one = requests.first { return open(one) }
    let current = tabs.shown.endpoint
    var effects: [Effect] = []
    for one in requests.prefix(Self.mostTabs) {
      let draft = one.draft.addressed
      effects = openTab(TabContent(draft), at: endpoint(ofImported: draft.url, importedAt: current))
      tabs.renameShown(one.title)
    }
    let rest = requests.count - Self.mostTabs
    let opened =
      rest > 0 ? "Opened the first \(Self.mostTabs) requests; \(rest) are not open" : "Opened \(requests.count) tabs"
    showNotice(importNotes.isEmpty ? opened : "\(opened). \(adviceOnNotes)")
    return effects
  }

  /// The maximum number of tabs that an import opens.
  private static var mostTabs: Int { 50 }

  /// The notice about the notes of an import.
  private var adviceOnNotes: String {
    if importNotes.count == 1, let only = importNotes.first, only.count <= 60 { return "Note: \(only)" }
    let count = DisplayFormat.plural(importNotes.count, "note")
    return "\"\(Command.showImportNotes.title)\" in the palette has \(count)"
  }

  /// Presents the notes of the last import in full.
  mutating func presentImportNotes() -> [Effect] {
    present(TopicPopup(Topic("import-notes", "Notes of the import", importNotes.joined(separator: "\n\n"))))
  }

  /// Opens an imported request in a tab and reports its unsupported features.
  private mutating func open(_ imported: ImportedRequest) -> [Effect] {
    let draft = imported.draft.addressed
    let effects = openTab(TabContent(draft), at: endpoint(ofImported: draft.url, importedAt: tabs.shown.endpoint))
    if !importNotes.isEmpty { showNotice("Imported. \(adviceOnNotes)", .warning) }
    return effects
  }
}

extension RequestDraft {
  /// The URL of an import with the values of its file, without secrets.
  fileprivate var shownURL: String {
    let redactor = Redactor(references: declaredNames)
    return redactor.url(TemplateText.inserting(plainValues(redactor), in: url, .plain))
  }
}

extension HeaderLine {
  /// The value to export; a secret is replaced by a reference to an environment variable.
  fileprivate var exported: SecretText {
    let name = "$\(EnvironmentName.of(field: name))"
    return (isSecret ? try? SecretText(name) : text) ?? SecretText(literal: isSecret ? name : value)
  }
}
