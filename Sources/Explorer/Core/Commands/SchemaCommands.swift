/// The schema, and the forms that are made from it.
extension Command {
  static let schemas: [Command] = [
    openSchema, showSchemaChanges, reloadSchema, openFields, openVariablesForm,
  ]

  package static let openSchema = Command(
    "openSchema", "The schema: types, fields, search",
    .keys(.everywhere, "F4", footer: "schema"),
    unless: { $0.reasonAgainstSchema }
  ) { $0.openSchema(at: .overview) }

  package static let showSchemaChanges = Command(
    "showSchemaChanges", "What has changed in the schema",
    unless: { $0.reasonAgainstSchema }
  ) { $0.openSchema(at: .changes) }

  package static let reloadSchema = Command(
    "reloadSchema", "Load the schema again",
    unless: { $0.schema == .loading ? "The schema is being loaded" : nil }
  ) { $0.reloadSchema() }

  package static let openFields = Command(
    "openFields", "The schema's fields, to tick",
    .keys(.everywhere, "Alt-i"),
    unless: { $0.reasonAgainstSchema }
  ) { $0.openForm(.selections) }

  package static let openVariablesForm = Command(
    "openVariablesForm", "The variables as a form",
    .keys(.everywhere, "Alt-v")
  ) { $0.openForm(.variables) }
}

extension ExplorerState {
  fileprivate var reasonAgainstSchema: String? {
    switch schema {
    case .loading: "The schema is being loaded"
    case .loaded: nil
    case .unavailable(let reason): "No schema: \(reason)"
    }
  }
}
