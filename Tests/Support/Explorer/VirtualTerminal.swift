import ApusExplorerTerminal

/// A terminal for tests, which send events and read frames.
@ScreenActor
package final class VirtualTerminal: TerminalBackend {
  package private(set) var size: Size
  package var capabilities: TerminalCapabilities
  /// The displayed frame.
  package private(set) var frame: Frame
  package private(set) var cursor: CursorPlacement?
  package private(set) var clipboard: String?
  package private(set) var title: String?
  package private(set) var presentedFrames = 0
  package private(set) var suspensions = 0
  package private(set) var notifications: [String] = []
  package private(set) var isMouseCaptured = true
  package private(set) var isRestored = false
  private let events = Mailbox<TerminalEvent>()

  package init(
    width: Int = 80, height: Int = 24, capabilities: TerminalCapabilities = TerminalCapabilities(colors: .direct)
  ) {
    size = Size(width: width, height: height)
    self.capabilities = capabilities
    frame = Frame(size: size)
  }

  // MARK: - For tests

  package func send(_ event: TerminalEvent) {
    if case .resize(let size) = event { self.size = size }
    events.post(event)
  }

  package func press(_ keys: KeyPress...) {
    for key in keys { events.post(.key(key)) }
  }

  /// Types text key by key.
  package func type(_ text: String) {
    for character in text { events.post(.key(character == "\n" ? KeyPress(.enter) : KeyPress(.character(character)))) }
  }

  package func resize(width: Int, height: Int) {
    send(.resize(Size(width: width, height: height)))
  }

  /// The rows of the screen, without trailing spaces.
  package var lines: [String] { frame.lines }

  package func style(column: Int, row: Int) -> Style {
    frame.cell(at: Point(column: column, row: row)).style
  }

  /// Returns the first position of a text on the screen, from the top.
  package func find(_ text: String) -> Point? {
    for (row, line) in lines.enumerated() {
      guard let range = line.firstRange(of: text) else { continue }
      return Point(column: TextWidth.width(of: line[..<range.lowerBound]), row: row)
    }
    return nil
  }

  // MARK: - For the program

  package func present(_ frame: Frame, cursor: CursorPlacement?) {
    self.frame = frame
    self.cursor = cursor
    presentedFrames += 1
  }

  package func nextEvents() async -> [TerminalEvent] {
    await events.next()
  }

  package func suspend() {
    suspensions += 1
    events.post(.resumed)
  }

  package func withScreenReleased<Result: Sendable>(
    _ body: @Sendable () async throws -> Result
  ) async rethrows -> Result {
    defer { events.post(.resumed) }
    return try await body()
  }

  package func captureMouse(_ isCaptured: Bool) { isMouseCaptured = isCaptured }
  package func copyToClipboard(_ text: String) { clipboard = text }
  package func setTitle(_ title: String) { self.title = title }
  package func notify(_ text: String) { notifications.append(text) }
  package func restore() { isRestored = true }
}
