import ApusExplorerCore
import ApusExplorerScreen
import ApusExplorerTerminal
import ApusExplorerTestSupport
import Synchronization
import Testing

/// Scenarios can be watched on a terminal that shows each key and its effect.
@Suite(.timeLimit(.minutes(1))) struct WatchedScenarioTests {
  @Test func `audience sees each key and its frame`() async {
    let seen = Mutex("")
    let audience = await DriverAudience(delay: .zero) { bytes in
      seen.withLock { $0 += String(decoding: bytes, as: UTF8.self) }
    }
    let driver = await ExplorerDriver(
      state: ExplorerState(endpoint: "birds"), environment: ExplorerEnvironment(), audience: audience)
    await driver.type("{ bird")
    await driver.press("Ctrl-P Esc")
    await driver.quit()
    let text = seen.withLock { $0 }
    // There is a frame for each key, with the key's name below it.
    #expect(text.components(after: "\u{1B}[25;1H\u{1B}[K") == ["{", " ", "b", "i", "r", "d", "Ctrl-P", "Esc"])
    #expect(text.contains("Commands"))
  }
}

extension String {
  /// Returns the text after each occurrence of a mark, up to the end of the line.
  fileprivate func components(after mark: String) -> [String] {
    var found: [String] = []
    var rest = self[...]
    while let range = rest.firstRange(of: mark) {
      rest = rest[range.upperBound...]
      found.append(String(rest.prefix { !$0.isNewline }))
    }
    return found
  }
}
