import ApusExplorerCore
import ApusExplorerText
import ApusGraphQLLanguage
import ApusGraphQLLanguageService
import ApusGraphQLSchema
import ApusJSON

/// Builds forms from documents and variables, and turns changes in forms into edits.
extension EditorService {
  package func rows(of question: FormRequest) -> [FormRow] {
    let document = Document(parsing: question.query.text)
    switch question.purpose {
    case .selections:
      guard let schema else { return [] }
      var opened: [[FieldTree.Step]: Bool] = [:]
      for case (.selection(let path), let isOpen) in question.opened { opened[path] = isOpen }
      let rows = FieldTree(document: document, offset: question.offset, schema: schema).rows(opened: opened)
      let atCursor = rows.lastIndex { row in
        row.range.map { $0.lowerBound <= question.offset && question.offset <= $0.upperBound } ?? false
      }
      return rows.enumerated().map { index, row in
        let isArgument = if case .argument? = row.path.last { true } else { false }
        var form = FormRow(
          path: .selection(row.path), name: row.name, type: row.type, note: row.note, depth: row.path.count - 1,
          isTicked: row.path.count == 1 ? nil : row.isSelected, isOpen: row.isOpen, value: row.value,
          choices: row.choices)
        form.isDeprecated = row.isDeprecated
        form.isWritable = isArgument
        form.isAtCursor = index == atCursor
        return form
      }
    case .variables:
      let operation = LanguageService(document: document, schema: schema).operation(at: question.offset)
      return VariablesForm(operation: operation, schema: schema, text: question.variables.text)
        .rows(opened: question.opened)
    }
  }

  func formAnswer(_ change: FormEdit, _ snapshot: EditorSnapshot) -> LanguageServiceAction {
    let document = Document(parsing: snapshot.query.text)
    let offset = snapshot.query.offset(of: snapshot.queryCursor)
    switch change {
    case .toggled(.selection(let path)), .filledIn(.selection(let path), _):
      guard let schema else { return .nothing("There is no schema") }
      let tree = FieldTree(document: document, offset: offset, schema: schema)
      let filledIn: String? = if case .filledIn(_, let text) = change { text } else { nil }
      guard let edits = filledIn.map({ tree.set(path, to: $0) }) ?? tree.toggle(path) else {
        guard let filledIn else { return .nothing("This row cannot be selected") }
        return .refused(.selection(path), filledIn, reason: "The value does not have this type")
      }
      let lines = LineLocations(snapshot.text)
      return .edited(
        edits.map { TextReplacement(range: lines.range(of: $0.range), text: $0.text) }, snapshot, title: "")
    case .toggled(.variable(let path)), .filledIn(.variable(let path), _):
      let operation = LanguageService(document: document, schema: schema).operation(at: offset)
      let form = VariablesForm(operation: operation, schema: schema, text: snapshot.text.text)
      let text: String = if case .filledIn(_, let text) = change { text } else { "" }
      do throws(VariablesFormError) {
        let edit = try form.setting(path, to: text)
        let range = edit.range.map { LineLocations(snapshot.text).range(of: $0) } ?? .start..<snapshot.text.end
        return .edited(
          [TextReplacement(range: range, text: edit.text)], snapshot,
          title: edit.losesComments ? "The comments were removed: undo brings them back" : "")
      } catch {
        return .refused(.variable(path), text, reason: error.description)
      }
    }
  }
}
