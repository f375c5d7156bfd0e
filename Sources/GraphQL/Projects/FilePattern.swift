import ApusPlatform

/// Files by patterns: `*` is any part of a name, `**` any folders, `?` a character, `{a,b}` one of several.
package enum FilePattern {
  /// The files that some pattern matches and no pattern with a `!` takes away; sorted, relative to the folder.
  package static func files(_ patterns: [String], in folder: String) -> [String] {
    let wanted = patterns.filter { !$0.hasPrefix("!") }.flatMap(alternatives)
    let unwanted = patterns.filter { $0.hasPrefix("!") }.map { String($0.dropFirst()) }.flatMap(alternatives)
    var found: Set<String> = []
    // Several patterns often lie under one folder, which is walked through once.
    var walks: [String: [String]] = [:]
    for pattern in wanted {
      if !pattern.contains(where: { "*?".contains($0) }) {
        found.insert(pattern)
        continue
      }
      // Only what lies under the part without wildcards can match.
      let fixed = pattern.split(separator: "/", omittingEmptySubsequences: false).prefix { part in
        !part.contains { "*?".contains($0) }
      }.joined(separator: "/")
      let files = walks[fixed] ?? walk(fixed, from: folder)
      walks[fixed] = files
      for file in files where matches(file, pattern) { found.insert(file) }
    }
    return found.filter { file in !unwanted.contains { matches(file, $0) } }.sorted()
  }

  /// Files under a folder by their paths, hidden ones and installed packages left out. A link back to a folder that was
  /// looked into leads nowhere.
  private static func walk(_ start: String, from folder: String) -> [String] {
    var files: [String] = []
    var pending = [start]
    var seen: Set<FilePlace> = []
    while let current = pending.popLast() {
      let path = absolute(current, in: folder)
      guard let status = status(of: path), seen.insert(status.place).inserted else {
        continue
      }
      for name in names(in: path) where !name.hasPrefix(".") && name != "node_modules" {
        let child = current.isEmpty ? name : current.hasSuffix("/") ? current + name : "\(current)/\(name)"
        guard let status = Self.status(of: absolute(child, in: folder)) else {
          // A name that is not UTF-8 cannot be written here: whoever reads the file says that it cannot be read.
          if name.unicodeScalars.contains("\u{FFFD}") { files.append(child) }
          continue
        }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: pending.append(child)
        case S_IFREG: files.append(child)
        // A pipe or a device could keep its reader for ever.
        default: break
        }
      }
    }
    return files
  }

  /// Whether there is a folder.
  package static func isFolder(_ path: String) -> Bool {
    status(of: path).map { $0.st_mode & S_IFMT == S_IFDIR } ?? false
  }

  /// Whether a word is meant as a pattern and not as the name of one file.
  package static func isPattern(_ word: String) -> Bool { word.contains { "*?{".contains($0) } }

  private static func status(of path: String) -> stat? {
    var status = stat()
    return stat(path, &status) == 0 ? status : nil
  }

  private static func names(in folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      names.append(
        withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
    }
    return names
  }

  package static func absolute(_ path: String, in folder: String) -> String {
    path.hasPrefix("/") || folder == "." && !path.isEmpty ? path : path.isEmpty ? folder : "\(folder)/\(path)"
  }

  /// A project's file may be anybody's: of a pattern that is longer, or stands for more, the rest is left out.
  private static let lengthLimit = 4096
  private static let alternativeLimit = 1000

  /// `a.{b,c}` as `a.b` and `a.c`.
  private static func alternatives(_ pattern: String) -> [String] {
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

  package static func matches(_ path: String, _ pattern: String) -> Bool {
    matches(path.split(separator: "/")[...], pattern.split(separator: "/")[...])
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
      return rest.startIndex == pattern.startIndex ? name == pattern : name.hasSuffix(rest)
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
        if pattern[state] == "?" || pattern[state] == character { next.insert(state + 1) }
      }
      close(&next)
      states = next
    }
    return states.contains(pattern.count)
  }
}
