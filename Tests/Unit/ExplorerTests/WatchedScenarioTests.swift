import ApusExplorerCore
import ApusExplorerScreen
import ApusExplorerTerminal
import ApusExplorerTestSupport
import Synchronization
import Testing

/// Scenarios can be watched: every key with what it did, on a terminal.
@Suite struct WatchedScenarioTests {
  @Test func whoWatchesSeesEachKeyAndWhatCameOfIt() async {
    let seen = Mutex("")
    let audience = await DriverAudience(delay: .zero) { bytes in
      seen.withLock { $0 += String(decoding: bytes, as: UTF8.self) }
    }
    let driver = await ExplorerDriver(
      state: ExplorerState(endpoint: "birds"), world: ExplorerWorld(), audience: audience)
    await driver.type("{ bird")
    await driver.press("Ctrl-P Esc")
    await driver.quit()
    let text = seen.withLock { $0 }
    // A frame for each of the keys, with its name beneath it.
    #expect(text.components(behind: "\u{1B}[25;1H\u{1B}[K") == ["{", " ", "b", "i", "r", "d", "Ctrl-P", "Esc"])
    #expect(text.contains("Commands"))
  }
}

extension String {
  /// What stands behind each occurrence of a mark, to the end of the line.
  fileprivate func components(behind mark: String) -> [String] {
    var found: [String] = []
    var rest = self[...]
    while let range = rest.firstRange(of: mark) {
      rest = rest[range.upperBound...]
      found.append(String(rest.prefix { !$0.isNewline }))
    }
    return found
  }
}
