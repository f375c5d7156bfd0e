/// Finds the patterns of a list that match a path, with their alternatives.
package struct FilePatternIndex: Sendable {
  private let matcher: FilePatternMatcher
  /// The indices of the patterns with each alternative.
  private let owners: [[Int]]

  /// - Parameter hasContents: Whether a pattern that matches a folder also matches everything in it.
  package init(_ patterns: [String], hasContents: Bool = false) {
    var texts: [String] = []
    var owners: [[Int]] = []
    var known: [String: Int] = [:]
    for (index, pattern) in patterns.enumerated() {
      for text in FilePattern.alternatives(of: hasContents ? [pattern, "\(pattern)/**"] : [pattern]).patterns {
        if let existing = known[text] {
          if owners[existing].last != index { owners[existing].append(index) }
          continue
        }
        known[text] = texts.count
        texts.append(text)
        owners.append([index])
      }
    }
    matcher = FilePatternMatcher(texts)
    self.owners = owners
  }

  package func indices(matching path: String) -> Set<Int> {
    Set(matcher.patternIndices(matching: path).flatMap { owners[$0] })
  }

  /// The pattern that takes too much work, if there is one. Then other paths may match nothing.
  package var exhaustingPattern: String? { matcher.exhaustingPattern }
}

extension FileList {
  /// Returns the patterns that match none of the files. Patterns with `!` are ignored.
  package func unmatched(_ patterns: [String]) -> [String] {
    let refused = Set(refusals.map { FilePath($0.path) })
    let named = patterns.filter { !$0.hasPrefix("!") && !refused.contains(FilePath(FilePattern.path(of: $0))) }
    let index = FilePatternIndex(named, hasContents: true)
    var matched: Set<Int> = []
    for path in files + refusals.map(\.path) where matched.count < named.count {
      matched.formUnion(index.indices(matching: path))
    }
    if index.exhaustingPattern != nil { return [] }
    return named.indices.filter { !matched.contains($0) }.map { named[$0] }
  }
}
