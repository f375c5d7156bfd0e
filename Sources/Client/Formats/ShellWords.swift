import ApusASCII

/// A POSIX shell's words: quotes, backslashes and continued lines, and nothing that a shell would run.
///
/// It goes by scalars, as a shell does: a quote before a combining mark is a quote.
package enum ShellWords {
  package static func split(_ text: String) -> [String] {
    var words: [String] = []
    var word = String.UnicodeScalarView()
    // A word may be empty, between quotes.
    var isInWord = false
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      switch scalar {
      case " ", "\t", "\n":
        if isInWord { words.append(String(word)) }
        word = .init()
        isInWord = false
        continue
      case "\r" where rest.first == "\n": continue
      case "'":
        let quoted = rest.prefix { $0 != "'" }
        word.append(contentsOf: quoted)
        rest = rest[quoted.endIndex...].dropFirst()
      case "$" where rest.first == "'":
        rest.removeFirst()
        word.append(contentsOf: ansiQuoted(&rest))
      case "\"": word.append(contentsOf: doubleQuoted(&rest))
      case "\\":
        guard !takeLineEnd(&rest), let escaped = rest.popFirst() else { continue }
        word.append(escaped)
      default: word.append(scalar)
      }
      isInWord = true
    }
    if isInWord { words.append(String(word)) }
    return words
  }

  /// Takes a line end, which behind a backslash goes on with the line.
  private static func takeLineEnd(_ rest: inout Substring.UnicodeScalarView) -> Bool {
    let isPair = rest.first == "\r" && rest.dropFirst().first == "\n"
    guard isPair || rest.first == "\n" else { return false }
    rest.removeFirst(isPair ? 2 : 1)
    return true
  }

  private static func doubleQuoted(_ rest: inout Substring.UnicodeScalarView) -> String.UnicodeScalarView {
    var text = String.UnicodeScalarView()
    while let scalar = rest.popFirst(), scalar != "\"" {
      guard scalar == "\\" else {
        text.append(scalar)
        continue
      }
      if takeLineEnd(&rest) { continue }
      guard let escaped = rest.popFirst() else {
        text.append(scalar)
        break
      }
      if !["\"", "\\", "$", "`"].contains(escaped) { text.append(scalar) }
      text.append(escaped)
    }
    return text
  }

  /// `$'…'`, which browsers write for texts with line ends or apostrophes in them.
  private static func ansiQuoted(_ rest: inout Substring.UnicodeScalarView) -> String.UnicodeScalarView {
    var text = String.UnicodeScalarView()
    while let scalar = rest.popFirst(), scalar != "'" {
      guard scalar == "\\", let escaped = rest.popFirst() else {
        text.append(scalar)
        continue
      }
      switch escaped {
      case "n": text.append("\n")
      case "t": text.append("\t")
      case "r": text.append("\r")
      case "u", "x":
        let digits = rest.prefix(escaped == "u" ? 4 : 2)
        if let code = UInt32(String(digits), radix: 16), let scalar = Unicode.Scalar(code) {
          text.append(scalar)
          rest = rest.dropFirst(digits.count)
        }
      default: text.append(escaped)
      }
    }
    return text
  }

  /// The word as a shell reads it back.
  package static func quoted(_ word: String) -> String {
    let isPlain =
      !word.isEmpty && word.utf8.allSatisfy { $0.isNameByte || "-./:=@%+,".utf8.contains($0) }
    if isPlain { return word }
    let pieces = word.unicodeScalars.split(separator: "'", omittingEmptySubsequences: false)
    return "'" + pieces.map { String($0) }.joined(separator: "'\\''") + "'"
  }
}
