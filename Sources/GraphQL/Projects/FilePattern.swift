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

  /// A project's file may be anybody's: of a pattern that is longer, or stands for more, the rest is left out.
  private static let lengthLimit = 4096
  private static let alternativeLimit = 1000

  /// `a.{b,c}` as `a.b` and `a.c`.
  package static func alternatives(_ pattern: String) -> [String] {
    guard pattern.utf8.count <= lengthLimit else { return [] }
    var pattern = pattern
    if pattern.hasPrefix("./") { pattern.removeFirst(2) }
    guard let open = pattern.firstIndex(of: "{"), let close = pattern[open...].firstIndex(of: "}") else {
      return [pattern]
    }
    let start = pattern[..<open]
    let tail = alternatives(String(pattern[pattern.index(after: close)...]))
    let choices = pattern[pattern.index(after: open)..<close].split(separator: ",", omittingEmptySubsequences: false)
    return Array(choices.lazy.flatMap { choice in tail.lazy.map { start + choice + $0 } }.prefix(alternativeLimit))
  }

  /// Whether some pattern matches the path and no pattern with a `!` takes it away.
  package static func matches(_ path: String, anyOf patterns: [String]) -> Bool {
    let unwanted = patterns.filter { $0.hasPrefix("!") }.flatMap { alternatives(String($0.dropFirst())) }
    return patterns.filter { !$0.hasPrefix("!") }.flatMap(alternatives).contains { matches(path, $0) }
      && !unwanted.contains { matches(path, $0) }
  }

  /// Whether a pattern without alternatives matches the path, byte by byte.
  package static func matches(_ path: String, _ pattern: String) -> Bool {
    func parts(_ text: String) -> ArraySlice<Substring> {
      text.utf8.split(separator: UInt8(ascii: "/")).map(Substring.init)[...]
    }
    return matches(parts(path), parts(pattern))
  }

  /// All places of the pattern at once, so that the work is at most their product, whatever the pattern.
  private static func matches(_ path: ArraySlice<Substring>, _ pattern: ArraySlice<Substring>) -> Bool {
    func close(_ states: Set<Int>) -> Set<Int> {
      var closed = states
      for state in states {
        var next = state
        while next < pattern.endIndex, pattern[next] == "**" {
          next += 1
          closed.insert(next)
        }
      }
      return closed
    }
    var states = close([pattern.startIndex])
    for name in path {
      var next: Set<Int> = []
      for state in states where state < pattern.endIndex {
        if pattern[state] == "**" {
          next.insert(state)
        } else if matchesName(name, pattern[state]) {
          next.insert(state + 1)
        }
      }
      states = close(next)
    }
    return states.contains(pattern.endIndex)
  }

  /// Most parts of patterns are plain names, or a star and an ending: those are compared as they are.
  private static func matchesName(_ name: Substring, _ pattern: Substring) -> Bool {
    let rest = pattern.drop { $0 == "*" }
    guard rest.contains(where: { "*?".contains($0) }) else {
      return rest.startIndex == pattern.startIndex
        ? name.utf8.elementsEqual(pattern.utf8) : name.utf8.suffix(rest.utf8.count).elementsEqual(rest.utf8)
    }
    return matchesName(Array(name), Array(pattern))
  }

  private static func matchesName(_ name: [Character], _ pattern: [Character]) -> Bool {
    var states: Set<Int> = [0]
    func close(_ states: inout Set<Int>) {
      for state in states.sorted() {
        var next = state
        while next < pattern.count, pattern[next] == "*" {
          next += 1
          states.insert(next)
        }
      }
    }
    close(&states)
    for character in name {
      var next: Set<Int> = []
      for state in states where state < pattern.count {
        if pattern[state] == "*" { next.insert(state) }
        if pattern[state] == "?" || pattern[state].utf8.elementsEqual(character.utf8) { next.insert(state + 1) }
      }
      close(&next)
      states = next
    }
    return states.contains(pattern.count)
  }
}
