/// What a mouse did: a button went down or up, moved while down, or the wheel turned.
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

/// What a terminal tells the program.
package enum TerminalEvent: Equatable, Sendable {
  case key(KeyPress)
  case mouse(MouseEvent)
  /// Text pasted as one piece, line ends as `\n`.
  case paste(String)
  case resize(Size)
  /// The terminal went away, or the program was asked to end: save what matters and stop.
  case hangup
  /// Back from a suspension: everything must be drawn anew.
  case resumed
  /// The terminal answered what its background colour is.
  case background(Color)
  /// The terminal's window became the one that is typed into, or is it no longer.
  case focus(Bool)
}
