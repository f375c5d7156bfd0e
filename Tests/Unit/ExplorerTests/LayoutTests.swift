import ApusExplorerCore
import ApusExplorerTerminal
import ApusExplorerText
import Testing

@testable import ApusExplorerScreen

/// The layout of the screen, which is computed once for drawing and for clicks.
@Suite struct LayoutTests {
  private static let sizes = [(40, 10), (60, 16), (80, 24), (120, 40), (200, 60)].map { Size(width: $0, height: $1) }

  private func state() -> ExplorerState {
    var state = BirdStation.state(
      after: BirdStation.running + [.run(1, .resultReceived(BirdStation.third)), .run(1, .completed)])
    for command in [Command.newTab, .focusResponse, .rowLast] { _ = update(&state, .commandInvoked(command)) }
    return state
  }

  @Test(arguments: sizes) func `computing the visible area again changes nothing`(size: Size) {
    var state = state()
    for tab in [0, 1] {
      _ = update(&state, .tabClicked(tab))
      let layout = ScreenLayout(state, size: size)
      let view = VisibleArea(of: state, layout)
      #expect(update(&state, .viewed(view)).isEmpty)
      let viewed = state
      #expect(ScreenLayout(state, size: size) == layout)
      #expect(VisibleArea(of: state, layout) == view)
      #expect(update(&state, .viewed(view)).isEmpty)
      #expect(state == viewed)
    }
  }

  /// A divider that is dragged as far as possible leaves 15 percent of the width on each side.
  @Test(arguments: [(PaneLayout.Preset.rows, 60, 85), (.columns, -60, 15)])
  func `dragging a divider keeps every pane on the screen`(layout: PaneLayout.Preset, change: Int, share: Int) throws {
    var state = state()
    state.screen.arrangement.layout = layout
    _ = update(&state, .widthDivided(change))
    let slots = ScreenLayout(state, size: Size(width: 101, height: 40)).slots
    #expect(try #require(slots.first { $0.pane == .query }).title.width == share)
  }

  @Test(arguments: sizes) func `pane and tab names are clickable where they are drawn`(size: Size) throws {
    let state = state()
    let layout = ScreenLayout(state, size: size)
    let theme = Theme.builtIn(capabilities: TerminalCapabilities(colors: .direct))
    let (frame, _, regions) = ExplorerScreen.draw(state, layout, theme: theme)
    #expect(Set(regions.names.map(\.pane)) == Set(layout.slots.flatMap(\.tabs)))
    for (pane, area) in regions.names where area.endColumn < size.width {
      let seen = String(frame.lines[area.row].dropFirst(area.column).prefix(area.width))
      let isShort = size.width < 60 && layout.slot(of: pane) == nil
      #expect(seen.hasPrefix(isShort ? " \(pane.rawValue) " : " \(pane.rawValue) \(pane.title) "))
      #expect(regions.pane(at: Point(column: area.column, row: area.row)) == pane)
      #expect(regions.pane(at: Point(column: area.endColumn - 1, row: area.row)) == pane)
    }
    #expect(regions.tabs.map(\.index) == [0, 1])
    for (index, columns) in regions.tabs {
      let seen = String(frame.lines[0].dropFirst(columns.lowerBound).prefix(columns.count))
      #expect(seen.contains("\(index + 1) \(state.tabs.title(of: index))"))
      #expect(regions.tab(at: Point(column: columns.lowerBound, row: 0)) == index)
    }
  }
}
