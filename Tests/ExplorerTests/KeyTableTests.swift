import ExplorerCore
import ExplorerScreen
import ExplorerTerminal
import Testing

@Suite struct KeyTableTests {
  @Test func noKeyMeansTwoThingsInOneContext() {
    for context in KeyContext.allCases {
      var seen: [KeyPress: Command] = [:]
      for binding in KeyTable.standard.bindings where binding.context == context {
        for key in binding.keys {
          #expect(seen[key] == nil, "\(key) in \(context): \(binding.command) and \(String(describing: seen[key]))")
          seen[key] = binding.command
        }
      }
    }
  }

  @Test func everyCommandOfThePaletteHasAReasonOrAnEffectEverywhere() {
    for pane in PaneID.allCases {
      var state = BirdStation.state()
      _ = update(&state, .paneClicked(pane))
      for command in Command.allCases where command.isInPalette && command != .quit {
        var copy = state
        let effects = update(&copy, .commandInvoked(command))
        #expect(
          copy != state || !effects.isEmpty || copy.notice != nil || command.isQuietWhenDone, "\(command) in \(pane)")
      }
    }
  }

  @Test func theDocumentNamesEveryKey() {
    let document = KeyTable.standard.document
    for binding in KeyTable.standard.bindings {
      for key in binding.keys { #expect(document.contains("`\(key)`")) }
    }
  }

  @Test func aDisabledCommandSaysWhy() {
    var state = BirdStation.state()
    _ = update(&state, .commandInvoked(.cancel))
    #expect(state.notice == Notice("Nothing runs", .warning))
  }
}

extension Command {
  /// Going to where one already is changes nothing.
  fileprivate var isQuietWhenDone: Bool {
    switch self {
    case .focusQuery, .focusVariables, .focusResponse, .focusDeferred, .focusCache, .selectAll: true
    default: false
    }
  }
}
