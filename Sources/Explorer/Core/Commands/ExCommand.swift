/// A vim command line other than a palette command: a line number (`42`), a substitution (`%s/old/new/g`), a file
/// (`w birds.graphql`) or a common short command (`wq`).
package enum ExCommand: Equatable, Sendable {
  case line(Int)
  case substitute(String, with: String, isWholeText: Bool, isGlobal: Bool)
  case command([Command])
  /// Ends the explorer, also if text is lost.
  case quitWithoutQuestion
  case saveAs(String)
  case open(String)

  package init?(_ text: String) {
    let words = text.split(separator: " ").map(String.init)
    if let number = Int(text), number >= 0 {
      self = .line(number)
    } else if let substitution = ExCommand.substitution(text) {
      self = substitution
    } else if words == ["q!"] || words == ["qa!"] {
      self = .quitWithoutQuestion
    } else if words.count == 1, let commands = ExCommand.names[words[0]] {
      self = .command(commands)
    } else if words.count > 1, ["w", "w!", "sav", "saveas"].contains(words[0]) {
      self = .saveAs(words.dropFirst().joined(separator: " "))
    } else if words.count > 1, ["e", "edit", "tabe", "tabedit", "tabnew"].contains(words[0]) {
      self = .open(words.dropFirst().joined(separator: " "))
    } else {
      return nil
    }
  }

  private static let names: [String: [Command]] = [
    "q": [.quit], "qa": [.quit], "h": [.showHelp], "help": [.showHelp],
    "u": [.undo], "red": [.redo], "run": [.runOperation], "fmt": [.formatDocument], "noh": [], "w": [.saveFile],
    "wq": [.saveFile, .quit], "x": [.saveFile, .quit], "e": [.openFile],
    "ls": [.pickTab], "st": [.suspend], "stop": [.suspend], "on": [.zoomPane], "only": [.zoomPane],
    "tabnew": [.newTab], "tabe": [.newTab], "tabc": [.closeTab], "tabn": [.nextTab], "tabp": [.previousTab],
  ]

  /// Parses a substitution such as `s/old/new/` or `%s/old/new/g`; other delimiters than the slash are accepted. After a
  /// backslash the delimiter is text: `s/a\/b/c/`.
  private static func substitution(_ text: String) -> ExCommand? {
    var rest = text[...]
    let isWholeText = rest.first == "%"
    if isWholeText { rest.removeFirst() }
    guard rest.first == "s", let delimiter = rest.dropFirst().first, !delimiter.isLetter, !delimiter.isNumber,
      !delimiter.isWhitespace
    else { return nil }
    let parts = parts(of: rest.dropFirst(2), separatedBy: delimiter)
    guard parts.count >= 2, !parts[0].isEmpty else { return nil }
    return .substitute(
      parts[0], with: parts[1], isWholeText: isWholeText, isGlobal: parts.last == "g" && parts.count > 2)
  }

  private static func parts(of text: Substring, separatedBy delimiter: Character) -> [String] {
    var parts = [""]
    var rest = text
    while let character = rest.popFirst() {
      if character == "\\", rest.first == delimiter, let escaped = rest.popFirst() {
        parts[parts.count - 1].append(escaped)
      } else if character == delimiter, parts.count < 3 {
        parts.append("")
      } else {
        parts[parts.count - 1].append(character)
      }
    }
    return parts
  }
}
