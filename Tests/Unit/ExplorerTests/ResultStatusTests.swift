import ApusClientAPI
import ApusExplorerCore
import ApusExplorerScreen
import ApusExplorerTerminal
import Testing

/// Every result status looks the same in the deferred pane, the tree and the status line, and differs from the others.
@Suite struct ResultStatusTests {
  private static let path = BirdStation.paths[0]
  private static let error = GraphQLError(message: "The wind took it", path: path)

  /// Returns the actions that lead to a status of the first bird's fragment.
  private func actions(for state: ResultStatus) -> [Action] {
    let cut = Action.run(1, .failed(RunError(.network, "The connection was cut")))
    switch state {
    case .pending: return [payload(.pending, isComplete: false)]
    case .complete: return [payload(.fulfilled), .run(1, .completed)]
    case .fromCache: return [payload(.fulfilled, after: nil, isFromCache: true), .run(1, .completed)]
    case .withErrors: return [payload(.fulfilled, .errors, errors: [Self.error]), .run(1, .completed)]
    case .null: return [payload(.failed([Self.error]), .null), .run(1, .completed)]
    case .failed: return [payload(.failed([Self.error])), .run(1, .completed)]
    case .cut: return [payload(.failed([Self.error]), .cut, isComplete: false), cut]
    case .cancelled: return [payload(.pending, isComplete: false), .commandInvoked(.cancel)]
    case .notExecuted: return [payload(.notExecuted), .run(1, .completed)]
    case .neverCame: return [payload(.failed([Self.error]), .missing), .run(1, .completed)]
    }
  }

  private func payload(
    _ state: DeferredState, _ shortfall: IncompleteReason? = nil, after: Duration? = .milliseconds(421),
    errors: [GraphQLError] = [], isComplete: Bool = true, isFromCache: Bool = false
  ) -> Action {
    var result = BirdStation.initial
    result.fragments = [
      DeferredFragment(
        fragmentID: 0, label: "flights", path: Self.path, typeCondition: "Bird", name: "Flights", state: state,
        settledAfter: state.isPending ? nil : after, shortfall: shortfall)
    ]
    result.errors = errors
    result.isComplete = isComplete
    result.isFromCache = isFromCache
    result.elapsed = .milliseconds(421)
    return .run(1, .resultReceived(result))
  }

  private func rows(_ state: ResultStatus, _ glyphs: GlyphSet, width: Int = 120) -> [String] {
    var explorer = BirdStation.state(
      after: [.commandInvoked(.runOperation), .run(1, .started(BirdStation.operation))] + actions(for: state))
    explorer.screen.notice = nil
    let theme = Theme.builtIn(capabilities: TerminalCapabilities(colors: .direct))
    return ExplorerScreen.render(
      &explorer, theme: theme, glyphs: glyphs, size: Size(width: width, height: 40)
    ).frame.lines
  }

  @Test(arguments: ResultStatus.allCases, [true, false])
  func `the deferred pane and the tree show the status of a fragment`(state: ResultStatus, isASCII: Bool) throws {
    let glyphs = isASCII ? GlyphSet.ascii : .unicode
    let look = state.style(glyphs)
    let rows = rows(state, glyphs)
    let title = try #require(rows.firstIndex { $0.contains("4 Deferred") })
    #expect(rows[title].contains("4 Deferred \(look.glyph)1"))
    let deferredList = try #require(rows.dropFirst(title + 1).first { $0.contains("flights") })
    #expect(deferredList.contains("\(look.glyph) flights"), "\(deferredList)")
    // Without data, the response pane names the fragment that it is waiting for.
    let name = state == .pending ? "waiting for flights" : "flights"
    #expect(rows.prefix(title).contains { $0.contains("\(look.glyph) \(name)") }, "\(rows)")
    // A zoomed deferred pane also shows the word for the status; a complete fragment has only its time.
    guard state != .complete else { return }
    let zoomed = try #require(timelineAlone(state, glyphs).first { $0.contains("\(look.glyph) flights") })
    #expect(zoomed.contains(look.word), "\(zoomed)")
  }

  private func timelineAlone(_ state: ResultStatus, _ glyphs: GlyphSet) -> [String] {
    var explorer = BirdStation.state(
      after: [.commandInvoked(.runOperation), .run(1, .started(BirdStation.operation))] + actions(for: state)
        + [.commandInvoked(.focusDeferred), .commandInvoked(.zoomPane)])
    let theme = Theme.builtIn(capabilities: TerminalCapabilities(colors: .direct))
    return ExplorerScreen.render(
      &explorer, theme: theme, glyphs: glyphs, size: Size(width: 120, height: 30)
    ).frame.lines
  }

  @Test(arguments: [ResultStatus.complete, .fromCache, .withErrors, .cut, .cancelled])
  func `the status line shows the status of the run like that of its fragment`(state: ResultStatus) {
    let look = state.style(.unicode)
    #expect(rows(state, .unicode)[38].contains("\(look.glyph) \(look.word)"))
  }

  @Test func `the status line shows a failed run and a run without data`() {
    let begin: [Action] = [.commandInvoked(.runOperation), .run(1, .started(BirdStation.operation))]
    let nothing = RunResult(data: .null, errors: [Self.error], elapsed: .milliseconds(3))
    let null = screen(
      BirdStation.state(after: begin + [.run(1, .resultReceived(nothing)), .run(1, .completed)]), 120, 40)
    #expect(null[38].contains("∅ null"))
    let failed = screen(
      BirdStation.state(after: begin + [.run(1, .failed(RunError(.network, "refused")))]), 120, 40)
    #expect(failed[38].contains("✗ failed"))
  }

  @Test func `every status has a different glyph and word`() {
    for glyphs in [GlyphSet.unicode, .ascii, .console] {
      let signs = ResultStatus.allCases.map { $0.style(glyphs).glyph }
      #expect(Set(signs).count == signs.count, "\(signs)")
    }
    #expect(Set(ResultStatus.allCases.map(\.word)).count == ResultStatus.allCases.count)
  }
}
