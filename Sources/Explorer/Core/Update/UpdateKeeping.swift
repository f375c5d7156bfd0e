import ApusClientFormats
import ApusExplorerText
import ApusJSON
import ApusSecrets

/// The history, files of collections, and requests handed on and taken in.
extension ExplorerState {
  mutating func openFile() -> [Effect] {
    present(.picker(PickerState(.files, items: []))) + [.listFiles]
  }

  mutating func saveFile() -> [Effect] {
    guard let file = tabs[shownTab].file else { return askForFileName() }
    return [.saveFile(tab: tabs[shownTab].id, file, query: query.text, variables: variables.text, overwrites: false)]
  }

  mutating func askForFileName() -> [Effect] {
    let name =
      tabs[shownTab].file?.path ?? queryAnalysis.operations.lazy.compactMap(\.name).first.map { "\($0).graphql" }
    return present(.line(LineState(.fileName, text: name ?? "")))
  }

  mutating func recordSession() -> [Effect] {
    if recordingPath != nil { return [.record(to: nil)] }
    return present(.line(LineState(.recordingFile, text: "session.ndjson")))
  }

  mutating func askForResponseFile() -> [Effect] {
    let name = run?.operation?.name.map { "\($0).response.json" } ?? "response.json"
    return present(.line(LineState(.responseFile, text: name)))
  }

  /// The request of the shown tab for others: secrets are replaced, what refers to the environment stays.
  var shared: SharedRequest {
    let redactor = Redactor(document: query.text)
    var shared = SharedRequest(
      url: endpoint,
      headers: HeaderLine.all(in: headers.buffer).map {
        .init(name: $0.name, value: $0.handedOn)
      },
      query: redactor.document(query.text), variables: redactor.variables(variables.text),
      operationName: queryAnalysis.operations.count > 1 ? queryAnalysis.operation(at: query.cursor.line)?.name : nil)
    shared.cachePolicy = hasUsualCachePolicy ? nil : cachePolicy.rawValue
    return shared
  }

  /// A run has ended: what the history keeps of it.
  func historyEffects(_ status: HistoryEntry.Status) -> [Effect] {
    guard let run, let request = run.request else { return [] }
    return [
      .recordHistory(
        HistoryEntry(
          endpoint: endpoint, operation: run.operation?.title ?? "operation", query: request.text,
          variables: request.variables, cachePolicy: request.cachePolicy, status: status, errorCount: run.errors.count,
          elapsed: run.elapsed,
          byteCount: run.byteCount, response: status == .complete ? response.data : nil,
          hidden: status == .complete ? response.hidden : nil))
    ]
  }

  mutating func importRequest(_ text: String) -> [Effect] {
    guard let request = SharedRequest(importing: ForeignText(text)) else {
      notice = Notice("This is neither a curl command nor an HTTP request with a GraphQL document", .warning)
      return []
    }
    var content = TabContent()
    content.query = Editor(request.query, language: .graphQL)
    content.variables = Editor(request.variables, language: .json)
    content.headers = Editor(
      request.headers.map { "\($0.name): \($0.value.source)" }.joined(separator: "\n"), language: .plain)
    addTab(content)
    var words: [String] = []
    if request.url != endpoint { words.append("It went to \(request.url.prefix { $0 != "?" }); this is \(endpoint)") }
    if !request.leftOut.isEmpty { words.append("Left out: \(request.leftOut.joined(separator: ", "))") }
    notice =
      words.isEmpty ? nil : Notice(words.joined(separator: " · "), request.leftOut.isEmpty ? .information : .warning)
    return focus(on: .query) + analysisEffects(for: .query)
  }

  mutating func saveAs(_ path: String) -> [Effect] {
    guard !path.isEmpty else { return [] }
    let hasEnding = path.hasSuffix(".graphql") || path.hasSuffix(".gql")
    let file = CollectionFile(path: hasEnding ? path : path + ".graphql", savedQuery: "", savedVariables: "")
    return [.saveFile(tab: tabs[shownTab].id, file, query: query.text, variables: variables.text, overwrites: false)]
  }

  /// Whether the shown tab's file was changed outside is asked when somebody looks at it.
  var fileChecks: [Effect] {
    tabs[shownTab].file.map { [.checkFile(tab: tabs[shownTab].id, $0)] } ?? []
  }

  /// Takes the file as it is now, unless the tab has changes of its own.
  private mutating func takeOutsideChange(_ file: CollectionFile, _ index: Int) -> [Effect] {
    guard let held = tabs[index].file, held.path == file.path, held != file else { return [] }
    if isUnsaved(tab: index) {
      guard tabs[index].seenOutside != file else { return [] }
      tabs[index].seenOutside = file
      notice = Notice("\(file.path) was changed outside; the tab has changes of its own", .warning)
      return []
    }
    let effects = inTab(index) { state -> [Effect] in
      state.query.setText(file.savedQuery)
      state.variables.setText(file.savedVariables)
      return state.analysisEffects(for: .query)
    }
    tabs[index].file = file
    notice = Notice("\(file.path) was changed outside and read again")
    return index == shownTab ? effects : []
  }

  mutating func receiveFileAnswer(_ action: Action) -> [Effect] {
    switch action {
    case .filesListed(let items):
      guard case .picker(var picker)? = popups.last, picker.purpose == .files else { return [] }
      picker.items = items
      popups[popups.count - 1] = .picker(picker)
    case .fileOpened(let file): return opened(file)
    case .fileDiffers(let tab, let file):
      return tabs.firstIndex { $0.id == tab }.map { takeOutsideChange(file, $0) } ?? []
    case .fileSaved(let tab, let file):
      guard let index = tabs.firstIndex(where: { $0.id == tab }) else { return [] }
      tabs[index].file = file
      notice = Notice("Saved \(file.path)")
    case .fileChangedOutside(let tab, let file):
      guard let index = tabs.firstIndex(where: { $0.id == tab }) else { return [] }
      popups.append(
        .confirmation(
          Confirmation(
            question: "Overwrite \(file.path)?", detail: "The file was changed outside since it was read.",
            effect: inTab(index) {
              .saveFile(tab: tab, file, query: $0.query.text, variables: $0.variables.text, overwrites: true)
            })))
    default: break
    }
    return []
  }

  /// A file that a tab holds already is shown there, and read anew unless it has unsaved changes.
  private mutating func opened(_ file: CollectionFile) -> [Effect] {
    if let index = tabs.firstIndex(where: { $0.file?.path == file.path }) {
      let effects = showTab(index)
      tabs[index].seenOutside = nil
      return effects + takeOutsideChange(file, index)
    }
    var content = TabContent()
    content.query = Editor(file.savedQuery, language: .graphQL)
    content.variables = Editor(file.savedVariables, language: .json)
    addTab(content, file: file)
    return focus(on: .query) + analysisEffects(for: .query)
  }
}

extension HeaderLine {
  /// The value for others: a variable stands for a secret.
  fileprivate var handedOn: SecretText {
    let name = "$\(environmentName)"
    return (isSecret ? try? SecretText(name) : text) ?? SecretText(literal: isSecret ? name : value)
  }

  fileprivate var environmentName: String {
    String(name.uppercased().map { $0.isLetter || $0.isNumber ? $0 : "_" })
  }
}
