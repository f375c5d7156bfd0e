import ApusExplorerCore
import ApusExplorerScreen
import ApusExplorerTerminal
import ApusExplorerTestSupport
import ApusExplorerText
import Testing

/// The number of bytes sent to the terminal.
@Suite struct SlowLinkTests {
  /// Returns the number of bytes of each action's frame, without the first frame.
  private func bytes(of actions: [Action], in state: ExplorerState, width: Int = 120, height: Int = 40) -> [Int] {
    var state = state
    let theme = Theme.builtIn(capabilities: TerminalCapabilities(colors: .direct))
    var writer = FrameWriter(dialect: TerminalDialect())
    func draw(_ state: inout ExplorerState) -> Int {
      let (frame, cursor) = ExplorerScreen.render(&state, theme: theme, size: Size(width: width, height: height))
      return writer.bytes(for: frame, cursor: cursor).count
    }
    _ = draw(&state)
    return actions.map { action in
      _ = update(&state, action)
      return draw(&state)
    }
  }

  @Test func `a typed character takes fewer than 200 bytes`() {
    var state = BirdStation.state(
      after: BirdStation.running + [.run(1, .resultReceived(BirdStation.third)), .run(1, .completed)])
    state.tab.editors.query.moveCursor(TextPosition(2, 8))
    let costs = bytes(of: "Full".map { .textTyped(String($0)) }, in: state)
    #expect(costs.allSatisfy { $0 > 0 && $0 < 200 }, "\(costs)")
  }

  /// All text after the character moves, and each word has its own color.
  @Test func `a character typed before a colored line takes fewer than 200 bytes`() {
    var state = BirdStation.state(
      after: BirdStation.running + [.run(1, .resultReceived(BirdStation.third)), .run(1, .completed)])
    state.tab.editors.query.moveCursor(TextPosition(4, 6))
    let costs = bytes(of: ",,,".map { .textTyped(String($0)) }, in: state, width: 160, height: 48)
    #expect(costs.allSatisfy { $0 > 0 && $0 < 200 }, "\(costs)")
  }

  @Test func `a cursor movement takes fewer than 60 bytes`() {
    let costs = bytes(of: [.commandInvoked(.moveRight), .commandInvoked(.moveRight)], in: BirdStation.state())
    #expect(costs.allSatisfy { $0 < 60 }, "\(costs)")
  }

  @Test func `nothing is written for an unchanged frame`() {
    #expect(bytes(of: [.run(9, .clockTicked(.zero))], in: BirdStation.state()) == [0])
  }
}
