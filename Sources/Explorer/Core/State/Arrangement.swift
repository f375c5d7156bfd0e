/// How the panes share the screen, as a person has set it.
package struct Arrangement: Equatable, Sendable {
  /// The layouts that are built in.
  package enum Layout: String, CaseIterable, Equatable, Sendable {
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

  /// A line between panes was dragged.
  mutating func divide(width change: Int) { widthChange = min(40, max(-35, change)) }
  mutating func divide(height change: Int) { heightChange = min(40, max(-35, change)) }

  mutating func grow(width: Int, height: Int) {
    divide(width: widthChange + width)
    divide(height: heightChange + height)
  }
}
