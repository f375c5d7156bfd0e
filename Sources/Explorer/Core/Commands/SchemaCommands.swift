/// Commands for the schema and the forms derived from it.
extension Command {
  static let schemas: [Command] = [
    openSchema, showSchemaChanges, reloadSchema, openSchemaFile, openFields, openVariablesForm,
  ]

  package static let openSchema = Command(
    "openSchema", "Browse the schema",
    .keys(.everywhere, "F4", footer: "schema"),
    unless: { $0.connection.schema == .loading ? "The schema is loading" : nil }
  ) {
    $0.connection.hasSchema ? $0.apply($0.popups.openSchema(at: .overview)) : $0.present(NoSchemaPopup())
  }

  package static let showSchemaChanges = Command(
    "showSchemaChanges", "Show schema changes",
    unless: { $0.reasonAgainstSchema }
  ) { $0.apply($0.popups.openSchema(at: .changes)) }

  package static let reloadSchema = Command(
    "reloadSchema", "Reload the schema",
    .keys(.noSchema, "r", footer: "retry", help: "Request the schema again"),
    unless: { $0.connection.schema == .loading ? "The schema is loading" : nil }
  ) { $0.reloadSchema() }

  package static let openSchemaFile = Command(
    "openSchemaFile", "Load the schema from a file",
    .keys(.noSchema, "f", footer: "from a file")
  ) { $0.present(LinePopup(.schemaFile)) }

  package static let openFields = Command(
    "openFields", "Select fields in the field tree",
    .keys(.everywhere, "Alt-i"),
    unless: { $0.reasonAgainstSchema }
  ) { $0.openForm(.selections) }

  package static let openVariablesForm = Command(
    "openVariablesForm", "Edit the variables as a form",
    .keys(.everywhere, "Alt-v")
  ) { $0.openForm(.variables) }
}

extension ExplorerState {
  fileprivate var reasonAgainstSchema: String? {
    switch connection.schema {
    case .loading: "The schema is loading"
    case .loaded: nil
    case .unavailable: "There is no schema: F4 shows the reason and what to do"
    }
  }
}
