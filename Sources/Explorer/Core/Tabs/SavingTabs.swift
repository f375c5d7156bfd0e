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

  func save(as path: String) -> [FollowUp] {
    guard let data = tree.data, !path.isEmpty else { return [] }
    return [.effect(.exportResponse(SharedJSON(data, without: tree.hidden), to: path))]
  }
}
