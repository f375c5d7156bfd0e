/// Shown instead of the schema if there is none: the reason and the ways to get one.
package struct NoSchemaPopup: ListPopupContent {
  /// The commands that can provide a schema.
  package static let ways: [Command] = [.focusHeaders, .reloadSchema, .openSchemaFile]

  package var list = ListCursor()

  init() {}

  package func contexts(in state: ExplorerState) -> [KeyContext] { [.noSchema, .choice, .everywhere] }
  package func rowCount(in state: ExplorerState) -> Int { Self.ways.count }

  package mutating func perform(_ command: Command, in state: ExplorerState) -> PopupResult {
    if let answer = move(command, in: state) { return answer }
    switch command {
    case .popupClose: return .close()
    case .popupAccept: return .close(.invoke(Self.ways[list.selected]))
    default: return Self.ways.contains(command) ? .close(.invoke(command)) : .passOn
    }
  }
}
