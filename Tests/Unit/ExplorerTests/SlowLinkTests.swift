import ApusExplorerCore
import ApusExplorerScreen
import ApusExplorerTerminal
import ApusExplorerTestSupport
import ApusExplorerText
import Testing

/// What goes over the wire to the terminal, counted.
@Suite struct SlowLinkTests {
  /// The bytes that each action's frame costs, the first frame aside.
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

  @Test func aTypedCharacterCostsFewerThanTwoHundredBytes() {
    var state = BirdStation.state(
      after: BirdStation.running + [.run(1, .resultReceived(BirdStation.third)), .run(1, .completed)])
    state.tab.texts.query.place(TextPosition(2, 8))
    let costs = bytes(of: "Full".map { .textTyped(String($0)) }, in: state)
    #expect(costs.allSatisfy { $0 > 0 && $0 < 200 }, "\(costs)")
  }

  /// All that stands behind the character moves, each word in its colour.
  @Test func aCharacterBeforeAColouredLineDoesTooWhereThePaneShowsAllOfIt() {
    var state = BirdStation.state(
      after: BirdStation.running + [.run(1, .resultReceived(BirdStation.third)), .run(1, .completed)])
    state.tab.texts.query.place(TextPosition(4, 6))
    let costs = bytes(of: ",,,".map { .textTyped(String($0)) }, in: state, width: 160, height: 48)
    #expect(costs.allSatisfy { $0 > 0 && $0 < 200 }, "\(costs)")
  }

  @Test func aMoveOfTheCursorCostsLessStill() {
    let costs = bytes(of: [.commandInvoked(.moveRight), .commandInvoked(.moveRight)], in: BirdStation.state())
    #expect(costs.allSatisfy { $0 < 60 }, "\(costs)")
  }

  @Test func nothingIsWrittenWhenNothingChanged() {
    #expect(bytes(of: [.run(9, .clockTicked(.zero))], in: BirdStation.state()) == [0])
  }
}
