import ApusTestSupport
import Foundation
import Testing

/// A job in the explorer, done in a real terminal with counted keys.
///
/// A key, a letter and a paste count 1 each. Keys before `begin` prepare the job and are not counted. The page of the jobs
/// has the number of keys, and `end` compares it.
final class Job {
  static let page = "Docs/Development/Jobs.md"

  let session: TmuxSession
  let home: TemporaryFolder
  private var keyCount = 0

  /// Opens a terminal whose shell is in the folder `work` of `home`, where `apus` is the program under test.
  init(home: TemporaryFolder) async throws {
    self.home = home
    session = try await TmuxSession(columns: 120, rows: 36, environment: ["HOME": home.make("work")], home: home)
    try await session.run("cd; alias apus=\(Checkout.apus); clear")
    try await session.wait("the cleared screen") { !$0.contains("alias") }
  }

  /// Opens the explorer on a query and starts counting.
  convenience init(
    _ endpoint: String, query: String, home: TemporaryFolder? = nil
  ) async throws {
    try await self.init(home: home ?? TemporaryFolder())
    try await session.run("apus \(endpoint)")
    try await session.wait("the explorer") { $0.contains("1 Query") && $0.contains("types") }
    try await session.type("C-a", "BSpace")
    try await session.paste(query)
    // The end of a long line is visible.
    let last = query.split(separator: "\n").last.map { $0.suffix(30) } ?? ""
    try await session.wait("the query") { $0.contains(last) }
  }

  /// Presses keys, named as in tmux.
  func press(_ keys: String...) async throws {
    keyCount += keys.count
    for key in keys { try await session.type(key) }
  }

  /// Types text.
  func write(_ text: String) async throws {
    keyCount += text.count
    try await session.send(text)
  }

  func paste(_ text: String) async throws {
    keyCount += 1
    try await session.paste(text)
  }

  /// Quits, and waits for the shell. A key before that would be discarded with the input of the explorer.
  func quit() async throws {
    try await session.type("C-q")
    try await see("the shell") { $0.split(separator: "\n").last == "$" }
  }

  /// Starts counting.
  func begin() { keyCount = 0 }

  @discardableResult
  func see(_ what: String, _ condition: (String) -> Bool) async throws -> String {
    try await session.wait(what, until: condition)
  }

  @discardableResult
  func see(_ text: String) async throws -> String { try await session.wait(for: text) }

  /// Checks the number of keys, and quits.
  func end(_ name: String) async throws {
    let row = try #require(
      MarkdownPage(Self.page).text.split(separator: "\n").first { $0.hasPrefix("| \(name) |") }, "no row \(name)")
    let limit = try #require(
      row.split(separator: "|").last { !$0.allSatisfy(\.isWhitespace) }.flatMap {
        Int($0.trimmingCharacters(in: .whitespaces))
      }, "\(row)")
    #expect(keyCount == limit, "the keys of \(name)")
    try await session.type("C-q")
  }
}

extension String {
  /// The lines that contain a text.
  func lines(with text: String) -> [Substring] { split(separator: "\n").filter { $0.contains(text) } }
}

/// A process that serves the demo API, and ends with this object.
final class DemoProcess {
  private let process: ChildProcess
  let url: String

  init() async throws {
    process = try ChildProcess(Checkout.apus, ["serve", "--delay-scale", "0"])
    url = try #require(await process.nextLine())
  }
}
