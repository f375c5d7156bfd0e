/// How the panes share the screen, as a person has set it.
package struct Arrangement: Hashable, Sendable {
  /// The layouts that are built in.
  package enum Layout: String, CaseIterable, Hashable, Sendable {
    /// Texts left, results right.
    case columns
    /// Texts above, results beneath.
    case rows
    /// The response has nearly all of it; the texts are tabs beside it.
    case reading

    package var title: String {
      switch self {
      case .columns: "texts left, results right"
      case .rows: "texts above, results beneath"
      case .reading: "room for the response"
      }
    }
  }

  package var layout = Layout.columns
  /// How much of the width and of the height the texts got beyond their usual share, in hundredths.
  package var widthChange = 0
  package var heightChange = 0
  /// Whether the focused pane has the whole screen.
  package var isZoomed = false

  package init() {}

  mutating func grow(width: Int, height: Int) {
    widthChange = min(40, max(-35, widthChange + width))
    heightChange = min(40, max(-35, heightChange + height))
  }
}

extension ExplorerState {
  mutating func showNextLayout() -> [Effect] {
    let all = Arrangement.Layout.allCases
    let index = all.firstIndex(of: arrangement.layout) ?? 0
    arrangement.layout = all[(index + 1) % all.count]
    arrangement.isZoomed = false
    notice = Notice("Layout: \(arrangement.layout.title)")
    return []
  }

  mutating func changeArrangement(_ change: (inout Arrangement) -> Void) -> [Effect] {
    change(&arrangement)
    return []
  }

  mutating func toggleMouse() -> [Effect] {
    hasMouse.toggle()
    notice = Notice(
      hasMouse ? "The mouse is the explorer's" : "The mouse is the terminal's: select and copy as usual")
    return [.captureMouse(hasMouse)]
  }
}
