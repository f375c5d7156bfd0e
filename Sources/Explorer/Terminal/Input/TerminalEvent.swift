/// A mouse event: a button press or release, a drag, or a scroll.
package struct MouseEvent: Equatable, Sendable {
  package enum Button: Equatable, Sendable { case left, middle, right }
  package enum Direction: Equatable, Sendable { case up, down, left, right }
  package enum Action: Equatable, Sendable {
    case press(Button)
    case release(Button)
    case drag(Button)
    case wheel(Direction)
  }

  package var action: Action
  package var position: Point
  package var modifiers: KeyModifiers

  package init(_ action: Action, at position: Point, modifiers: KeyModifiers = []) {
    self.action = action
    self.position = position
    self.modifiers = modifiers
  }
}

package enum TerminalEvent: Equatable, Sendable {
  case key(KeyPress)
  case mouse(MouseEvent)
  /// Text pasted as one piece, with line breaks as `\n`.
  case paste(String)
  case resize(Size)
  /// The terminal is gone or termination was requested, so save and stop.
  case hangup
  /// The program was resumed, so everything must be drawn again.
  case resumed
  /// The terminal reported its background color.
  case background(Color)
  /// The terminal's window got or lost the focus.
  case focus(Bool)
}
