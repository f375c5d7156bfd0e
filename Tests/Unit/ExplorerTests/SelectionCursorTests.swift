import ApusExplorerCore
import ApusExplorerScreen
import ApusExplorerTerminal
import ApusExplorerTestSupport
import Testing

/// The terminal's cursor is where the user is: in the text, in an input line, or at the selected row.
@Suite struct SelectionCursorTests {
  private func drawn(_ commands: [Command], _ more: [Action] = []) -> (lines: [String], cursor: CursorPlacement?) {
    var state = BirdStation.state(after: BirdStation.running + commands.map { .commandInvoked($0) } + more)
    let theme = Theme.builtIn(capabilities: TerminalCapabilities(colors: .direct))
    let drawn = ExplorerScreen.render(&state, theme: theme, size: Size(width: 120, height: 40))
    return (drawn.frame.lines, drawn.cursor)
  }

  /// Lists without an input line. In each, the row with the mark of the selection has the cursor.
  @Test(arguments: [
    [Command.focusResponse], [.focusResponse, .popupDown], [.focusDeferred], [.focusResponse, .showErrors],
    [.focusResponse, .toggleTable], [.openFields],
  ])
  func `the cursor is at the selected row of a list`(commands: [Command]) throws {
    let (lines, cursor) = drawn(commands)
    let row = lines.firstIndex { $0.contains("▌") }
    guard let row else { return }
    #expect(cursor?.point.row == row, "\(commands)\n\(lines.joined(separator: "\n"))")
  }

  @Test func `the cursor leaves the input line of a list for a row below the first one`() throws {
    let (opened, input) = drawn([.showPalette])
    let line = try #require(opened.firstIndex { $0.contains("> ") || $0.contains("/ ") })
    #expect(input?.point.row == line)
    let (moved, cursor) = drawn([.showPalette, .popupDown])
    #expect(cursor?.point.row == moved.firstIndex { $0.contains("▌") })
    #expect(cursor?.point.row != line)
    // Typing selects the first row, and the cursor is in the text again.
    let (_, typed) = drawn([.showPalette, .popupDown], [.textTyped("run")])
    #expect(typed?.point.row == line)
  }

  @Test func `an editor keeps its cursor, also below a completion list`() {
    let (_, cursor) = drawn([.focusQuery])
    #expect(cursor?.shape == .bar)
    #expect(cursor?.point.row == 1)
  }
}
