/// The user's arrangement of the panes on the screen.
package struct PaneLayout: Equatable, Sendable {
  /// A built-in layout.
  package enum Preset: String, CaseIterable, Equatable, Sendable {
    /// Editors on the left, results on the right.
    case columns
    /// Editors above, results below.
    case rows
    /// The response fills most of the screen; the editors are tabs next to it.
    case reading

    package var title: String {
      switch self {
      case .columns: "editors on the left, results on the right"
      case .rows: "editors above, results below"
      case .reading: "large response"
      }
    }
  }

  package var layout = Preset.columns
  /// The change to the editors' default share of the width, in percent of the screen.
  package var widthChange = 0
  /// The change to the editors' default share of the height, in percent of the screen.
  package var heightChange = 0
  /// Whether the focused pane fills the screen.
  package var isZoomed = false

  package init() {}

  /// Sets the share after the user dragged a divider.
  mutating func divide(width change: Int) { widthChange = min(40, max(-35, change)) }
  mutating func divide(height change: Int) { heightChange = min(40, max(-35, change)) }

  mutating func grow(width: Int, height: Int) {
    divide(width: widthChange + width)
    divide(height: heightChange + height)
  }
}
