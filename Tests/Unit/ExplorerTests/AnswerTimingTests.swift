import ApusExplorerCore
import ApusExplorerScreen
import ApusExplorerTerminal
import ApusExplorerTestSupport
import Synchronization
import Testing

/// Answers to questions, with a clock that the test moves. The rows are those of Docs/Development/Security.md.
@Suite(.timeLimit(.minutes(1))) struct AnswerTimingTests {
  private final class Clock: Sendable {
    private let elapsed = Mutex(Duration.zero)
    private let start = ContinuousClock.now
    @Sendable func now() -> ContinuousClock.Instant { elapsed.withLock { start + $0 } }
    func advance(_ milliseconds: Int) { elapsed.withLock { $0 += .milliseconds(milliseconds) } }
  }

  /// The files that the explorer exported.
  private final class Written: Sendable {
    private let paths = Mutex<[String]>([])
    var all: [String] { paths.withLock { $0 } }
    func add(_ path: String) { paths.withLock { $0.append(path) } }
  }

  private let clock = Clock()
  private let written = Written()

  /// Runs an explorer whose only question is whether to overwrite a file.
  private func ask(
    lines: Int = 0, refusal: FollowUp? = nil, height: Int = 24, _ drive: (ExplorerDriver) async throws -> Void
  ) async throws {
    var environment = ExplorerEnvironment()
    environment.exports.export = { [written] _, path, _ in
      written.add(path)
      return .exported(path)
    }
    var state = ExplorerState(endpoint: "http://a.example")
    let question = ConfirmationPopup(
      question: "Overwrite it?", detail: "It exists.", lines: (0..<lines).map { "line \($0)" },
      confirmation: .effect(.export(.text("text", to: "it", overwrites: true))), refusal: refusal)
    state.popups.present(Popup(question))
    let driver = await ExplorerDriver(
      state: state, environment: environment, height: height, audience: nil, now: clock.now)
    await driver.waitForIdle()
    try await drive(driver)
    // An open question takes no other keys.
    clock.advance(1000)
    await driver.press("Esc")
    await driver.quit()
  }

  private func isOpen(_ driver: ExplorerDriver) async -> Bool { await driver.screen.contains("Question") }

  @Test(arguments: [(0, false), (1, false), (399, false), (400, true), (5000, true)])
  func `a yes counts once the question has been visible for 400 ms`(milliseconds: Int, counts: Bool) async throws {
    try await ask { driver in
      clock.advance(milliseconds)
      await driver.press("y")
      #expect(written.all == (counts ? ["it"] : []))
      #expect(await isOpen(driver) == !counts)
    }
  }

  @Test func `an early yes and a late Enter do not answer a question`() async throws {
    try await ask { driver in
      await driver.press("y")
      clock.advance(1000)
      await driver.press("Enter")
      #expect(written.all.isEmpty)
      #expect(await isOpen(driver))
      await driver.press("y")
      #expect(written.all == ["it"])
    }
  }

  @Test func `Ctrl-Q ends the explorer while a question is open, without an answer`() {
    var state = ExplorerState(endpoint: "http://a.example")
    let question = ConfirmationPopup(
      question: "Overwrite it?", detail: "", confirmation: .effect(.export(.text("text", to: "it", overwrites: true))))
    state.popups.present(Popup(question))
    var reader = KeyReader()
    let actions = reader.actions(for: "Ctrl-Q", in: state, .standard)
    for action in actions { #expect(update(&state, action).isEmpty) }
    #expect(state.isQuitting)
  }

  @Test func `the time begins when the last line was visible`() async throws {
    try await ask(lines: 60, height: 16) { driver in
      clock.advance(1000)
      await driver.press("y")
      #expect(written.all.isEmpty)
      await driver.press("End")
      clock.advance(399)
      await driver.press("y")
      #expect(written.all.isEmpty)
      clock.advance(1)
      // Lines that were visible count as read after scrolling back.
      await driver.press("Home")
      await driver.press("y")
      #expect(written.all == ["it"])
    }
  }

  @Test func `the time begins again when another popup covered the question or the terminal was too small`()
    async throws
  {
    try await ask { driver in
      clock.advance(1000)
      await driver.resize(width: 20, height: 5)
      await driver.press("y")
      await driver.resize(width: 80, height: 24)
      await driver.press("y")
      #expect(written.all.isEmpty)
      clock.advance(400)
      await driver.press("y")
      #expect(written.all == ["it"])
    }
  }

  @Test func `a no without an effect always closes, and one with an effect counts like a yes`() async throws {
    try await ask { driver in
      await driver.press("Esc")
      #expect(await !isOpen(driver))
    }
    let refusal = FollowUp.effect(.export(.text("text", to: "other", overwrites: true)))
    try await ask(refusal: refusal) { driver in
      await driver.press("n")
      #expect(written.all.isEmpty)
      #expect(await isOpen(driver))
      clock.advance(400)
      await driver.press("n")
      #expect(written.all == ["other"])
    }
  }

  /// Every key that is typed before the question appears, in one batch with the key that causes it.
  @Test func `keys typed before a question do not answer it`() async throws {
    var environment = ExplorerEnvironment()
    environment.exports.export = { [written] _, path, overwrites in
      if overwrites { written.add(path) }
      return .fileExists(path, text: "text")
    }
    var state = ExplorerState(endpoint: "http://a.example")
    state.popups.present(
      Popup(
        ConfirmationPopup(
          question: "First?", detail: "", confirmation: .effect(.export(.text("text", to: "it", overwrites: false))))))
    let driver = await ExplorerDriver(state: state, environment: environment, audience: nil, now: clock.now)
    await driver.waitForIdle()
    clock.advance(1000)
    await driver.pressWithoutWaiting("y y y y")
    await driver.waitForIdle()
    #expect(await driver.screen.contains("Overwrite it?"))
    await driver.press("y")
    #expect(written.all.isEmpty)
    clock.advance(400)
    await driver.press("y")
    #expect(written.all == ["it"])
    clock.advance(1000)
    await driver.press("Esc")
    await driver.quit()
  }
}
