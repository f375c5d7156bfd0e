import ApusExplorerTerminal
import ApusPlatform
import CApusNCurses

/// The terminal in which the program was started.
///
/// ncurses opens the terminal, sets its modes, reads its terminfo entry, and restores it. Cells are written by this
/// program: a cell of ncurses holds at most five code points, has the width given by `wcwidth`, and supports direct
/// color only if `TERM` says so, which is too limited in practice. Keys are decoded here, too, because ncurses would
/// pass on unknown sequences as typed text.
@ScreenActor
package final class NCursesTerminal: TerminalBackend {
  package struct Options: Sendable {
    /// The time to wait for the rest of a sequence after Escape. Slow connections split sequences and need more.
    package var escapeDelay: Duration = .milliseconds(25)
    /// The number of colors, if the user sets it.
    package var colors: ColorDepth?
    package var capturesMouse = true
    /// Whether to query the background color. The response arrives as an event, if at all.
    package var asksForBackground = false
    package var environment: TerminalEnvironment

    package init(environment: [String: String]) {
      self.environment = TerminalEnvironment(environment)
    }
  }

  package private(set) var size: Size
  package let capabilities: TerminalCapabilities
  /// A note about the terminal for the user; nil for none.
  package let note: String?
  /// The number of bytes written so far.
  package private(set) var writtenBytes = 0

  private let options: Options
  private let input: Int32
  private let output: Int32
  private let signals: Int32
  private let events = Mailbox<TerminalEvent>()
  private var writer: FrameWriter
  private var decoder: InputDecoder
  private var isOurs = true
  /// Whether the terminal was restored permanently.
  private var hasEnded = false
  private var isMouseCaptured: Bool
  private var hasTitle = false
  private var modes = TerminalModes()
  private var askedAt = ContinuousClock.now
  private var buffer = [UInt8](repeating: 0, count: 65536)
  /// The bytes that the terminal has not accepted, and the next frame. On a slow connection only the latest frame is
  /// kept.
  private var unsent: ArraySlice<UInt8> = []
  private var isWaitingToWrite = false
  private var waitingFrame: (frame: Frame, cursor: CursorPlacement?)?

  /// Opens the terminal. The screen is blank until a frame is presented.
  package init(_ options: Options) throws(NCursesError) {
    self.options = options
    let delay = options.escapeDelay.components
    let milliseconds = delay.seconds * 1000 + delay.attoseconds / 1_000_000_000_000_000
    let fallback = Terminfo.fallbackName(options.environment)
    note = fallback.map { "TERM=\(options.environment.name) has no terminfo entry here; using \($0) instead" }
    switch apus_screen_open(Int32(clamping: milliseconds), fallback) {
    case APUS_SCREEN_OK: break
    case APUS_SCREEN_UNKNOWN_TERMINAL: throw .unknownTerminal(name: options.environment.name)
    case APUS_SCREEN_TOO_SIMPLE: throw .tooSimple(name: options.environment.name)
    default: throw .noTerminal
    }
    input = apus_screen_input()
    output = apus_screen_output()
    size = Self.kernelSize() ?? Size(width: Terminfo.number("cols") ?? 80, height: Terminfo.number("lines") ?? 24)
    let colors = options.colors ?? Terminfo.colorDepth(options.environment)
    let unicode = apus_screen_is_utf8()
    let hasMouse = !options.environment.isConsole
    capabilities = TerminalCapabilities(
      colors: colors, unicode: unicode, glyphs: unicode && options.environment.isConsole ? .console : nil,
      mouse: hasMouse, terminalName: options.environment.name)
    isMouseCaptured = hasMouse && options.capturesMouse
    writer = FrameWriter(dialect: Terminfo.dialect(colors: colors, unicode: unicode, options.environment))
    decoder = InputDecoder(sequences: Terminfo.keySequences())
    signals = apus_signals_open()
    enableModes()
    if !options.environment.isConsole {
      // A terminal that answers replaces this.
      if options.asksForBackground, let color = options.environment.background { events.post(.background(color)) }
      if options.asksForBackground { send("\u{1B}]11;?\u{1B}\\") }
      send(modes.questions())
      askedAt = .now
      if options.environment.isTmux { send(modes.reportFocus()) }
    }
    setFarewell()
    ScreenLoop.shared.addSource(signals) { [weak self] in self?.readSignals() }
    ScreenLoop.shared.addSource(input) { [weak self] in self?.readKeys() }
  }

  // MARK: - Frames

  package func present(_ frame: Frame, cursor: CursorPlacement?) {
    guard isOurs else { return }
    guard unsent.isEmpty else {
      waitingFrame = (frame, cursor)
      return
    }
    send(writer.bytes(for: frame, cursor: cursor))
  }

  package func nextEvents() async -> [TerminalEvent] {
    await events.next()
  }

  package func captureMouse(_ isCaptured: Bool) {
    guard capabilities.mouse, isCaptured != isMouseCaptured else { return }
    isMouseCaptured = isCaptured
    guard isOurs else { return }
    send(isCaptured ? Self.mouseOn : Self.mouseOff)
  }

  package func copyToClipboard(_ text: String) {
    guard isOurs, !options.environment.isConsole else { return }
    send(ControlSequences.clipboard(text, throughGNUScreen: options.environment.isGNUScreen))
  }

  package func setTitle(_ title: String) {
    guard isOurs, !options.environment.isConsole, !options.environment.isGNUScreen else { return }
    // Terminals that support it save the previous title.
    if !hasTitle { send("\u{1B}[22;0t") }
    hasTitle = true
    send(ControlSequences.title(title))
  }

  package func notify(_ text: String) {
    guard isOurs, let form = options.environment.notificationForm else { return }
    send(ControlSequences.notification(text, as: form, through: options.environment.multiplexers))
  }

  // MARK: - Suspending and resuming

  package func suspend() {
    guard isOurs else { return }
    restoreModes()
    apus_signals_stop_job()
    resumeScreen()
  }

  package func withScreenReleased<Result: Sendable>(
    _ body: @Sendable () async throws -> Result
  ) async rethrows -> Result {
    guard isOurs else { return try await body() }
    // The other program reads the keys.
    ScreenLoop.shared.removeSource(input)
    restoreModes()
    defer {
      // A key that was typed before may have ended the explorer in the meantime.
      if !hasEnded {
        resumeScreen()
        ScreenLoop.shared.addSource(input) { [weak self] in self?.readKeys() }
      }
    }
    return try await body()
  }

  /// The signal that requested termination, if any.
  package nonisolated static var endSignal: Int32? {
    let number = apus_signals_end_signal()
    return number == 0 ? nil : number
  }

  package func restore() {
    hasEnded = true
    ScreenLoop.shared.removeSource(input)
    ScreenLoop.shared.removeSource(signals)
    ScreenLoop.shared.setAlarm(after: nil)
    restoreModes()
    apus_signals_close()
  }

  private static let mouseOn = "\u{1B}[?1000h\u{1B}[?1002h\u{1B}[?1006h"
  private static let mouseOff = "\u{1B}[?1006l\u{1B}[?1002l\u{1B}[?1000l"
  private static let pasteOn = "\u{1B}[?2004h"
  private static let pasteOff = "\u{1B}[?2004l"

  /// Enables the modes that ncurses does not set.
  private func enableModes(isRenewed: Bool = false) {
    isOurs = true
    writer.invalidate()
    apus_error_output_hold()
    apus_signals_set_armed(true)
    send(Self.pasteOn + (isMouseCaptured ? Self.mouseOn : "") + (isRenewed ? modes.renewing : modes.entering))
  }

  private func restoreModes() {
    guard isOurs else { return }
    waitingFrame = nil
    send(writer.bytesForLeaving())
    send(modes.leaving)
    send((isMouseCaptured ? Self.mouseOff : "") + Self.pasteOff + (hasTitle ? "\u{1B}[23;0t" : ""))
    if Terminfo.string("rmcup") == nil {
      // Without an alternate screen, clear a line for the prompt.
      send(Terminfo.formatted("cup", size.height - 1) + (Terminfo.string("el") ?? []))
    }
    isOurs = false
    hasTitle = false
    flush(waitingFor: 1000)
    awaitAnswers()
    apus_screen_leave()
    apus_signals_set_armed(false)
    apus_error_output_release()
  }

  /// Reads outstanding responses for a short time, because they would otherwise be typed into the shell.
  private func awaitAnswers() {
    // A slow connection delays responses; a terminal that never responds is not waited for longer.
    let deadline = max(askedAt + .seconds(2), .now + .milliseconds(200))
    defer { modes.stopAwaiting() }
    while modes.isAwaitingAnswers, ContinuousClock.now < deadline {
      var waiting = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
      guard poll(&waiting, 1, 20) >= 0 else { continue }
      guard waiting.revents != 0 else { continue }
      let count = read(input, &buffer, buffer.count)
      guard count > 0 else { return }
      events.post(decoder.feed(buffer[..<count]))
      // Other responses would enable modes, so they are ignored.
      for answer in decoder.takeAnswers() where answer == .attributes { _ = modes.handle(answer) }
    }
  }

  private func resumeScreen() {
    apus_screen_enter()
    enableModes()
    checkSize()
    events.post(.resumed)
  }

  /// Sets the bytes that a crash handler writes: the same as `restoreModes` and `endwin`, in any state.
  private func setFarewell() {
    var bytes: [UInt8] = Terminfo.string("sgr0") ?? []
    bytes += (modes.leaving + Self.mouseOff + Self.pasteOff).utf8
    if writer.dialect.cursorShapes { bytes += "\u{1B}[0 q".utf8 }
    bytes += Terminfo.string("cnorm") ?? []
    bytes += Terminfo.string("rmkx") ?? []
    bytes += Terminfo.formatted("cup", size.height - 1)
    bytes += Terminfo.string("rmcup") ?? []
    bytes += "\r\n".utf8
    apus_signals_set_farewell(bytes, bytes.count)
  }

  // MARK: - Input

  private func readKeys() {
    let count = read(input, &buffer, buffer.count)
    if count < 0, errno == EINTR || errno == EAGAIN { return }
    guard count > 0 else {
      // The terminal is gone, and reading again would loop.
      ScreenLoop.shared.removeSource(input)
      events.post(.hangup)
      return
    }
    events.post(decoder.feed(buffer[..<count]))
    for answer in decoder.takeAnswers() {
      send(modes.handle(answer))
      if case .colorScheme(let isDark) = answer, options.asksForBackground {
        events.post(.background(isDark ? .rgb(0, 0, 0) : .rgb(255, 255, 255)))
      }
      writer.synchronizes = modes.synchronizes
      // Must be up to date before a crash.
      setFarewell()
    }
    waitForRest()
  }

  /// Sets the alarm for an incomplete sequence.
  private func waitForRest() {
    let delay: Duration?
    switch decoder.waiting {
    case .no: delay = nil
    case .escape: delay = options.escapeDelay
    case .sequence: delay = max(options.escapeDelay * 4, .milliseconds(250))
    }
    ScreenLoop.shared.setAlarm(after: delay) { [weak self] in
      guard let self else { return }
      events.post(decoder.timeOut())
      waitForRest()
    }
  }

  private func readSignals() {
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = read(signals, &bytes, bytes.count)
    guard count > 0 else { return }
    let seen = Set(bytes[..<count])
    func has(_ signal: Int) -> Bool { seen.contains(UInt8(truncatingIfNeeded: signal)) }
    if has(APUS_SIGNAL_END) || (isOurs && has(APUS_SIGNAL_INTERRUPT)) {
      events.post(.hangup)
    }
    if has(APUS_SIGNAL_CONTINUE), isOurs {
      // Another program stopped this one. In the meantime, a shell had the terminal and may have changed its modes.
      apus_screen_renew_modes()
      enableModes(isRenewed: true)
      events.post(.resumed)
    }
    checkSize()
    if has(APUS_SIGNAL_STOP) { suspend() }
  }

  private func checkSize() {
    guard isOurs, let size = Self.kernelSize(), size != self.size else { return }
    self.size = size
    apus_screen_resize(Int32(size.width), Int32(size.height))
    setFarewell()
    events.post(.resize(size))
  }

  private static func kernelSize() -> Size? {
    var columns: Int32 = 0
    var rows: Int32 = 0
    guard apus_screen_size(&columns, &rows) else { return nil }
    return Size(width: Int(columns), height: Int(rows))
  }

  // MARK: - Writing

  private func send(_ text: String) {
    send(Array(text.utf8))
  }

  private func send(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    let waitsAlready = !unsent.isEmpty
    unsent += bytes
    if !waitsAlready { flush() }
  }

  /// Writes as much as the terminal accepts; the rest follows later, or within the given time.
  private func flush(waitingFor milliseconds: Int32? = nil) {
    let wasWaiting = isWaitingToWrite
    while !unsent.isEmpty {
      let count = unsent.withUnsafeBytes { write(output, $0.baseAddress, $0.count) }
      if count > 0 {
        unsent.removeFirst(count)
        writtenBytes += count
      } else if errno == EINTR {
        continue
      } else if errno == EAGAIN {
        guard let milliseconds else { break }
        var waiting = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
        if poll(&waiting, 1, milliseconds) <= 0 { unsent = [] }
      } else {
        // The terminal is gone, which reading reports as well.
        unsent = []
      }
    }
    if unsent.isEmpty {
      unsent = []
      if wasWaiting { ScreenLoop.shared.removeSource(output, for: .writing) }
      isWaitingToWrite = false
    } else if !wasWaiting {
      isWaitingToWrite = true
      ScreenLoop.shared.addSource(output, for: .writing) { [weak self] in self?.writeMore() }
    }
  }

  private func writeMore() {
    flush()
    guard unsent.isEmpty, let waiting = waitingFrame else { return }
    waitingFrame = nil
    present(waiting.frame, cursor: waiting.cursor)
  }
}
