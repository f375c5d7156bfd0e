import ApusASCII

/// The commands of a Windows command prompt, in the form that browsers write: `curl ^"https://…^" ^`.
///
/// Carets are interpreted as by the prompt, and arguments as by the C runtime. Variables are not expanded.
///
/// Source: Microsoft's documentation of `cmd`, and "Parsing C command-line arguments".
struct CommandPromptWords {
  private(set) var commands: [[String]] = []

  private let bytes: [UInt8]
  /// Whether the commands are in a batch file, where `%%` is a percent sign.
  private let isBatch: Bool
  private var offset = 0
  /// A percent sign that is not that of a variable.
  private static let percent: Character = "\u{F8FC}"

  /// Returns whether text is a curl command with carets.
  static func isOne(_ text: String) -> Bool {
    let start = text.drop { $0.isWhitespace }
    let line = start.prefix { !$0.isNewline }
    guard let word = line.split(separator: " ").first, CurlCommand.isCurl(String(word)) else { return false }
    var end = line
    while end.last == " " || end.last == "\t" { end.removeLast() }
    return end.last == "^" || line.contains(" ^\"")
  }

  init(_ text: String, isBatch: Bool = false) {
    bytes = Array(text.utf8)
    self.isBatch = isBatch
    let isOfBrowser = text.contains("^\"")
    while offset < bytes.count {
      let command = readCommand()
      let words = Self.words(command, halvesBackslashes: isOfBrowser && Self.doublesBackslashes(command))
      if !words.isEmpty { commands.append(words.map { String(decoding: $0, as: UTF8.self) }) }
    }
  }

  /// Returns whether all backslashes of a command are doubled. Browsers double them everywhere, although a program receives
  /// both where no double quote follows.
  private static func doublesBackslashes(_ command: [UInt8]) -> Bool {
    var count = 0
    for byte in command {
      if byte == UInt8(ascii: "\\") {
        count += 1
      } else {
        if count % 2 == 1, byte != UInt8(ascii: "\"") { return false }
        count = 0
      }
    }
    return count % 2 == 0
  }

  /// Reads a command to its end, and returns it without carets.
  private mutating func readCommand() -> [UInt8] {
    var command: [UInt8] = []
    var isQuoted = false
    while offset < bytes.count {
      let byte = bytes[offset]
      offset += 1
      switch byte {
      case UInt8(ascii: "\r"): continue
      case UInt8(ascii: "\n"): return command
      case UInt8(ascii: "&") where !isQuoted, UInt8(ascii: "|") where !isQuoted: return command
      case UInt8(ascii: "%"):
        if let name = variable() {
          command += [byte] + name + [byte]
          offset += name.count + 1
        } else {
          if isBatch, offset < bytes.count, bytes[offset] == byte { offset += 1 }
          command += String(Self.percent).utf8
        }
      case UInt8(ascii: "\""):
        isQuoted.toggle()
        command.append(byte)
      case UInt8(ascii: "^") where !isQuoted && offset < bytes.count && bytes[offset] == UInt8(ascii: "%"):
        offset += 1
        command += String(Self.percent).utf8
      case UInt8(ascii: "^") where !isQuoted:
        let isLineEnd = takeLineEnd()
        // At the end of a line, the caret applies to the first byte of the next line, which may be another line end.
        if isLineEnd, takeLineEnd() {
          command.append(UInt8(ascii: "\n"))
        } else if offset < bytes.count {
          if isLineEnd, bytes[offset] == UInt8(ascii: "^") { continue }
          command.append(bytes[offset])
          offset += 1
        }
      default: command.append(byte)
      }
    }
    return command
  }

  /// Returns the name of the variable whose first percent sign was read, as in `%TOKEN%`; `nil` if it is none. The prompt finds
  /// variables before it reads quotes and carets. A percent sign with two hexadecimal digits is a URL escape.
  private func variable() -> ArraySlice<UInt8>? {
    let name = bytes[offset...].prefix { $0.isNameByte }
    guard name.count > 2, name.first?.isNameStart == true,
      Int(String(decoding: name.prefix(2), as: UTF8.self), radix: 16) == nil,
      name.endIndex < bytes.count, bytes[name.endIndex] == UInt8(ascii: "%")
    else { return nil }
    return name
  }

  private mutating func takeLineEnd() -> Bool {
    let start = offset
    if offset < bytes.count, bytes[offset] == UInt8(ascii: "\r") { offset += 1 }
    guard offset < bytes.count, bytes[offset] == UInt8(ascii: "\n") else {
      offset = start
      return false
    }
    offset += 1
    return true
  }

  /// Returns the arguments of a command line. Backslashes are special only before a double quote, and two double quotes in a
  /// quoted argument are one.
  static func words(_ line: [UInt8], halvesBackslashes: Bool = false) -> [[UInt8]] {
    var words: [[UInt8]] = []
    var word: [UInt8] = []
    var isInWord = false
    var isQuoted = false
    var index = 0
    while index < line.count {
      let byte = line[index]
      index += 1
      switch byte {
      // A line feed that a caret brought into the command is part of the argument.
      case UInt8(ascii: " ") where !isQuoted, UInt8(ascii: "\t") where !isQuoted:
        if isInWord { words.append(word) }
        word = []
        isInWord = false
        continue
      case UInt8(ascii: "\\"):
        var count = 1
        while index < line.count, line[index] == byte {
          count += 1
          index += 1
        }
        let isBeforeQuote = index < line.count && line[index] == UInt8(ascii: "\"")
        word += [UInt8](repeating: byte, count: isBeforeQuote || halvesBackslashes ? count / 2 : count)
        if isBeforeQuote, count % 2 == 1 {
          word.append(UInt8(ascii: "\""))
          index += 1
        }
      case UInt8(ascii: "\""):
        if isQuoted, index < line.count, line[index] == byte {
          word.append(byte)
          index += 1
        } else {
          isQuoted.toggle()
        }
      default: word.append(byte)
      }
      isInWord = true
    }
    if isInWord { words.append(word) }
    return words
  }
}

extension ImportedCollection {
  mutating func readCommandPrompt(_ text: String, _ files: AdjacentFiles) {
    var others: Set<String> = []
    for words in CommandPromptWords(text, isBatch: isBatchFile).commands {
      let name = words[0].lowercased().drop { $0 == "@" }
      if CurlCommand.isCurl(String(name)) {
        add(CurlCommand(words: Array(words.dropFirst()).map(Self.withVariables)), files)
      } else if name == "set", words.count > 1 {
        // A value can have spaces and quotes around the assignment: `set "NAME=value"`.
        let assignment = words.dropFirst().joined(separator: " ")
        guard let equals = assignment.firstIndex(of: "=") else { continue }
        let value = assignment[assignment.index(after: equals)...]
        fileValues.add([Value(name: String(assignment[..<equals]), text: Self.withVariables(String(value)))])
      } else if !["rem", "echo", "::", "setlocal", "endlocal", "pause"].contains(name) {
        others.insert(words[0])
      }
    }
    if !others.isEmpty {
      leftOut.append("commands other than curl: \(others.sorted().prefix(20).joined(separator: ", "))")
    }
  }

  /// Replaces `%TOKEN%` by `{{TOKEN}}`. Other percent signs are marked.
  private static func withVariables(_ word: String) -> String {
    let pieces = LiteralBraces.hidden(word).split(separator: "%", omittingEmptySubsequences: false)
    let text = pieces.enumerated().map { $0.offset % 2 == 0 ? String($0.element) : "{{\($0.element)}}" }.joined()
    return CommandPromptWords.withPercentSigns(text)
  }
}

extension CommandPromptWords {
  /// Returns an argument with its literal percent signs.
  static func withPercentSigns(_ word: String) -> String { word.replacing(String(percent), with: "%") }
}
