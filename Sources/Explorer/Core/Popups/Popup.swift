import ApusExplorerText

/// What lies over the panes; the innermost one takes the keys.
package enum Popup: Hashable, Sendable {
  case help(HelpState)
  case traffic(TrafficState)
  case palette(PaletteState)
  case line(LineState)
  case picker(PickerState)
  case difference(DifferenceState)
  case completion(CompletionState)
  case confirmation(Confirmation)
  case find(FindState)
  case hover(HoverState)
  case schema(SchemaExplorerState)
  case form(FormState)
  case jump(JumpState)
  case pagedLists(PagedListChoice)
  case pagingOffers(PagingOfferChoice)
  case export(ExportState)
  case errors(ErrorsState)
  case value(ValueState)
  case noSchema(NoSchemaState)

  package var state: any PopupState {
    switch self {
    case .help(let state): state
    case .traffic(let state): state
    case .palette(let state): state
    case .line(let state): state
    case .picker(let state): state
    case .difference(let state): state
    case .completion(let state): state
    case .confirmation(let state): state
    case .find(let state): state
    case .hover(let state): state
    case .schema(let state): state
    case .form(let state): state
    case .jump(let state): state
    case .pagedLists(let state): state
    case .pagingOffers(let state): state
    case .export(let state): state
    case .errors(let state): state
    case .value(let state): state
    case .noSchema(let state): state
    }
  }
}

/// One popup: a value in a file of its own, which says where its keys are looked up, what line it has, and what it does
/// with what is asked of it.
package protocol PopupState: Hashable, Sendable {
  var popup: Popup { get }
  /// The contexts that its keys are looked up in, the innermost first.
  func contexts(in state: ExplorerState) -> [KeyContext]
  /// The line that is typed into; nil where there is none.
  var line: LineEditor? { get set }
  /// Which of its rows is in a line of its list, where so many are in view; nil for none that can be chosen.
  func row(inLine line: Int, of height: Int, in state: ExplorerState) -> Int?

  /// Does what is asked; nil for what it leaves to whatever lies beneath.
  func perform(_ command: Command, on state: inout ExplorerState) -> [Effect]?
  /// Takes what is typed where there is no line; nil for what it leaves to the text beneath.
  func type(_ text: String, on state: inout ExplorerState) -> [Effect]?
  func click(row: Int, on state: inout ExplorerState) -> [Effect]
  /// The line, which is already changed here and in the state, says something else.
  func lineChanged(on state: inout ExplorerState) -> [Effect]
  /// Backspace was pressed where nothing is typed.
  func leaveEmptyLine(on state: inout ExplorerState) -> [Effect]
}

extension PopupState {
  package var line: LineEditor? {
    get { nil }
    set {}
  }

  package func row(inLine line: Int, of height: Int, in state: ExplorerState) -> Int? { nil }
  package func type(_ text: String, on state: inout ExplorerState) -> [Effect]? { [] }
  package func click(row: Int, on state: inout ExplorerState) -> [Effect] { [] }
  package func lineChanged(on state: inout ExplorerState) -> [Effect] { [] }
  package func leaveEmptyLine(on state: inout ExplorerState) -> [Effect] { [] }

  /// Where something is typed, its keys come first; else those of what it is typed for.
  func contexts(of own: KeyContext, typing line: LineEditor) -> [KeyContext] {
    (line.isEmpty ? [own, .input] : [.input, own]) + [.everywhere]
  }

  /// The innermost popup again, changed.
  func show(on state: inout ExplorerState) -> [Effect] {
    state.popups.replaceLast(with: popup)
    return []
  }

  func close(on state: inout ExplorerState) -> [Effect] {
    state.popups.closeLast()
    return []
  }
}

/// A popup with a list to choose from.
package protocol ListPopupState: PopupState {
  var list: ListCursor { get set }
  func rowCount(in state: ExplorerState) -> Int
}

extension ListPopupState {
  package func row(inLine line: Int, of height: Int, in state: ExplorerState) -> Int? {
    let count = rowCount(in: state)
    let row = list.firstRow(count: count, height: height) + line
    return row < count ? row : nil
  }

  package func click(row: Int, on state: inout ExplorerState) -> [Effect] {
    var clicked = self
    clicked.list.select(row, count: rowCount(in: state))
    return clicked.show(on: &state) + state.invoke(.popupAccept)
  }

  /// Moves in the list; nil for another command.
  func move(_ command: Command, on state: inout ExplorerState) -> [Effect]? {
    guard let step = command.popupStep else { return nil }
    var moved = self
    moved.list.move(by: step, count: rowCount(in: state))
    return moved.show(on: &state)
  }
}

extension Command {
  /// How many rows of a popup it goes on; nil for what moves in no list.
  var popupStep: Int? { Self.popupSteps[self] }

  private static let popupSteps: [Command: Int] = [
    .popupUp: -1, .popupDown: 1, .popupPageUp: -8, .popupPageDown: 8, .popupFirst: -1_000_000, .popupLast: 1_000_000,
  ]
}
