import ApusJSON

/// Saving the content of the shown tab to files.
extension Tabs {
  func save() -> [FollowUp] {
    guard let file = shown.file else { return askForFileName() }
    return [save(to: file)]
  }

  private func save(to file: CollectionFile) -> FollowUp {
    let editors = shown.content.editors
    return .effect(
      .saveFile(tab: shown.id, file, query: editors.query.text, variables: editors.variables.text, overwrites: false))
  }

  func askForFileName() -> [FollowUp] {
    let operations = shown.content.editors.queryAnalysis.operations
    let name = shown.file?.path ?? operations.lazy.compactMap(\.name).first.map { "\($0).graphql" }
    return [.present(Popup(LinePopup(.fileName, text: name ?? "")))]
  }

  func save(as path: String) -> [FollowUp] {
    guard !path.isEmpty else { return [] }
    let hasEnding = path.hasSuffix(".graphql") || path.hasSuffix(".gql")
    return [
      save(to: CollectionFile(path: hasEnding ? path : path + ".graphql", savedQuery: "", savedVariables: ""))
    ]
  }
}

extension ResponseFeature {
  func askForFileName() -> [FollowUp] {
    let ending = view == .events ? "events.ndjson" : "response.json"
    let name = run?.operation?.name.map { "\($0).\(ending)" } ?? ending
    return [.present(Popup(LinePopup(.responseFile, text: name)))]
  }

  /// Saves the response, or the listed events of a subscription as one line each.
  func save(as path: String) -> [FollowUp] {
    if view == .events, !path.isEmpty {
      let events = reading.events?.shown.compactMap { parts.result(ofPart: $0.part) }.map(wholeEvent) ?? []
      return [.effect(.exportEvents(events, to: path))]
    }
    guard let data = tree.data, !path.isEmpty else { return [] }
    // Saves the complete response (GraphQL, section 7.1), because the data is misleading without its errors.
    var members: [(String, JSONValue)] = [("data", data)]
    if let errors = run?.errors, !errors.isEmpty { members.append(("errors", .array(errors.map(\.json)))) }
    if let extensions = run?.extensions { members.append(("extensions", extensions)) }
    let hidden = tree.hidden.map { HiddenFields(names: [], children: ["data": $0]) }
    return [.effect(.exportResponse(VisibleJSON(.object(members), without: hidden), to: path))]
  }

  private func wholeEvent(_ result: RunResult) -> VisibleJSON {
    var members: [(String, JSONValue)] = [("data", result.data ?? .null)]
    if !result.errors.isEmpty { members.append(("errors", .array(result.errors.map(\.json)))) }
    if let extensions = result.extensions { members.append(("extensions", extensions)) }
    return VisibleJSON(.object(members), without: run?.operation.map { HiddenFields(children: ["data": $0.hidden]) })
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
    return [.effect(.saveRun(run.id, to: path))]
  }

  func saveTraffic(as path: String) -> [FollowUp] {
    guard let traffic, !path.isEmpty else { return [] }
    return [.effect(.export(TrafficReport(traffic).text, to: path, overwrites: false))]
  }
}
