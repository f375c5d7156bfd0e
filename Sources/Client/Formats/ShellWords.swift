import ApusASCII

/// Quoting of words for a POSIX shell.
package enum ShellWords {
  /// Returns a word quoted so that a shell reads it unchanged: `'it'\''s'` for `it's`, and `a.b` without quotes.
  package static func quoted(_ word: String) -> String {
    let isPlain =
      !word.isEmpty && word.utf8.allSatisfy { $0.isNameByte || "-./:=@%+,".utf8.contains($0) }
    if isPlain { return word }
    let pieces = word.unicodeScalars.split(separator: "'", omittingEmptySubsequences: false)
    return "'" + pieces.map { String($0) }.joined(separator: "'\\''") + "'"
  }
}
