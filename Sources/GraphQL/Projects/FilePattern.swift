import ApusPlatform

/// Files by patterns: `*` is any part of a name, `**` any folders, `?` a character, `{a,b}` one of several.
package enum FilePattern {
  /// Whether there is a folder.
  package static func isFolder(_ path: String) -> Bool {
    FilePath(path).status(followsLinks: true).map { $0.st_mode & S_IFMT == S_IFDIR } ?? false
  }

  /// Whether a word is meant as a pattern and not as the name of one file.
  package static func isPattern(_ word: String) -> Bool { word.contains { "*?{".contains($0) } }

  /// Whether a part of the path may have several names.
  package static func hasWildcard(_ pattern: String) -> Bool { pattern.utf8.contains { wildcards.contains($0) } }

  private static let wildcards: [UInt8] = [UInt8(ascii: "*"), UInt8(ascii: "?")]

  /// The folders before the first wildcard.
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
    /// The first pattern of which some alternatives were left out, because there are too many.
    package fileprivate(set) var leftOut: String?
  }

  /// Bytes of alternatives that are kept of one list of patterns: another user may have written it.
  private static let longest = 1 << 17
  /// Bytes that each part of an alternative counts beside those of the text.
  private static let overhead = 16

  /// `a.{b,c}` as `a.b` and `a.c`.
  package static func alternatives(of patterns: some Sequence<String>) -> Alternatives {
    var result = Alternatives()
    var room = longest
    for pattern in patterns where !add(pattern, to: &result.patterns, &room) {
      result.leftOut = result.leftOut ?? pattern
    }
    return result
  }

  /// Adds the alternatives of a pattern; false when there were too many to add all.
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

  /// The parts of a pattern in their order, each as its choices. Text outside braces is one choice.
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

  /// The alternatives of the patterns without and with a `!`.
  static func split(_ patterns: [String]) -> (wanted: Alternatives, unwanted: Alternatives) {
    (
      alternatives(of: patterns.lazy.filter { !$0.hasPrefix("!") }),
      alternatives(of: patterns.lazy.filter { $0.hasPrefix("!") }.map { String($0.dropFirst()) })
    )
  }
}

/// A list of patterns that many paths are compared with. It has a path that some pattern matches and no pattern with a `!`
/// excludes.
package struct FilePatternSet: Sendable {
  private let wanted: FilePatternTree
  private let unwanted: FilePatternTree

  /// - Parameter hasContents: A pattern that matches a folder matches all that is in it.
  package init(_ patterns: [String], hasContents: Bool = false) {
    let (wanted, unwanted) = FilePattern.split(hasContents ? patterns.flatMap { [$0, "\($0)/**"] } : patterns)
    self.wanted = FilePatternTree(wanted.patterns)
    self.unwanted = FilePatternTree(unwanted.patterns)
  }

  package func contains(_ path: String) -> Bool { wanted.matches(path) && !unwanted.matches(path) }
}
