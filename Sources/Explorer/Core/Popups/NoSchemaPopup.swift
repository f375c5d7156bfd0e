/// In the schema's place where there is none: why, and the ways to one.
package struct NoSchemaState: ListPopupState {
  /// The ways to a schema, each a command with a key of its own here.
  package static let ways: [Command] = [.focusHeaders, .reloadSchema, .openSchemaFile]

  package var list = ListCursor()

  init() {}

  package var popup: Popup { .noSchema(self) }

  package func contexts(in state: ExplorerState) -> [KeyContext] { [.noSchema, .choice, .everywhere] }
  package func rowCount(in state: ExplorerState) -> Int { Self.ways.count }

  package func perform(_ command: Command, on state: inout ExplorerState) -> [Effect]? {
    if let effects = move(command, on: &state) { return effects }
    switch command {
    case .popupClose: return close(on: &state)
    case .popupAccept: return go(Self.ways[list.selected], on: &state)
    default: return Self.ways.contains(command) ? go(command, on: &state) : nil
    }
  }

  private func go(_ way: Command, on state: inout ExplorerState) -> [Effect] {
    close(on: &state) + state.invoke(way)
  }
}
