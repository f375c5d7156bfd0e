import ApusTestSupport
import Foundation
import Testing

/// Tests that the code names in documents exist: types, members, words of the code, options and files.
struct CodeNamesTests {
  /// Names of other programs, and names that a tutorial's reader writes. The names of `FromApollo.md` are other libraries'
  /// names except in its second column, which `DocumentationTests` compare with the public API.
  private static let otherNames: Set = [
    "JSON.stringify", "MemberImportVisibility", "Models.swift", "MultipartResponseParsingInterceptor",
    "PossiblyDeferred", "Selections.swift",
    "Sources/Flock", "Sources/Flock/Birds.swift", "Sources/Flock/main.swift", "hashValue_", "latestPost",
    "persistConfig", "teamId",
    "twoPages",
  ]
  /// Options of Swift, Nix, npm and perf.
  private static let otherOptions: Set = ["info", "parse", "tree", "variant"]

  /// The names in the checkout, which takes seconds to read.
  private static let checkout = Result { try CodeNames() }

  private let code: CodeNames
  /// The options of the commands, without dashes.
  private let options: Set<String>

  init() throws {
    code = try Self.checkout.get()
    let table = try String(
      contentsOfFile: "\(Checkout.root)/Sources/Tools/CommandLine/CommandTable.swift", encoding: .utf8)
    options = Set(table.matches(of: /OptionDescription\(\s*"([\w-]+)"/).map { String($0.output.1) })
  }

  @Test func `types, members and words of the code that documents name exist`() throws {
    var count = 0
    for page in try pages() where page.path != "Docs/FromApollo.md" {
      for (line, text) in page.inlineCode where !Self.otherNames.contains(text) && !code.files.contains(text) {
        guard let words = CodeNames.words(of: text) else { continue }
        count += 1
        let problem = code.problem(with: words, isMember: text.hasPrefix("."))
        #expect(problem == nil, "\(page.path):\(line): `\(text)`: \(problem ?? "")")
      }
    }
    #expect(count > 1000)
  }

  @Test func `options that documents name exist`() throws {
    var count = 0
    for page in try pages() {
      for (line, text) in page.inlineCode {
        for match in text.matches(of: /(?:^|[^\w-])--([a-z][\w-]*)/) {
          let name = String(match.output.1)
          if options.contains(name) || Self.otherOptions.contains(name) { continue }
          count += 1
          #expect(code.scripts.contains("--\(name)"), "\(page.path):\(line): no command has the option --\(name)")
        }
      }
    }
    #expect(options.count > 50 && count > 10)
  }

  @Test func `files that documents name exist`() throws {
    var count = 0
    let paths = /(?:^|[^\w.\/*+-])((?:Sources|Tests|Docs|Themes|\.ci)\/[\w.\/+-]+|[A-Z][\w+]*\.swift)/
    for page in try pages() {
      for (line, text) in page.inlineCode {
        for match in text.matches(of: paths) where !Self.otherNames.contains(String(match.output.1)) {
          let path = String(match.output.1)
          count += 1
          let exists = code.files.contains(path) || FileManager.default.fileExists(atPath: "\(Checkout.root)/\(path)")
          #expect(exists, "\(page.path):\(line): there is no \(path)")
        }
      }
    }
    #expect(count > 100)
  }

  @Test func `the exceptions are names that a document has`() throws {
    let found = Set(try pages().flatMap(\.inlineCode).map(\.text))
    for name in Self.otherNames { #expect(found.contains { $0.contains(name) }, "\(name)") }
    for name in Self.otherOptions { #expect(found.contains { $0.contains("--\(name)") }, "\(name)") }
  }

  private func pages() throws -> [MarkdownPage] {
    // The changelog names what earlier versions had, and the public API is generated from the sources.
    try MarkdownPage.all.filter { !["CHANGELOG.md", "Docs/PublicAPI.md"].contains($0.path) }
  }
}

/// The rule by which a code name exists.
struct CodeNameRuleTests {
  /// Situations of the rule, by the smallest sources that have them.
  @Test(arguments: [
    ("Cache.size", nil), ("Cache.clear(all:)", nil), ("Cache.Kind.fullSize", nil), ("Kind.empty", nil),
    ("Cache.describe()", nil), ("Kind.rawValue", nil), ("Cache.extra", nil), (".fullSize", nil), ("clearAll", nil),
    ("Cache.lost", "Cache has no member lost"), ("Kind.lost", "Kind has no member lost"),
    ("Lost.size", "the code has no word Lost"), ("Int.size", "there is no type Int"),
    ("lostWord", "the code has no word lostWord"),
    (".lostCase", "the code has no word lostCase"), ("commentedOut", "the code has no word commentedOut"),
  ])
  func `a name exists if the code declares it`(_ text: String, _ problem: String?) throws {
    let source = """
      protocol Describing {
        func describe() -> String
      }
      /// A doc comment about commentedOut.
      struct Cache: Describing {
        enum Kind: String {
          case empty, fullSize(Int, of: Int)
        }
        let size = 1  // and another about commentedOut
        func clear(all: Bool) { clearAll(now: true) }
      }
      extension Cache {
        var extra: Int { 1 }
      }
      """
    let words = try #require(CodeNames.words(of: text))
    #expect(CodeNames(["Cache.swift": source]).problem(with: words, isMember: text.hasPrefix(".")) == problem)
  }

  @Test(arguments: [
    "cache", "Cache", ".full", "apus query", "a/b", "x = 1", "HTTP", "GET", "$id", "--all-pages", "3.5",
  ])
  func `plain words and commands are not code names`(_ text: String) {
    #expect(CodeNames.words(of: text) == nil)
  }
}

extension MarkdownPage {
  /// The code in backticks outside of code blocks, with line numbers.
  fileprivate var inlineCode: [(line: Int, text: String)] {
    var isBlock = false
    return text.components(separatedBy: "\n").enumerated().flatMap { index, line -> [(Int, String)] in
      if line.hasPrefix("```") { isBlock.toggle() }
      guard !isBlock, !line.hasPrefix("    ") else { return [] }
      return line.components(separatedBy: "`").enumerated().filter { $0.offset % 2 == 1 }.map {
        (index + 1, $0.element)
      }
    }
  }
}
