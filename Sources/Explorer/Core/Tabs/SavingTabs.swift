import ApusJSON

/// Saving what the shown tab holds to files.
extension Tabs {
  func save() -> [FollowUp] {
    guard let file = shown.file else { return askForFileName() }
    return [save(to: file)]
  }

  private func save(to file: CollectionFile) -> FollowUp {
    let texts = shown.content.texts
    return .effect(
      .saveFile(tab: shown.id, file, query: texts.query.text, variables: texts.variables.text, overwrites: false))
  }

  func askForFileName() -> [FollowUp] {
    let operations = shown.content.texts.queryAnalysis.operations
    let name = shown.file?.path ?? operations.lazy.compactMap(\.name).first.map { "\($0).graphql" }
    return [.present(Popup(LineState(.fileName, text: name ?? "")))]
  }

  func save(as path: String) -> [FollowUp] {
    guard !path.isEmpty else { return [] }
    let hasEnding = path.hasSuffix(".graphql") || path.hasSuffix(".gql")
    return [
      save(to: CollectionFile(path: hasEnding ? path : path + ".graphql", savedQuery: "", savedVariables: ""))
    ]
  }
}

extension TabResponse {
  func askForFileName() -> [FollowUp] {
    let name = run?.operation?.name.map { "\($0).response.json" } ?? "response.json"
    return [.present(Popup(LineState(.responseFile, text: name)))]
  }

  /// Saves the response; in a subscription's list of events the listed ones, a line each.
  func save(as path: String) -> [FollowUp] {
    guard let data = tree.data, !path.isEmpty else { return [] }
    // The whole response (GraphQL, section 7.1): without its errors it would tell of another one.
    var members: [(String, JSONValue)] = [("data", data)]
    if let errors = run?.errors, !errors.isEmpty { members.append(("errors", .array(errors.map(\.json)))) }
    if let extensions = run?.extensions { members.append(("extensions", extensions)) }
    let hidden = tree.hidden.map { HiddenFields(names: [], children: ["data": $0]) }
    return [.effect(.exportResponse(SharedJSON(.object(members), without: hidden), to: path))]
  }
}
