import ApusPlatform

/// File name patterns: `*` matches any part of a name, `**` any folders, `?` one character, and `{a,b}` one of several
/// names.
package enum FilePattern {
  /// Whether the path is an existing folder.
  package static func isFolder(_ path: String) -> Bool {
    FilePath(path).status(followsLinks: true).map { $0.st_mode & S_IFMT == S_IFDIR } ?? false
  }

  /// Whether a word is a pattern instead of the name of a file.
  package static func isPattern(_ word: String) -> Bool { word.contains { "*?{".contains($0) } }

  /// Whether the pattern contains a wildcard.
  package static func hasWildcard(_ pattern: String) -> Bool { pattern.utf8.contains { wildcards.contains($0) } }

  private static let wildcards: [UInt8] = [UInt8(ascii: "*"), UInt8(ascii: "?")]

  /// Returns the folders before the first wildcard.
  package static func fixedPart(of pattern: String) -> String {
    let parts = pattern.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    let fixed = parts.prefix { part in !part.contains { wildcards.contains($0) } }.map { String($0) ?? "" }
      .joined(separator: "/")
    return fixed.isEmpty && pattern.hasPrefix("/") ? "/" : fixed
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

  /// The maximum size of the alternatives of a list of patterns, in bytes. The patterns may be untrusted.
  private static let longest = 1 << 17
  /// The additional size that each part of an alternative counts, in bytes.
  private static let overhead = 16

  /// Returns the patterns with their alternatives expanded: `a.{b,c}` to `a.b` and `a.c`.
  package static func alternatives(of patterns: some Sequence<String>) -> Alternatives {
    var result = Alternatives()
    var room = longest
    for pattern in patterns where !add(pattern, to: &result.patterns, &room) {
      result.leftOut = result.leftOut ?? pattern
    }
    return result
  }

  /// Adds the alternatives of a pattern. Returns `false` if there are too many.
  private static func add(_ pattern: String, to alternatives: inout [String], _ room: inout Int) -> Bool {
    let groups = groups(pattern.hasPrefix("./") ? pattern.dropFirst(2) : pattern[...])
    var choices = [Int](repeating: 0, count: groups.count)
    while room > 0 {
      let alternative = zip(groups, choices).map { $0[$1] }.joined()
      room -= alternative.utf8.count + overhead * groups.count
      alternatives.append(alternative)
      // The last group varies first.
      guard let next = choices.indices.last(where: { choices[$0] + 1 < groups[$0].count }) else { return true }
      choices[next] += 1
      for index in (next + 1)..<choices.count { choices[index] = 0 }
    }
    return false
  }

  /// Returns the parts of a pattern in order, each with its choices. Text outside braces has one choice.
  private static func groups(_ pattern: Substring) -> [[Substring]] {
    var groups: [[Substring]] = []
    var rest = pattern
    while let open = rest.utf8.firstIndex(of: UInt8(ascii: "{")),
      let close = rest[open...].utf8.firstIndex(of: UInt8(ascii: "}"))
    {
      groups.append([rest[..<open]])
      groups.append(
        rest[rest.utf8.index(after: open)..<close].utf8.split(
          separator: UInt8(ascii: ","), omittingEmptySubsequences: false
        ).map(Substring.init))
      rest = rest[rest.utf8.index(after: close)...]
    }
    groups.append([rest])
    return groups
  }

  /// Returns the alternatives of the patterns without `!` and of those with `!`.
  static func split(_ patterns: [String]) -> (requested: Alternatives, unwanted: Alternatives) {
    (
      alternatives(of: patterns.lazy.filter { !$0.hasPrefix("!") }),
      alternatives(of: patterns.lazy.filter { $0.hasPrefix("!") }.map { String($0.dropFirst()) })
    )
  }
}

/// A set of patterns for matching many paths. It contains a path that a pattern matches, unless a pattern with `!` excludes
/// it.
package struct FilePatternSet: Sendable {
  private let requested: FilePatternTree
  private let unwanted: FilePatternTree

  /// - Parameter hasContents: Whether a pattern that matches a folder also matches everything in it.
  package init(_ patterns: [String], hasContents: Bool = false) {
    let (requested, unwanted) = FilePattern.split(hasContents ? patterns.flatMap { [$0, "\($0)/**"] } : patterns)
    self.requested = FilePatternTree(requested.patterns)
    self.unwanted = FilePatternTree(unwanted.patterns)
  }

  package func contains(_ path: String) -> Bool { requested.matches(path) && !unwanted.matches(path) }
}
