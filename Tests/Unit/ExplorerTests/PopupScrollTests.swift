import ApusExplorerCore
import ApusExplorerTestSupport
import ApusJSON
import Testing

/// Popups with more text than fits: each key scrolls within the text, and keys at its ends change nothing.
@Suite(.timeLimit(.minutes(1))) struct PopupScrollTests {
  private static let lines = (0..<90).map { "line \($0)." }
  /// Each popup with the number of rows above the first line.
  private static let popups: [(popup: Popup, rowsAbove: Int)] = [
    (Popup(ValuePopup(path: ["notes"], JSONValue(lines.joined(separator: "\n")))), 0),
    (Popup(ConfirmationPopup(question: "Go on?", detail: "", lines: lines, confirmation: .copy("x"))), 2),
  ]

  @Test(arguments: popups.indices)
  func `text scrolls from its first line to its last one`(index: Int) async throws {
    let (popup, rowsAbove) = Self.popups[index]
    var state = ExplorerState(endpoint: "https://birds.example/graphql")
    state.popups.present(popup)
    let driver = await ExplorerDriver(state: state, environment: ExplorerEnvironment(), width: 80, height: 24)
    func isShown(_ line: Int) async -> Bool { await driver.screen.contains("line \(line).") }
    func press(_ key: String, _ count: Int) async {
      await driver.press(Array(repeating: key, count: count).joined(separator: " "))
    }
    #expect(await isShown(0))
    await press("Down", rowsAbove + 1)
    #expect(await [isShown(0), isShown(1)] == [false, true])
    await press("Up", rowsAbove + 4)
    #expect(await isShown(0))
    await press("Down", rowsAbove + 1)
    #expect(await [isShown(0), isShown(1)] == [false, true])
    await press("PageDown", 1)
    #expect(await [isShown(8), isShown(9)] == [false, true])
    await driver.press("End End Down")
    #expect(await isShown(89))
    await press("Up", 1)
    #expect(await [isShown(88), isShown(89)] == [true, false])
    await press("Home", 1)
    #expect(await isShown(0))
    await driver.quit()
  }
}
