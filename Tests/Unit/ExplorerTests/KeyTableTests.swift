import ApusExplorerCore
import ApusExplorerScreen
import ApusExplorerTerminal
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite struct KeyTableTests {
  @Test func `a key has at most one binding per context`() {
    for context in KeyContext.allCases {
      var seen: [KeySequence: KeyTarget] = [:]
      for binding in KeyTable.standard.bindings where binding.context == context {
        for key in binding.keys {
          #expect(seen[key] == nil, "\(key) in \(context): \(binding.target) and \(String(describing: seen[key]))")
          seen[key] = binding.target
        }
      }
    }
  }

  /// A command that is missing from its group's list has no key and is not in the palette.
  @Test func `every command is in the list of its group`() throws {
    let folder =
      #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4).joined(separator: "/")
      + "/Sources/Explorer/Core/Commands"
    var names: [String] = []
    for file in try FileManager.default.contentsOfDirectory(atPath: folder) {
      let bytes = try #require(FileManager.default.contents(atPath: "\(folder)/\(file)"))
      for match in String(decoding: bytes, as: UTF8.self).matches(of: /static let (\w+) = Command\(/) {
        names.append(String(match.1))
      }
    }
    #expect(names.count > 150)
    #expect(Set(names) == Set(Command.all.map(\.name)))
  }

  @Test func `the keys of every command can be parsed`() {
    for command in Command.all {
      for key in command.keys.flatMap(\.keys) { #expect(KeySequence(key) != nil, "\(command): \(key)") }
    }
  }

  @Test func `every palette command has an effect or a reason in every pane`() {
    for pane in PaneID.allCases {
      var state = BirdStation.state()
      _ = update(&state, .paneClicked(pane))
      for command in Command.all where command.isInPalette && command != .quit {
        var copy = state
        let effects = update(&copy, .commandInvoked(command))
        #expect(
          copy != state || !effects.isEmpty || copy.screen.notice != nil || command.isQuietWhenDone,
          "\(command) in \(pane)")
      }
    }
  }

  @Test func `the document lists every key`() {
    let document = KeyTable.standard.document
    for binding in KeyTable.standard.bindings {
      for key in binding.keys { #expect(document.contains("\(key)" == "`" ? "`` ` ``" : "`\(key)`")) }
    }
  }

  /// `APUS_WRITE_DOCS=1` writes the file again.
  @Test func `Keys.md in Docs matches the key table`() throws {
    let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4).joined(separator: "/")
    let path = root + "/Docs/Keys.md"
    let document = KeyTable.standard.document
    if ProcessInfo.processInfo.environment["APUS_WRITE_DOCS"] != nil {
      try Data(document.utf8).write(to: URL(filePath: path))
    }
    let bytes = try #require(FileManager.default.contents(atPath: path), "Docs/Keys.md is not there")
    #expect(String(decoding: bytes, as: UTF8.self) == document)
  }

  @Test func `a disabled command shows its reason`() {
    var state = BirdStation.state()
    _ = update(&state, .commandInvoked(.cancel))
    #expect(state.screen.notice == Notice("Nothing is running", .warning))
  }
}

extension Command {
  /// Focusing the focused pane changes nothing.
  fileprivate var isQuietWhenDone: Bool {
    switch self {
    case .focusQuery, .focusVariables, .focusResponse, .focusDeferred, .focusCache, .focusHeaders, .selectAll: true
    default: false
    }
  }
}
