import ApusTestSupport
import Foundation

/// The names in the sources: declared types with their members, all words outside of comments, and files.
struct CodeNames {
  /// The names and paths of files.
  private(set) var files: Set<String> = []
  /// The text of scripts and manifests, in which options are searched.
  private(set) var scripts = ""
  private var words: Set<Substring> = []
  private var members: [String: Set<String>] = [:]
  private var inherited: [String: Set<String>] = [:]

  /// Reads the files of the checkout.
  init() throws {
    for folder in ["Sources", "Tests", "Docs", "Themes", ".ci"] {
      let names = FileManager.default.enumerator(atPath: "\(Checkout.root)/\(folder)")
      for case let name as String in names ?? .init() where !name.contains(".build") && !name.hasPrefix("Pictures/") {
        add(file: "\(folder)/\(name)")
      }
    }
    for name in ["Package.swift", "install.sh", "CHANGELOG.md", "CONTRIBUTING.md", "README.md"] { add(file: name) }
  }

  /// Reads sources by path.
  init(_ sources: [String: String]) {
    for (path, text) in sources { add(text, of: path) }
  }

  private mutating func add(file path: String) {
    let name = String(path.split(separator: "/").last ?? "")
    // A document may name a file of extensions without its ending: `RunCoordinator`.
    files.formUnion([path, name, String(name.prefix { $0 != "." && $0 != "+" })])
    guard !path.hasSuffix(".md"), let text = try? String(contentsOfFile: "\(Checkout.root)/\(path)", encoding: .utf8)
    else { return }
    add(text, of: path)
  }

  private mutating func add(_ text: String, of path: String) {
    if !path.hasPrefix("Sources/") { scripts += text }
    for line in text.split(separator: "\n") where !line.drop(while: { $0 == " " }).hasPrefix("//") {
      let code = line.firstRange(of: "  // ").map { line[..<$0.lowerBound] } ?? line
      words.formUnion(code.split { !$0.isASCII || !($0.isLetter || $0.isNumber || $0 == "_") })
    }
    guard path.hasSuffix(".swift") else { return }
    for declaration in SourceDeclaration.all(in: text) { add(declaration) }
  }

  private mutating func add(_ declaration: SourceDeclaration) {
    let name = Self.last(declaration.name)
    if declaration.isType || ["extension", "typealias"].contains(declaration.kind) {
      members[name, default: []].formUnion([])
      inherited[name, default: []].formUnion(declaration.inheritedTypes)
    }
    guard let owner = declaration.parent.map({ Self.last($0.name) }) else { return }
    members[owner, default: []].formUnion(declaration.kind == "case" ? Self.cases(of: declaration) : [name])
  }

  private static func last(_ name: String) -> String { name.split(separator: ".").last.map(String.init) ?? name }

  /// Returns the names of `case a, b(Int)`.
  private static func cases(of declaration: SourceDeclaration) -> [String] {
    var depth = 0
    let outside = declaration.signature.dropFirst("case ".count).filter { character in
      if "([".contains(character) { depth += 1 }
      defer { if ")]".contains(character) { depth -= 1 } }
      return depth == 0
    }
    return outside.split(separator: ",").map { part in
      String(part.drop { $0 == " " || $0 == "`" }.prefix { $0.isLetter || $0.isNumber || $0 == "_" })
    }
  }

  /// Returns the words of a code name such as `CacheStore.evict(_:)` or `payloadIndex`; nil for other text. A single word is
  /// one only with a capital letter inside, because other words cannot be distinguished from plain text.
  static func words(of text: String) -> [String]? {
    guard let match = text.wholeMatch(of: /\.?([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)(\([\w:]*\))?/) else { return nil }
    let words = match.output.1.split(separator: ".").map(String.init)
    // `Q.response.json` is the name of a file that a user writes.
    if words.count > 2, ["json", "ndjson"].contains(words.last) { return nil }
    let isCode = words.count > 1 || match.output.2 != nil || words[0].contains(/[a-z][A-Z]|[A-Z]{2}[a-z]/)
    return isCode ? words : nil
  }

  /// Returns why a name does not exist; nil if it does.
  func problem(with words: [String], isMember: Bool) -> String? {
    if let word = words.first(where: { !Self.implicit.contains($0) && !has($0) }) {
      return words.count > 1 && !isMember && members[words[0]] != nil
        ? "\(words[0]) has no member \(word)" : "the code has no word \(word)"
    }
    // `client.fetch` begins with a variable, and `Query.bird` with a type of a schema.
    guard !isMember, words[0].first?.isUppercase == true, words[0] != "Query", words.count > 1 else { return nil }
    guard members[words[0]] != nil else {
      return files.contains(words[0]) ? nil : "there is no type \(words[0])"
    }
    for (type, member) in zip(words, words.dropFirst()) where members[type] != nil {
      guard has(type, member) else { return "\(type) has no member \(member)" }
    }
    return nil
  }

  /// Members that the compiler or the standard library declares.
  private static let implicit: Set = ["init", "rawValue", "allCases", "description"]

  private func has(_ word: String) -> Bool {
    words.contains(word[...]) || members[word] != nil || files.contains(word)
  }

  private func has(_ type: String, _ member: String) -> Bool {
    if Self.implicit.contains(member) { return true }
    var waiting = [type]
    var seen: Set<String> = []
    while let name = waiting.popLast() {
      guard seen.insert(name).inserted else { continue }
      if members[name]?.contains(member) == true { return true }
      waiting += inherited[name] ?? []
    }
    return false
  }
}
