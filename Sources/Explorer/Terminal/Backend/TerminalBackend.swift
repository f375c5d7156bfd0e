/// The number of colors that can be shown.
package enum ColorDepth: Int, Comparable, Sendable, CaseIterable {
  /// No colors; only attributes.
  case mono
  case sixteen
  case indexed256
  /// Direct color (RGB).
  case direct

  package static func < (left: ColorDepth, right: ColorDepth) -> Bool { left.rawValue < right.rawValue }
}

package struct TerminalCapabilities: Equatable, Sendable {
  package var colors: ColorDepth
  /// Whether text outside ASCII can be shown.
  package var unicode: Bool
  package var glyphs: GlyphSet
  package var mouse: Bool
  /// The value of `TERM`, for `apus doctor`.
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

/// The position and shape of the cursor.
package struct CursorPlacement: Equatable, Sendable {
  package enum Shape: Equatable, Sendable { case block, bar, underline }

  package var point: Point
  package var shape: Shape

  package init(_ point: Point, shape: Shape = .bar) {
    self.point = point
    self.shape = shape
  }
}

/// A terminal that shows frames and reports events: a real one, or one for tests.
@ScreenActor
package protocol TerminalBackend: AnyObject {
  var size: Size { get }
  var capabilities: TerminalCapabilities { get }

  /// Shows a frame; only changes are written. For nil, the cursor is hidden.
  func present(_ frame: Frame, cursor: CursorPlacement?)

  /// Waits for events, without polling, and returns all of them in order.
  func nextEvents() async -> [TerminalEvent]

  /// Restores the shell's screen and stops this process until it is continued; `.resumed` follows.
  func suspend()

  /// Gives the screen to another program, such as `$EDITOR`, while `body` runs; `.resumed` follows.
  func withScreenReleased<Result: Sendable>(_ body: @Sendable () async throws -> Result) async rethrows -> Result

  /// Sets whether mouse events go to the program or to the terminal's selection.
  func captureMouse(_ isCaptured: Bool)

  /// Copies text to the clipboard of the terminal's user, if the terminal allows it.
  func copyToClipboard(_ text: String)

  func setTitle(_ title: String)

  /// Shows a desktop notification, if the terminal supports it.
  func notify(_ text: String)

  /// Restores the terminal permanently. Nothing is shown after that.
  func restore()
}
