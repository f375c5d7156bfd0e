import ApusTestSupport
import Foundation
import Testing

/// The word list: wording that comments, messages, documents and test names avoid, with its replacement.
struct WordListTests {
  /// The kind of text in which a word is searched.
  private enum Kind {
    /// The first line of a documentation comment.
    case opener
    case comment
    case markdown
    /// A string literal of the program.
    case string
    case testName
    /// The words of a name in the code, or of a file's name: `placesAnew` is "places anew".
    case name
  }

  private struct Rule {
    let kinds: Set<Kind>
    let pattern: NSRegularExpression
    let advice: String

    init(_ pattern: String, in kinds: Set<Kind>, _ advice: String) throws {
      self.kinds = kinds
      self.pattern = try NSRegularExpression(pattern: pattern, options: .caseInsensitive)
      self.advice = advice
    }

    func matches(_ text: String) -> Bool {
      pattern.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil
    }
  }

  private static let everywhere: Set<Kind> = [.comment, .markdown, .string, .testName, .name]

  private let rules: [Rule]

  init() throws {
    rules = [
      try Rule(
        #"^(What|How|Who|Whoever|Whose|Those|That which|All that|All of what|The same|As|Of)\b"#, in: [.opener],
        "open with a noun phrase, a verb phrase or 'Whether'"),
      try Rule(
        #"\b(somebody|anybody|whoever|whomever|one's)\b"#, in: Self.everywhere, "name the user, caller or process"),
      try Rule(#"\b(is|are|was|were) told\b|\btells? (of|about)\b"#, in: Self.everywhere, "report, notify, describe"),
      try Rule(
        #"\b(anew|of late|thereby|whereof|wherein|forthwith|so anyway|be it)\b"#, in: Self.everywhere, "use plain words"
      ),
      try Rule(#"\b(beneath|upon|thereof|hence)\b"#, in: Self.everywhere, "below, on, of it, so"),
      try Rule(
        #"\b(judges?|judged|judging|mends?|mended|mending|meant for good)\b"#, in: Self.everywhere,
        "validate, lint, refetch"),
      try Rule(
        #"\b(lets? go of|gives? out|hands? on|takes? back)\b"#, in: Self.everywhere, "release, deliver, copy, undo"),
      try Rule(
        #"\b(cellar|house tests?|crossings|foreign text)\b"#, in: Self.everywhere, "use the names of Docs/Glossary.md"),
      try Rule(#"(?-i:\bformats? [AB]\b)"#, in: Self.everywhere, "the 2022 format, the v0.2 format"),
      try Rule(
        #"\b(coloured|colour|colours|behaviour|normalise|recognise|honour|favour|centre|catalogue|licence)\w*\b"#,
        in: [.comment, .markdown, .string], "American spelling"),
      try Rule(
        #"\b(foreign|nobody|tells?|told|telling|go on|goes on|handed on|waterfall|rail|crossings?)\b"#,
        in: [.name],
        "untrusted, external, unclaimed; report, notify; continue, recover; timeline, deferred; coordinator"),
    ]
  }

  /// Files whose words are not ours, or are the subject, each with its reason.
  private static let exceptions = [
    "Docs/Compared.md": "names and descriptions of other programs",
    "Sources/Tools/Demo/API/DemoSchema.swift": "the demo API has a type with British spelling",
    "Sources/Tools/Demo/API/DemoSchemaObjects.swift": "the demo API has a type with British spelling",
    "Tests/Conformance/ArchitectureTests/WordListTests.swift": "the word list",
    "Tests/Unit/ValidationTests/ClientDialectTests.swift": "a directive of Relay",
  ]

  @Test func `comments, messages, documents and test names avoid the words of the list`() throws {
    var places: [String] = []
    for file in try files() where Self.exceptions[file] == nil {
      let text = try String(contentsOfFile: "\(Checkout.root)/\(file)", encoding: .utf8)
      for (line, kind, piece) in pieces(of: text, in: file) {
        for rule in rules where rule.kinds.contains(kind) && rule.matches(piece) {
          places.append("\(file):\(line): \(piece.prefix(100)) (\(rule.advice))")
        }
      }
    }
    #expect(places.isEmpty, "\(places.joined(separator: "\n"))")
  }

  @Test func `names in the code and of files avoid the words of the list`() throws {
    var places: [String: String] = [:]
    for file in try files() where Self.exceptions[file] == nil {
      let name = file.split(separator: "/").last ?? ""
      places[String(name.prefix { $0 != "." })] = file
      guard file.hasSuffix(".swift") else { continue }
      let text = try String(contentsOfFile: "\(Checkout.root)/\(file)", encoding: .utf8)
      for name in Self.names(in: text) where places[name] == nil { places[name] = file }
    }
    #expect(places.count > 10_000)
    let rules = rules.filter { $0.kinds.contains(.name) }
    for (name, file) in places.sorted(by: { ($0.value, $0.key) < ($1.value, $1.key) }) {
      for rule in rules where rule.matches(Self.words(of: name)) {
        Issue.record("\(file): \(name) (\(rule.advice))")
      }
    }
  }

  @Test(arguments: [
    ("placesAnew", "places anew"), ("HTTPHeaders", "http headers"), ("loadURL", "load url"),
    ("v02Format", "v 02 format"),
    ("tell", "tell"), ("FormatATests", "format a tests"),
  ])
  func `a name is split into its words`(_ name: String, _ words: String) {
    #expect(Self.words(of: name) == words)
  }

  /// Returns the names in Swift code, without comments, strings and the names of C, which have underscores.
  private static func names(in text: String) -> Set<String> {
    var names: Set<Substring> = []
    var isText = false
    for line in text.split(separator: "\n") {
      let hasDelimiter = line.contains("\"\"\"")
      if hasDelimiter { isText.toggle() }
      if isText || hasDelimiter || line.drop(while: { $0 == " " }).hasPrefix("//") { continue }
      let line = line.replacing("\\\"", with: "")
      for piece in line.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
      where piece.offset % 2 == 0 {
        let code = piece.element.contains("`") ? "" : piece.element
        names.formUnion(code.split { !($0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_")) })
      }
    }
    return Set(names.filter { !$0.contains("_") }.map(String.init))
  }

  /// Returns the words of a name in camel case, in lower case.
  private static func words(of name: String) -> String {
    name.matches(of: /[A-Z]+(?=[A-Z][a-z]|[0-9]|$)|[A-Z]?[a-z]+|[A-Z]|[0-9]+/)
      .map { $0.output.lowercased() }.joined(separator: " ")
  }

  @Test func `every exception of the word list is a file`() {
    for file in Self.exceptions.keys {
      #expect(FileManager.default.fileExists(atPath: "\(Checkout.root)/\(file)"), "\(file)")
    }
  }

  private func files() throws -> [String] {
    var files = ["README.md", "CONTRIBUTING.md"]
    for folder in ["Docs", "Sources", "Tests"] {
      let names = try #require(FileManager.default.enumerator(atPath: "\(Checkout.root)/\(folder)"))
      for case let name as String in names where name.hasSuffix(".swift") || name.hasSuffix(".md") {
        if name.contains(".build/") || name.contains("Corpus/") || name.contains("/Generated/")
          || name.contains("Modules/")
        {
          continue
        }
        files.append("\(folder)/\(name)")
      }
    }
    return files
  }

  /// Returns the prose of a file, with line numbers. Code in backticks, and multiline strings, are left out.
  private func pieces(of text: String, in file: String) -> [(line: Int, kind: Kind, text: String)] {
    var pieces: [(Int, Kind, String)] = []
    var isCode = false
    var isOpening = true
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let line = line.trimmingCharacters(in: .whitespaces)
      if file.hasSuffix(".md") {
        if line.hasPrefix("```") {
          isCode.toggle()
        } else if !isCode {
          pieces.append((index + 1, .markdown, prose(line)))
        }
        continue
      }
      let isDelimiter = line.components(separatedBy: "\"\"\"").count.isMultiple(of: 2)
      if isDelimiter { isCode.toggle() }
      if isCode || isDelimiter { continue }
      if line.hasPrefix("//") {
        let comment = String(line.drop { $0 == "/" }.drop { $0 == " " })
        if line.hasPrefix("///"), isOpening { pieces.append((index + 1, .opener, comment)) }
        pieces.append((index + 1, .comment, prose(comment)))
        isOpening = comment.isEmpty
        continue
      }
      isOpening = true
      if file.hasPrefix("Tests/"), let name = line.firstMatch(of: /func `([^`]+)`\(/) {
        pieces.append((index + 1, .testName, String(name.output.1)))
      } else if file.hasPrefix("Sources/") {
        for string in line.matches(of: /"((?:[^"\\]|\\.)*)"/) where string.output.1.contains(" ") {
          pieces.append((index + 1, .string, String(string.output.1)))
        }
      }
    }
    return pieces
  }

  private func prose(_ text: String) -> String { text.replacing(/`[^`]*`/, with: "`…`") }
}
