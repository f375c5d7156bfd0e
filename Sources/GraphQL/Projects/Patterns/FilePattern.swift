import ApusPlatform

/// File name patterns as globby has them: `*` matches any part of a name, `**` any folders, `?` one character, `[ab]`
/// one of several, `{a,b}` and `@(a|b)` one of several texts, and `!(a)` any other. A backslash makes a character
/// literal. `src/**/*.{graphql,gql}` matches `src/a.gql` and `src/birds/list.graphql`.
package enum FilePattern {
  /// Whether the path is an existing folder.
  package static func isFolder(_ path: String) -> Bool {
    FilePath(path).status(followsLinks: true).map { $0.st_mode & S_IFMT == S_IFDIR } ?? false
  }

  /// Whether a word is a pattern instead of the name of a file.
  package static func isPattern(_ word: String) -> Bool {
    word.utf8.contains(where: special.contains) && (hasWildcard(word) || FilePatternBraces(word[...]).hasChoices)
  }

  /// Whether a pattern without alternatives matches more than one path.
  package static func hasWildcard(_ pattern: String) -> Bool {
    pattern.utf8.contains(where: special.contains)
      && FilePatternElement.elements(of: pattern).contains { !$0.isLiteral }
  }

  /// Bytes that can have a meaning in a pattern.
  private static let special = Set("\\*?{}[]()|!".utf8)

  /// Returns the folders before the first wildcard, as a path.
  package static func fixedPart(of pattern: String) -> String {
    let parts = pattern.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map(String.init)
    // A group or bracket may contain slashes, and then its first name is not literal.
    let fixed = parts.prefix { part in part.map { !hasSyntax($0) } ?? false }
    let text = fixed.map { path(of: $0 ?? "") }.joined(separator: "/")
    return text.isEmpty && pattern.hasPrefix("/") ? "/" : text
  }

  /// Whether any character has a meaning that the rest of a pattern may complete.
  private static func hasSyntax(_ part: String) -> Bool {
    var isEscaped = false
    for byte in part.utf8 {
      if !isEscaped, "*?[(".utf8.contains(byte) { return true }
      isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
    }
    return false
  }

  // MARK: Literal paths

  /// Returns the pattern that matches only this path.
  package static func matching(_ path: String) -> String {
    guard path.utf8.contains(where: special.contains) else { return path }
    return String(
      decoding: path.utf8.flatMap { special.contains($0) ? [UInt8(ascii: "\\"), $0] : [$0] }, as: UTF8.self)
  }

  /// Returns the path that a pattern without wildcards names. For other patterns, returns a readable form.
  package static func path(of pattern: String) -> String {
    guard pattern.utf8.contains(UInt8(ascii: "\\")) else { return pattern }
    var bytes: [UInt8] = []
    var isEscaped = false
    for byte in pattern.utf8 {
      if !isEscaped, byte == UInt8(ascii: "\\") {
        isEscaped = true
        continue
      }
      bytes.append(byte)
      isEscaped = false
    }
    return String(decoding: isEscaped ? bytes + [UInt8(ascii: "\\")] : bytes, as: UTF8.self)
  }

  /// The beginning of a pattern in a readable form, for messages.
  static func shortened(_ pattern: String) -> String { String(path(of: pattern).prefix(80)) }

  /// Returns a pattern in which the existing file or the existing folders at its beginning are literal: a folder
  /// `[slug]` is meant by `[slug]/*.graphql`. Names with `*` or `?` are literal only if the whole path exists.
  package static func preferringExisting(_ pattern: String, in folder: String) -> String {
    guard isPattern(pattern) else { return pattern }
    func exists(_ path: String) -> Bool { FilePath(absolute(path, in: folder)).status(followsLinks: true) != nil }
    if exists(pattern) { return matching(pattern) }
    var names = pattern.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    var place = ""
    for index in names.indices.dropLast() {
      let isLiteral = !isPattern(names[index])
      place += isLiteral ? path(of: names[index]) : names[index]
      if !isLiteral {
        guard !names[index].contains("*"), !names[index].contains("?"), exists(place) else { break }
        names[index] = matching(names[index])
      }
      place += "/"
    }
    return names.joined(separator: "/")
  }

  package static func absolute(_ path: String, in folder: String) -> String {
    if path.hasPrefix("/") || folder == "." && !path.isEmpty { return path }
    return path.isEmpty ? folder : "\(FilePath(folder).appending(path.utf8))"
  }

  /// Patterns without alternatives.
  package struct Alternatives: Sendable {
    package fileprivate(set) var patterns: [String] = []
    /// The first pattern that has too many alternatives, so that some were omitted.
    package fileprivate(set) var leftOut: String?
  }

  /// The maximum size of all alternatives in a pattern list, in bytes. The patterns may be untrusted.
  private static let longest = 1 << 17
  /// The additional size that each part of an alternative counts, in bytes.
  private static let overhead = 16

  /// Returns the patterns with their alternatives expanded: `a.{b,c}` to `a.b` and `a.c`.
  package static func alternatives(of patterns: some Sequence<String>) -> Alternatives {
    var result = Alternatives()
    var room = longest
    for pattern in patterns {
      let text = pattern.hasPrefix("./") ? pattern.dropFirst(2) : pattern[...]
      let braces = FilePatternBraces(text)
      let size = max(1, text.utf8.count + overhead * braces.count)
      // The size of an alternative is at most that of the pattern.
      guard room > 0, text.utf8.count < longest, !braces.isTooDeep else {
        result.leftOut = result.leftOut ?? pattern
        continue
      }
      let (texts, areAll) = braces.alternatives(limit: max(1, room / size))
      if !areAll { result.leftOut = result.leftOut ?? pattern }
      result.patterns += texts.map { String(decoding: $0, as: UTF8.self) }
      room -= texts.count * size
    }
    return result
  }

  /// Returns the alternatives of the patterns without `!` and of those with `!`.
  static func split(_ patterns: [String]) -> (requested: Alternatives, unwanted: Alternatives) {
    (
      alternatives(of: patterns.lazy.filter { !$0.hasPrefix("!") }),
      alternatives(of: patterns.lazy.filter { $0.hasPrefix("!") }.map { String($0.dropFirst()) })
    )
  }
}

/// A set of patterns for matching many paths. It contains a path that a pattern matches, unless a pattern with `!`
/// excludes it.
package struct FilePatternSet: Equatable, Sendable {
  private let patterns: [String]
  private let requested: FilePatternMatcher
  private let unwanted: FilePatternMatcher

  /// - Parameter hasContents: Whether a pattern that matches a folder also matches everything in it.
  package init(_ patterns: [String], hasContents: Bool = false) {
    self.patterns = patterns
    let (requested, unwanted) = FilePattern.split(hasContents ? patterns.flatMap { [$0, "\($0)/**"] } : patterns)
    self.requested = FilePatternMatcher(requested.patterns)
    self.unwanted = FilePatternMatcher(unwanted.patterns)
  }

  package static func == (left: Self, right: Self) -> Bool { left.patterns == right.patterns }

  package func contains(_ path: String) -> Bool { requested.matches(path) && !unwanted.matches(path) }

  /// The pattern that takes too much work, if there is one. Then other paths may not be contained.
  package var exhaustingPattern: String? { requested.exhaustingPattern ?? unwanted.exhaustingPattern }
}
