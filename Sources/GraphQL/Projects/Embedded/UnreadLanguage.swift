/// Recognizes GraphQL in files of languages that Apus does not read, so that a check does not pass over it:
/// `` gql`…` ``, `graphql("…")`, `<<~GRAPHQL`.
package enum UnreadLanguage {
  private static let endings = Set([
    "c", "cc", "clj", "cljs", "coffee", "cpp", "cs", "dart", "ejs", "elm", "erb", "erl", "ex", "exs", "fs", "go",
    "gradle",
    "groovy", "h", "hbs", "hs", "htm", "html", "java", "jl", "kt", "kts", "lua", "m", "ml", "mm", "php", "pl", "pm",
    "r",
    "rb", "re", "res", "rs", "scala", "sh", "svx", "tpl", "twig",
  ])

  /// Whether a file is text in a programming language, by its name.
  package static func isCode(_ path: String) -> Bool {
    let name = "\(FilePath(path).name)"
    return name.lastIndex(of: ".").map { endings.contains(name[name.index(after: $0)...].lowercased()) } ?? false
  }

  /// Whether the text has a mark of GraphQL: a tag or a call with a string, a comment, a heredoc or a code fence.
  package static func isMarked(_ bytes: [UInt8]) -> Bool {
    var index = 0
    while let start = bytes[index...].firstIndex(where: { $0 | 0x20 == UInt8(ascii: "g") }) {
      let word = bytes[start...].prefix(while: EmbeddedGraphQL.isWord)
      index = max(word.endIndex, start + 1)
      // A word that begins elsewhere was skipped.
      if start > 0, EmbeddedGraphQL.isWord(bytes[start - 1]) { continue }
      guard EmbeddedGraphQL.isMark(EmbeddedGraphQL.lowercase(word)[...]) else { continue }
      if isMark(before: bytes[..<start], after: bytes[word.endIndex...]) { return true }
    }
    return false
  }

  private static let quotes = Array("`'\"".utf8)

  private static func isMark(before: ArraySlice<UInt8>, after: ArraySlice<UInt8>) -> Bool {
    if let next = after.first {
      if next == UInt8(ascii: "`") || next == UInt8(ascii: "\"") { return true }
      let argument = after.dropFirst().first { $0 > 0x20 }
      if next == UInt8(ascii: "("), let argument, quotes.contains(argument) { return true }
    }
    func ends(_ marks: [String]) -> Bool {
      let text = before.suffix(16).filter { $0 != 0x20 }
      return marks.contains { text.suffix($0.utf8.count).elementsEqual($0.utf8) }
    }
    if ends(["<<", "<<~", "<<-", "<<'", "<<~'", "<<\"", "/*", "```", "~~~", "language="]) { return true }
    // A comment at the beginning of a string.
    guard ends(["#"]) else { return false }
    let quote = before.dropLast().last { $0 > 0x20 && $0 != UInt8(ascii: "#") }
    return quote.map(quotes.contains) ?? false
  }
}
