import ApusGraphQLLanguageService
import ApusGraphQLValidation
import ApusJSON

extension WorkspaceSnapshot {
  /// Handles `textDocument/codeAction`. Returns all actions, those that fix an error first.
  func codeActions(_ params: JSONValue) throws(RPCError) -> JSONValue {
    let (project, file) = try file(params)
    let range = try range(params, in: file)
    guard let unit = file.unit(at: range.lowerBound) else { return [] }
    let joined = project.joined(unit, of: file)
    let errors = Validator.validate(
      [joined.document], schema: project.schema, rules: EditingDiagnostics.rules(complete: !unit.document.hasErrors))
    let end = min(range.upperBound, unit.range.upperBound)
    let requested = (params["context"]?["only"] ?? .null).elements.compactMap(\.string)
    let actions = project.service(unit, of: file)
      .codeActions(in: range.lowerBound - unit.start..<end - unit.start, fixing: errors)
      .filter { action in
        // Edits that overlap text of the host language would lose it.
        !action.edits.contains { edit in unit.hostText.contains { $0.overlaps(edit.range) } }
      }
      .filter { action in
        let kind = Self.kind(of: action.kind)
        return requested.isEmpty || requested.contains { kind == $0 || kind.hasPrefix($0 + ".") }
      }
    return .array(
      actions.map { action in
        [
          "title": JSONValue(action.title), "kind": JSONValue(Self.kind(of: action.kind)),
          "isPreferred": JSONValue(action.kind == .applySuggestion),
          "edit": workspaceEdit([(file, action.edits.map { edit($0, of: unit, in: file) })]),
        ]
      })
  }

  private static func kind(of kind: CodeAction.Kind) -> String {
    switch kind {
    case .applySuggestion, .addMissingVariable, .addRequiredArguments, .removeUnused: "quickfix"
    case .extractFragment: "refactor.extract"
    case .inlineFragment: "refactor.inline"
    case .fillLeafFields, .wrapInDefer, .sort: "refactor.rewrite"
    }
  }
}
