/// How many colours can be shown.
package enum ColorDepth: Int, Comparable, Sendable, CaseIterable {
  /// None: attributes carry the meaning.
  case mono
  case sixteen
  case indexed256
  /// Red, green and blue as they are.
  case direct

  package static func < (left: ColorDepth, right: ColorDepth) -> Bool { left.rawValue < right.rawValue }
}

/// What the terminal at hand can do.
package struct TerminalCapabilities: Equatable, Sendable {
  package var colors: ColorDepth
  /// Whether text outside ASCII can be shown.
  package var unicode: Bool
  package var glyphs: GlyphSet
  package var mouse: Bool
  /// What `TERM` said, for `apus doctor`.
  package var terminalName: String

  package init(
    colors: ColorDepth, unicode: Bool = true, glyphs: GlyphSet? = nil, mouse: Bool = true, terminalName: String = ""
  ) {
    self.colors = colors
    self.unicode = unicode
    self.glyphs = glyphs ?? (unicode ? .unicode : .ascii)
    self.mouse = mouse
    self.terminalName = terminalName
  }
}

/// The shape of the cursor and where it stands.
package struct CursorPlacement: Equatable, Sendable {
  package enum Shape: Equatable, Sendable { case block, bar, underline }

  package var point: Point
  package var shape: Shape

  package init(_ point: Point, shape: Shape = .bar) {
    self.point = point
    self.shape = shape
  }
}

/// A terminal that shows frames and tells events: a real one, or one that a test feeds and reads.
@ScreenActor
package protocol TerminalBackend: AnyObject {
  var size: Size { get }
  var capabilities: TerminalCapabilities { get }

  /// Makes the screen look like the frame; only what changed since the last one is sent. No cursor is shown for nil.
  func present(_ frame: Frame, cursor: CursorPlacement?)

  /// Waits until something happened, without a wake-up before, and returns all of it in order.
  func nextEvents() async -> [TerminalEvent]

  /// Leaves the screen to the shell and stops this process until it is continued; `.resumed` follows.
  func suspend()

  /// Leaves the screen to another program, `$EDITOR` say, while `body` runs; `.resumed` follows.
  func withScreenReleased<Result: Sendable>(_ body: @Sendable () async throws -> Result) async rethrows -> Result

  /// Whether the mouse belongs to the program or to the terminal's own selection.
  func captureMouse(_ isCaptured: Bool)

  /// Puts a text on the clipboard of the terminal's user, where the terminal allows it.
  func copyToClipboard(_ text: String)

  func setTitle(_ title: String)

  /// Tells the terminal's user something on the desktop, where the terminal can.
  func notify(_ text: String)

  /// Leaves the terminal as it was found. Nothing is shown after that.
  func restore()
}
