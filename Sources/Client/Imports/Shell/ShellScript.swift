import ApusASCII

/// The simple commands of a shell script in order, including those in `$(…)`. Nothing is executed.
///
/// The script is parsed as bytes, like in a shell. Lines can end in LF or CRLF.
///
/// Source: POSIX.1-2017, volume 3, section 2 "Shell Command Language", and the Bash Reference Manual, sections 3.1.2 and
/// 3.6.
package struct ShellScript {
  /// The maximum nesting depth of substitutions. Deeper ones are kept as text.
  private static let deepest = 32

  let bytes: [UInt8]
  private let depth: Int
  var offset = 0
  /// The arrays that the script has assigned so far, by name.
  var arrays: [String: [ShellWord]] = [:]
  /// The number of words that arrays may still contribute.
  var arrayRoom = Self.mostArrayWords
  private var found: [(id: Int, command: ShellCommand)] = []
  private var inputs: [Int: ShellCommand.Input] = [:]
  private var openDocuments: [HereDocument] = []
  private var lastID = 0

  private struct HereDocument {
    let command: Int
    let end: [UInt8]
    let isLiteral: Bool
    let dropsTabs: Bool
  }

  package init(_ text: some Sequence<UInt8>) {
    self.init(Array(text), depth: 0)
    readCommands()
  }

  private init(_ bytes: [UInt8], depth: Int) {
    self.bytes = bytes
    self.depth = depth
  }

  var commands: [ShellCommand] { found.map { completed($0) } }

  private func completed(_ entry: (id: Int, command: ShellCommand)) -> ShellCommand {
    var command = entry.command
    command.input = inputs[entry.id] ?? command.input
    return command
  }

  /// The words of all commands, concatenated.
  package var words: [[UInt8]] {
    commands.flatMap(\.words).map { word in
      word.parts.flatMap { part in
        switch part {
        case .bytes(let bytes), .unevaluated(let bytes): bytes
        case .variable(let name): Array("$\(name)".utf8)
        }
      }
    }
  }

  // MARK: Commands

  func byte(_ distance: Int) -> UInt8? {
    offset + distance < bytes.count ? bytes[offset + distance] : nil
  }

  /// Returns the length of a line end at a distance; 0 if there is none.
  func lineEnd(_ distance: Int = 0) -> Int {
    if byte(distance) == UInt8(ascii: "\n") { return 1 }
    return byte(distance) == UInt8(ascii: "\r") && byte(distance + 1) == UInt8(ascii: "\n") ? 2 : 0
  }

  /// Reads commands to the end, or to the closing parenthesis of a substitution.
  private mutating func readCommands(isSubstitution: Bool = false) {
    var command = ShellCommand()
    lastID += 1
    var id = lastID
    var openParentheses = 0
    func finish(_ script: inout ShellScript, isPiped: Bool = false) {
      if !command.words.isEmpty || !command.assignments.isEmpty { script.found.append((id, command)) }
      command = ShellCommand()
      command.readsPipe = isPiped
      script.lastID += 1
      id = script.lastID
    }
    while let next = byte(0) {
      let end = lineEnd()
      if end > 0 {
        offset += end
        let isPiped = command.words.isEmpty && command.readsPipe
        finish(&self, isPiped: isPiped)
        readHereDocuments()
        continue
      }
      switch next {
      case UInt8(ascii: " "), UInt8(ascii: "\t"): offset += 1
      case UInt8(ascii: "#"): skipLine()
      case UInt8(ascii: "\\") where lineEnd(1) > 0: offset += 1 + lineEnd(1)
      case UInt8(ascii: ";"):
        offset += 1
        finish(&self)
      case UInt8(ascii: "&"):
        if byte(1) == UInt8(ascii: ">") {
          offset += 1
          readRedirection(of: id, &command)
        } else {
          offset += byte(1) == UInt8(ascii: "&") ? 2 : 1
          finish(&self)
        }
      case UInt8(ascii: "|"):
        let isOr = byte(1) == UInt8(ascii: "|")
        offset += isOr || byte(1) == UInt8(ascii: "&") ? 2 : 1
        finish(&self, isPiped: !isOr)
      case UInt8(ascii: "("):
        offset += 1
        openParentheses += 1
        finish(&self)
      case UInt8(ascii: ")"):
        offset += 1
        finish(&self)
        if isSubstitution, openParentheses == 0 { return }
        openParentheses = max(0, openParentheses - 1)
      case UInt8(ascii: "<"), UInt8(ascii: ">"): readRedirection(of: id, &command)
      default:
        if startsRedirection() {
          while byte(0)?.isDigit == true { offset += 1 }
          readRedirection(of: id, &command)
        } else {
          readArgument(&command)
        }
      }
    }
    finish(&self)
  }

  /// Returns whether digits are the file descriptor of a redirection: `2>`.
  private func startsRedirection() -> Bool {
    guard byte(0)?.isDigit == true else { return false }
    let distance = bytes[offset...].prefix { $0.isDigit }.count
    return distance < 4 && (byte(distance) == UInt8(ascii: "<") || byte(distance) == UInt8(ascii: ">"))
  }

  mutating func skipLine() { while offset < bytes.count, lineEnd() == 0 { offset += 1 } }

  private static let reservedWords: Set<[UInt8]> = Set(
    ["if", "then", "else", "elif", "fi", "do", "done", "while", "until", "!", "{", "}", "time", "$"].map {
      Array($0.utf8)
    })

  private static let assigningCommands: Set<[UInt8]> = Set(
    ["export", "declare", "local", "readonly", "typeset"].map { Array($0.utf8) })

  private mutating func readArgument(_ command: inout ShellCommand) {
    if Self.takesAssignment(command) {
      if readArray() { return }
      if let name = takeAssignedName() {
        command.assignments.append((name, readWord()))
        return
      }
    }
    let word = readWord()
    let isReserved = command.words.isEmpty && !word.isQuoted && word.bytes.map(Self.reservedWords.contains) == true
    if !isReserved { command.words += elements(of: word) }
  }

  /// Returns whether the next word can be an assignment: `NAME=value command`, `env NAME=value command`.
  private static func takesAssignment(_ command: ShellCommand) -> Bool {
    guard let first = command.words.first?.bytes, let last = command.words.last?.bytes else {
      return command.words.isEmpty
    }
    let isEnv = first == Array("env".utf8) && (command.words.count == 1 || last.first == UInt8(ascii: "-"))
    return isEnv || assigningCommands.contains(first)
  }

  private mutating func takeAssignedName() -> String? {
    guard byte(0)?.isNameStart == true else { return nil }
    let name = bytes[offset...].prefix { $0.isNameByte }
    guard byte(name.count) == UInt8(ascii: "=") else { return nil }
    offset += name.count + 1
    return String(decoding: name, as: UTF8.self)
  }

  /// Reads a redirection. Only redirections of standard input are stored.
  private mutating func readRedirection(of id: Int, _ command: inout ShellCommand) {
    let isInput = byte(0) == UInt8(ascii: "<")
    var signs = 0
    while let symbol = byte(0), signs < 3, symbol == UInt8(ascii: "<") || symbol == UInt8(ascii: ">") {
      offset += 1
      signs += 1
    }
    let dropsTabs = isInput && signs == 2 && byte(0) == UInt8(ascii: "-")
    if dropsTabs || byte(0) == UInt8(ascii: "&") || byte(0) == UInt8(ascii: "|") { offset += 1 }
    while byte(0) == UInt8(ascii: " ") || byte(0) == UInt8(ascii: "\t") { offset += 1 }
    if byte(0) == UInt8(ascii: "(") { return }
    var word = readWord()
    guard isInput else { return }
    switch signs {
    case 1: command.input = .file(word)
    case 2:
      let end = word.parts.flatMap { part in
        switch part {
        case .bytes(let bytes), .unevaluated(let bytes): bytes
        case .variable(let name): Array("$\(name)".utf8)
        }
      }
      openDocuments.append(HereDocument(command: id, end: end, isLiteral: word.isQuoted, dropsTabs: dropsTabs))
    default:
      word.append(UInt8(ascii: "\n"))
      command.input = .text(word)
    }
  }

  /// Reads the here-documents that the previous line started.
  private mutating func readHereDocuments() {
    let documents = openDocuments
    openDocuments = []
    for document in documents {
      var text: [UInt8] = []
      while offset < bytes.count {
        if document.dropsTabs { while byte(0) == UInt8(ascii: "\t") { offset += 1 } }
        let start = offset
        skipLine()
        let line = bytes[start..<offset]
        offset += lineEnd()
        if line.elementsEqual(document.end) { break }
        text += line
        text.append(UInt8(ascii: "\n"))
      }
      inputs[document.command] = .text(document.isLiteral ? ShellWord(text) : expanded(text))
    }
  }

  /// Returns the text of a here-document with expansions as in double quotes.
  private mutating func expanded(_ text: [UInt8]) -> ShellWord {
    var script = ShellScript(text, depth: depth + 1)
    var word = ShellWord()
    script.readQuoted(into: &word, isDocument: true)
    found += script.found.map { (-1, script.completed($0)) }
    return word
  }

  // MARK: Words

  private static let wordEnds: Set<UInt8> = Set(" \t\n;&|<>()".utf8)

  mutating func readWord() -> ShellWord {
    var word = ShellWord()
    while let next = byte(0), !Self.wordEnds.contains(next), lineEnd() == 0 {
      switch next {
      case UInt8(ascii: "'"):
        word.isQuoted = true
        let quoted = bytes[(offset + 1)...].prefix { $0 != UInt8(ascii: "'") }
        word.append(contentsOf: quoted)
        offset = min(bytes.count, quoted.endIndex + 1)
      case UInt8(ascii: "\""):
        word.isQuoted = true
        offset += 1
        readQuoted(into: &word)
      case UInt8(ascii: "\\"):
        let end = lineEnd(1)
        guard end == 0 else {
          offset += 1 + end
          continue
        }
        word.isQuoted = true
        word.append(byte(1) ?? next)
        offset = min(bytes.count, offset + 2)
      case UInt8(ascii: "$"): readDollar(into: &word, isQuoted: false)
      case UInt8(ascii: "`"): readBackquoted(into: &word)
      default:
        word.append(next)
        offset += 1
      }
    }
    return word
  }

  /// Reads to the closing double quote, or a complete here-document.
  private mutating func readQuoted(into word: inout ShellWord, isDocument: Bool = false) {
    while let next = byte(0) {
      switch next {
      case UInt8(ascii: "\"") where !isDocument:
        offset += 1
        return
      case UInt8(ascii: "\\"):
        let end = lineEnd(1)
        guard end == 0 else {
          offset += 1 + end
          continue
        }
        switch byte(1) {
        case UInt8(ascii: "$")?, UInt8(ascii: "`")?, UInt8(ascii: "\\")?: break
        case UInt8(ascii: "\"")? where !isDocument: break
        default: word.append(next)
        }
        if let escaped = byte(1) { word.append(escaped) }
        offset = min(bytes.count, offset + 2)
      case UInt8(ascii: "$"): readDollar(into: &word, isQuoted: true)
      case UInt8(ascii: "`"): readBackquoted(into: &word)
      default:
        word.append(next)
        offset += 1
      }
    }
  }

  private mutating func readDollar(into word: inout ShellWord, isQuoted: Bool) {
    let start = offset
    switch byte(1) {
    case UInt8(ascii: "'")? where !isQuoted:
      let quoted = AnsiQuoting.read(bytes, from: offset + 2)
      word.isQuoted = true
      word.append(contentsOf: quoted.bytes)
      offset = quoted.end
    case UInt8(ascii: "\"")? where !isQuoted:
      word.isQuoted = true
      offset += 2
      readQuoted(into: &word)
    case UInt8(ascii: "(")?: readSubstitution(into: &word)
    case UInt8(ascii: "{")?:
      let name = bytes[(offset + 2)...].prefix { $0.isNameByte }
      if let first = name.first, first.isNameStart, byte(2 + name.count) == UInt8(ascii: "}") {
        offset += name.count + 3
        word.append(.variable(String(decoding: name, as: UTF8.self)))
      } else {
        skipBalanced(UInt8(ascii: "{"), UInt8(ascii: "}"))
        let source = Array(bytes[start..<offset])
        // The default value in `${NAME:-text}` may be a secret.
        let isDefault =
          name.first?.isNameStart == true
          && source.dropFirst(2 + name.count).first.map { ":-=+?".utf8.contains($0) } == true
        word.append(isDefault ? .variable(String(decoding: name, as: UTF8.self)) : .unevaluated(source))
      }
    case let next? where next.isNameStart:
      let name = bytes[(offset + 1)...].prefix { $0.isNameByte }
      offset += name.count + 1
      word.append(.variable(String(decoding: name, as: UTF8.self)))
    case let next? where next.isDigit || "@*#?$!-".utf8.contains(next):
      offset += 2
      word.append(.unevaluated(Array(bytes[start..<offset])))
    default:
      word.append(UInt8(ascii: "$"))
      offset += 1
    }
  }

  /// Reads `$(…)`. A command that only outputs given text is replaced by that text.
  private mutating func readSubstitution(into word: inout ShellWord) {
    let start = offset
    let isArithmetic = byte(2) == UInt8(ascii: "(")
    guard !isArithmetic, depth < Self.deepest else {
      offset += 1
      skipBalanced(UInt8(ascii: "("), UInt8(ascii: ")"))
      word.append(.unevaluated(Array(bytes[start..<offset])))
      return
    }
    var script = ShellScript(bytes, depth: depth + 1)
    script.offset = offset + 2
    script.arrays = arrays
    script.arrayRoom = arrayRoom
    script.readCommands(isSubstitution: true)
    offset = script.offset
    arrayRoom = script.arrayRoom
    if let name = Self.fileVariable(bytes[start..<offset]) {
      word.append(.variable(name))
      return
    }
    let inner = script.commands
    if inner.count == 1, let output = inner[0].plainOutput {
      word.append(output.withoutLineEnds)
      return
    }
    found += inner.map { (-1, $0) }
    word.append(.unevaluated(Array(bytes[start..<offset])))
  }

  private mutating func readBackquoted(into word: inout ShellWord) {
    let start = offset
    offset += 1
    while let next = byte(0), next != UInt8(ascii: "`") { offset += next == UInt8(ascii: "\\") ? 2 : 1 }
    offset = min(bytes.count, offset + 1)
    word.append(.unevaluated(Array(bytes[start..<offset])))
  }

  /// Skips from an opening byte to the byte after the closing one.
  private mutating func skipBalanced(_ open: UInt8, _ close: UInt8) {
    var depth = 0
    while let next = byte(0) {
      offset += next == UInt8(ascii: "\\") ? 2 : 1
      if next == open { depth += 1 }
      if next == close { depth -= 1 }
      if next == close, depth == 0 { break }
    }
    offset = min(bytes.count, offset)
  }
}
