import ApusGraphQLLanguage
import ApusGraphQLSchema
import ApusGraphQLValidation

/// Checks that edits introduce no validation errors.
struct RenameCheck {
  let scope: RenameScope
  let edits: [[TextEdit]]

  /// The rules, which also apply to the executable part of documents that define types.
  private static let rules = Validator.documentRules.filter { $0.name != "ExecutableDefinitionsRule" }

  func check(_ name: String) throws(RenameError) {
    let edited = zip(scope.documents, edits).map { document, edits in
      edits.isEmpty
        ? document
        : Document(ofFile: Source(bytes: edits.applied(to: document.source.bytes), name: document.source.name))
    }
    let joined = edited.count == 1 ? edited[0] : Document(joining: edited)
    let before = scope.service.document
    if joined.diagnostics.count > before.diagnostics.count, let first = joined.diagnostics.first {
      throw .invalid(name, message: first.message)
    }
    let schema = scope.service.schema
    let editedSchema = schema.flatMap { self.schema($0, with: edited) }
    if let schema, let editedSchema {
      try compare(Validator.validate(schema: schema), Validator.validate(schema: editedSchema), name)
    }
    try compare(
      Validator.validate([before], schema: schema, rules: Self.rules),
      Validator.validate([joined], schema: editedSchema ?? schema, rules: Self.rules), name)
  }

  /// Returns the schema with its edited documents replaced; `nil` if none is edited.
  private func schema(_ schema: Schema, with edited: [Document]) -> Schema? {
    var isEdited = false
    let documents = schema.documents.map { document in
      guard let index = scope.documents.firstIndex(where: { $0 === document }) else { return document }
      isEdited = isEdited || edited[index] !== document
      return edited[index]
    }
    return isEdited
      ? Schema.load(
        sdl: documents, impliesIncremental: schema.storage.impliesIncremental, dialects: schema.dialectSelection) : nil
  }

  private func compare(
    _ before: [ValidationError], _ after: [ValidationError], _ name: String
  ) throws(RenameError) {
    let oldErrors = Dictionary(grouping: before, by: \.rule)
    for (rule, errors) in Dictionary(grouping: after, by: \.rule).sorted(by: { $0.key < $1.key }) {
      let old = oldErrors[rule] ?? []
      guard errors.count > old.count else { continue }
      let messages = Set(old.map(\.message))
      let new = errors.first { !messages.contains($0.message) } ?? errors[0]
      throw .invalid(name, message: new.message)
    }
  }
}
