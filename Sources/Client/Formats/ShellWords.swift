/// A POSIX shell's words: quotes, backslashes and continued lines, and nothing that a shell would run.
package enum ShellWords {
  package static func split(_ text: String) -> [String] {
    var words: [String] = []
    var word: String?
    var characters = text[...]
    func next() -> Character? { characters.isEmpty ? nil : characters.removeFirst() }
    while let character = next() {
      switch character {
      case " ", "\t", "\n", "\r\n":
        if let done = word { words.append(done) }
        word = nil
      case "'":
        word = (word ?? "") + characters.prefix { $0 != "'" }
        characters = characters.drop { $0 != "'" }.dropFirst()
      case "$" where characters.first == "'":
        characters.removeFirst()
        word = (word ?? "") + ansiQuoted(&characters)
      case "\"":
        var inner = word ?? ""
        while let quoted = next(), quoted != "\"" {
          guard quoted == "\\", let escaped = characters.first else {
            inner.append(quoted)
            continue
          }
          characters.removeFirst()
          switch escaped {
          case "\"", "\\", "$", "`": inner.append(escaped)
          case "\n", "\r\n": break
          default: inner += "\\\(escaped)"
          }
        }
        word = inner
      case "\\":
        guard let escaped = next() else { break }
        if escaped != "\n" && escaped != "\r\n" { word = (word ?? "") + String(escaped) }
      default: word = (word ?? "") + String(character)
      }
    }
    if let done = word { words.append(done) }
    return words
  }

  /// `$'…'`, which browsers write for texts with line ends or apostrophes in them.
  private static func ansiQuoted(_ characters: inout Substring) -> String {
    var text = ""
    while let character = characters.popFirst(), character != "'" {
      guard character == "\\", let escaped = characters.popFirst() else {
        text.append(character)
        continue
      }
      switch escaped {
      case "n": text.append("\n")
      case "t": text.append("\t")
      case "r": text.append("\r")
      case "u", "x":
        let digits = characters.prefix(escaped == "u" ? 4 : 2)
        if let code = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(code) {
          text.unicodeScalars.append(scalar)
          characters = characters.dropFirst(digits.count)
        }
      default: text.append(escaped)
      }
    }
    return text
  }

  /// The word as a shell reads it back.
  package static func quoted(_ word: String) -> String {
    let isPlain =
      !word.isEmpty
      && word.unicodeScalars.allSatisfy {
        ("a"..."z").contains($0) || ("A"..."Z").contains($0) || ("0"..."9").contains($0)
          || "-_./:=@%+,".unicodeScalars.contains($0)
      }
    if isPlain { return word }
    return "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}
