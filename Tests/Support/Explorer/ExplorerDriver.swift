import ApusExplorerCore
import ApusExplorerScreen
import ApusExplorerTerminal
import Synchronization

/// A clock that advances by a second each time it is read, so that each key comes long after the last frame.
private final class PatientClock: Sendable {
  private let elapsed = Mutex(Duration.zero)
  private let start = ContinuousClock.now

  @Sendable func now() -> ContinuousClock.Instant {
    elapsed.withLock { elapsed in
      elapsed += .seconds(1)
      return start + elapsed
    }
  }
}

/// Drives an explorer like a user: presses keys, waits until all work is done, reads the screen.
///
/// The loop, the update function and the frames are those of the program; only the terminal is virtual. It is used by
/// tests and by the scripts that create the pictures of the documentation.
@ScreenActor
package final class ExplorerDriver {
  package let terminal: VirtualTerminal
  package let loop: ExplorerLoop
  private let task: Task<Void, Never>
  private let audience: DriverAudience?
  private var sentEvents = 0

  package init(
    state: ExplorerState, environment: ExplorerEnvironment, width: Int = 80, height: Int = 24, themes: [Theme] = [],
    audience: DriverAudience? = .invited(), now: (@Sendable () -> ContinuousClock.Instant)? = nil
  ) {
    self.audience = audience
    terminal = VirtualTerminal(width: width, height: height)
    let loop = ExplorerLoop(
      state: state, environment: environment, backend: terminal, themes: themes.map(ThemeChoice.init),
      now: now ?? PatientClock().now)
    self.loop = loop
    task = Task { @ScreenActor in await loop.run() }
  }

  package var state: ExplorerState { loop.state }
  package var lines: [String] { terminal.lines }
  package var screen: String { lines.joined(separator: "\n") }

  /// Presses keys, named and separated by spaces: `press("F5 Alt-3 Down Enter")`. An answer is pressed when its question is
  /// on the screen.
  package func press(_ keys: String) async {
    for name in keys.split(separator: " ") {
      if name == "y" || name == "n" { await waitForIdle() }
      guard let key = KeyPress(String(name)) else { preconditionFailure("\(name) names no key") }
      send(.key(key))
      await show(String(name))
    }
    await waitForIdle()
  }

  package func type(_ text: String) async {
    for character in text {
      send(.key(character == "\n" ? KeyPress(.enter) : KeyPress(.character(character))))
      await show(String(character))
    }
    await waitForIdle()
  }

  /// Presses keys without waiting for their effects.
  package func pressWithoutWaiting(_ keys: String) async {
    for name in keys.split(separator: " ") {
      guard let key = KeyPress(String(name)) else { preconditionFailure("\(name) names no key") }
      send(.key(key))
    }
    let count = sentEvents
    await loop.wait { $0.handledEvents >= count }
  }

  package func paste(_ text: String) async {
    send(.paste(text))
    await show("a paste")
    await waitForIdle()
  }

  package func click(_ text: String) async {
    guard let point = terminal.find(text) else { preconditionFailure("\(text) is not on the screen") }
    await click(point)
  }

  package func click(_ point: Point) async {
    send(.mouse(MouseEvent(.press(.left), at: point)))
    send(.mouse(MouseEvent(.release(.left), at: point)))
    await show("a click")
    await waitForIdle()
  }

  package func mouse(_ action: MouseEvent.Action, at point: Point) async {
    send(.mouse(MouseEvent(action, at: point)))
    await waitForIdle()
  }

  /// Changes whether the terminal window has the focus.
  package func focus(_ isInFocus: Bool) async {
    send(.focus(isInFocus))
    await waitForIdle()
  }

  package func resize(width: Int, height: Int) async {
    send(.resize(Size(width: width, height: height)))
    await waitForIdle()
  }

  /// Shows the result of a step to the audience.
  private func show(_ step: String) async {
    guard let audience else { return }
    await waitForIdle()
    await audience.see(terminal, after: step)
  }

  package func waitForIdle() async {
    let count = sentEvents
    await loop.wait { $0.hasEnded || ($0.hasStarted && $0.handledEvents >= count && !$0.isBusy) }
  }

  /// Waits for a state that occurs by itself, such as the next payload of a response.
  package func wait(until isTrue: @escaping @Sendable (ExplorerState) -> Bool) async {
    await loop.wait { isTrue($0.state) }
  }

  package func waitForScreen(_ text: String) async {
    let terminal = terminal
    await loop.wait { _ in terminal.lines.contains { $0.contains(text) } }
  }

  /// Quits, and returns when the loop has ended. Cancellation, as by a test's time limit, ends the loop.
  package func quit() async {
    send(.key("Ctrl-Q"))
    await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
    audience?.leave()
  }

  private func send(_ event: TerminalEvent) {
    sentEvents += 1
    terminal.send(event)
  }
}
