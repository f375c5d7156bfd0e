import ApusClientRequests
import ApusExplorerText
import ApusJSON
import ApusSecrets

/// Saving the content of the shown tab to files.
extension Tabs {
  mutating func save() -> [FollowUp] {
    guard let file = shown.file else { return askForFileName() }
    return save(to: file)
  }

  /// Saves the texts with the plain values of their references, because a file has no values.
  private mutating func save(to file: CollectionFile) -> [FollowUp] {
    let changed = shown.content.insertPlainValues()
    let editors = shown.content.editors
    let save = FileEffect.save(
      tab: shown.id, file, query: editors.query.text, variables: editors.variables.text, overwrites: false)
    return changed.map { .effect($0) } + [.effect(.file(save))]
  }

  func askForFileName() -> [FollowUp] {
    let operations = shown.content.editors.queryAnalysis.operations
    let name = shown.file?.path ?? operations.lazy.compactMap(\.name).first.map { "\($0).graphql" }
    return [.present(Popup(LinePopup(.fileName, text: name ?? "")))]
  }

  mutating func save(as path: String) -> [FollowUp] {
    guard !path.isEmpty else { return [] }
    let hasEnding = path.hasSuffix(".graphql") || path.hasSuffix(".gql")
    var file = CollectionFile(path: hasEnding ? path : path + ".graphql", savedQuery: "", savedVariables: "")
    file.lineEnd = shown.file?.lineEnd ?? .lineFeed
    return save(to: file)
  }
}

extension TabContent {
  /// Writes plain values in place of the references in the query and the variables, as an undo step.
  fileprivate mutating func insertPlainValues() -> [Effect] {
    let draft = draft
    let values = draft.plainValues(
      headers: editors.headers.text, Redactor(document: draft.query.text, references: draft.declaredNames))
    guard !values.isEmpty else { return [] }
    return [PaneID.query, .variables].flatMap { editors.insert(values, in: $0) }
  }
}

extension ResponseFeature {
  func askForFileName() -> [FollowUp] {
    let ending = view == .events ? "events.ndjson" : "response.json"
    // An entry of the history has the title of its operation: "query Birds".
    let title = opened?.operation.split(separator: " ").dropFirst().first.map(String.init)
    let name = (run?.operation?.name ?? title).map { "\($0).\(ending)" } ?? ending
    return [.present(Popup(LinePopup(.responseFile, text: name)))]
  }

  /// Saves the response, or the listed events of a subscription as one line each.
  func save(as path: String) -> [FollowUp] {
    if view == .events, !path.isEmpty {
      let events =
        reading.events?.shown.compactMap { payloads.result(ofPayload: $0.payloadIndex) }.map(wholeEvent) ?? []
      return [.effect(.export(.events(events, to: path)))]
    }
    guard content != .nothing, !path.isEmpty else { return [] }
    return [.effect(.export(.response(tree.complete, to: path)))]
  }

  func wholeEvent(_ result: RunResult) -> VisibleJSON {
    VisibleJSON(response: result.data, result.errors, result.extensions, hidden: run?.operation?.hidden)
  }

  // MARK: Runs

  func askForRunFile() -> [FollowUp] {
    let name = run?.operation?.name.map { "\($0).recording.ndjson" } ?? "run.ndjson"
    return [.present(Popup(LinePopup(.runFile, text: name)))]
  }

  var reasonAgainstSavingRun: String? {
    guard let run else { return opened == nil ? "No operation has been run" : Self.keptAlone }
    if run.isRestored { return Self.fromLastTime }
    return run.isActive ? "The operation is still running" : nil
  }

  func saveRun(as path: String) -> [FollowUp] {
    guard let run, !path.isEmpty else { return [] }
    return [.effect(.run(run.id, .save(to: path)))]
  }

  func saveTraffic(as path: String) -> [FollowUp] {
    guard let traffic, !path.isEmpty else { return [] }
    return [.effect(.export(.text(TrafficReport(traffic).text, to: path, overwrites: false)))]
  }
}
