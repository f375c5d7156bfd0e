import ApusASCII

/// Words that are written for a POSIX shell.
package enum ShellWords {
  /// The word as a shell reads it back.
  package static func quoted(_ word: String) -> String {
    let isPlain =
      !word.isEmpty && word.utf8.allSatisfy { $0.isNameByte || "-./:=@%+,".utf8.contains($0) }
    if isPlain { return word }
    let pieces = word.unicodeScalars.split(separator: "'", omittingEmptySubsequences: false)
    return "'" + pieces.map { String($0) }.joined(separator: "'\\''") + "'"
  }
}
