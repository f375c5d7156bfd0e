import ApusTestSupport
import Foundation
import Synchronization

/// Runs operations repeatedly in an explorer in a pseudoterminal: deferred, paged, subscribed, canceled, evicted.
///
/// The server sends a different word with each response, of which every letter changes, so that the entire word is
/// written to the terminal. A run is complete when its word is on the screen.
enum ExplorerSoak {
  static func run(_ count: Int) async throws -> Bool {
    try await withCheckedThrowingContinuation { continuation in
      startThread { continuation.resume(with: Result { try runBlocking(count) }) }
    }
  }

  private static func runBlocking(_ count: Int) throws -> Bool {
    let answers = Answers()
    let server = try ScriptedServer { request, _ in answers.answer(to: request.bodyText) }
    let home = try TemporaryFolder()
    var environment = home.asHome
    environment["HOME"] = home.root
    environment["TERM"] = "xterm-256color"
    environment["LC_ALL"] = "C.UTF-8"
    let terminal = try PseudoTerminal(
      [Checkout.apus, server.url, "--subscription-transport", "sse"], environment: environment, folder: home.root)
    let person = Person(terminal: terminal, answers: answers)
    guard person.opens() else {
      say("FAULT: the explorer does not open: \(terminal.text.suffix(3000))")
      return false
    }
    var growth = Growth("one explorer", count: count, bytesEach: 500)
    for number in 0..<count {
      guard person.runs(number) else {
        let ended = terminal.waitForEnd(within: .seconds(1)).map { ", for the explorer ended (\($0))" } ?? ""
        say("FAULT: run \(number) is not on the screen\(ended): \(terminal.text.suffix(3000).debugDescription)")
        return false
      }
      if number == count / 10 { growth.atTenth(terminal.process) }
    }
    let isBounded = growth.isBounded(terminal.process)
    terminal.type("\u{11}")
    return terminal.waitForEnd() == .exit(code: 0) && isBounded
  }
}

/// Types keys and waits like a user.
private struct Person {
  let terminal: PseudoTerminal
  let answers: Answers

  private enum Keys {
    static let run = "\u{12}"
    static let newTab = "\u{14}"
    static let selectAll = "\u{1}"
    static let cancel = "\u{3}"
    static let nextTab = "\u{1B}[6;5~"
    static let nextPage = "\u{1B}n"
    static let query = "\u{1B}1"
    static let cache = "\u{1B}5"
    static let first = "\u{1B}[H"
    static let evict = "d"
    static let yes = "y"
  }

  /// Opens a tab for each kind of run.
  func opens() -> Bool {
    guard terminal.wait(for: "Query") else { return false }
    let texts = [
      "query Deferred {\n  word\n  ... @defer { late }\n}",
      "query Paged {\n  birds(first: 1) {\n    edges { node { word } }\n    pageInfo { hasNextPage endCursor }\n  }\n}",
      "subscription Subscribed {\n  word\n}", "query Left {\n  word\n  ... @defer { never }\n}",
    ]
    for (number, text) in texts.enumerated() {
      terminal.forget()
      terminal.type(number == 0 ? Keys.selectAll : Keys.newTab)
      terminal.paste(text)
      let name = text.split(whereSeparator: \.isWhitespace)[1]
      guard terminal.wait(for: String(name)) else { return false }
    }
    return true
  }

  /// Performs one run in the next tab. Every second run in the first tab is followed by an eviction, which refetches
  /// it.
  func runs(_ number: Int) -> Bool {
    let kind = Kind.allCases[number % 4]
    terminal.type(Keys.nextTab)
    terminal.forget()
    guard shows(kind, after: Keys.run) else { return false }
    switch kind {
    case .paged: return shows(kind, after: Keys.nextPage)
    case .left: terminal.type(Keys.cancel)
    case .deferred where number % 8 == 0:
      // A user would look first. By then the run is complete and its result is watched.
      terminal.read(for: .milliseconds(100))
      terminal.type(Keys.cache + Keys.first + Keys.evict)
      guard terminal.wait(for: "Evict QUERY_ROOT") else { return false }
      // An answer counts after its question was visible for 400 ms.
      terminal.read(for: .milliseconds(600))
      terminal.forget()
      guard shows(kind, after: Keys.yes) else { return false }
      terminal.type(Keys.query)
    case .deferred, .subscribed: break
    }
    return true
  }

  /// Types keys that cause a request, and waits for the word of its response. An eviction also refetches other tabs, so
  /// that the word may be one of the following.
  private func shows(_ kind: Kind, after keys: String) -> Bool {
    let given = answers.given(kind)
    terminal.type(keys)
    let words = (1...3).map { Answers.word(given + $0) }
    for _ in 0..<30 {
      if terminal.wait(forAny: words, within: .seconds(1)) {
        terminal.forget()
        return true
      }
      // The word of a page arrives before its run is complete. A request for the next page that came too early is
      // repeated.
      if terminal.text.contains("The operation is still running") {
        terminal.forget()
        terminal.type(keys)
      }
    }
    return false
  }
}

/// The kinds of runs, in the order of the tabs.
private enum Kind: CaseIterable {
  case deferred, paged, subscribed, left
}

/// The server's responses, each with the next word of its kind.
private final class Answers: Sendable {
  private let counts = Mutex<[Kind: Int]>([:])

  func given(_ kind: Kind) -> Int { counts.withLock { $0[kind] ?? 0 } }

  private func nextWord(_ kind: Kind) -> String {
    Self.word(
      counts.withLock { counts in
        counts[kind, default: 0] += 1
        return counts[kind] ?? 0
      })
  }

  static func word(_ number: Int) -> String {
    String((0..<8).map { Character(UnicodeScalar(UInt8(97 + (number + $0 * 3) % 26))) })
  }

  func answer(to body: String) -> ScriptedAnswer {
    if body.contains("IntrospectionQuery") {
      return .json(#"{"errors":[{"message":"introspection is disabled"}]}"#)
    }
    if body.contains("subscription") {
      let event = { (word: String) in
        ScriptedAnswer.Piece.text("event: next\ndata: {\"data\":{\"word\":\"\(word)\"}}\n\n")
      }
      return .response(
        headers: [("Content-Type", "text/event-stream")],
        [event("-"), event("--"), event(nextWord(.subscribed)), .text("event: complete\ndata:\n\n")])
    }
    if body.contains("birds") {
      // The same two pages each time, because new data in each run would legitimately stay in memory.
      let cursor = body.contains("after") ? "second" : "first"
      let info = #""pageInfo":{"hasNextPage":true,"endCursor":"\#(cursor)"}"#
      return .json(#"{"data":{"birds":{"edges":[{"node":{"word":"\#(nextWord(.paged))"}}],\#(info)}}}"#)
    }
    if body.contains("never") {
      let first = #"{"data":{"word":"\#(nextWord(.left))"},"hasNext":true}"#
      return .multipart([.text(first), .hold(Gate()), .text("{}")])
    }
    return .multipart([
      .text(#"{"data":{"word":"-"},"hasNext":true}"#),
      .text(#"{"incremental":[{"data":{"late":"\#(nextWord(.deferred))"},"path":[]}],"hasNext":false}"#),
    ])
  }
}
