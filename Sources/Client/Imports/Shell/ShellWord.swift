/// A word of a shell command without its quotes: `a b` for `'a b'`, and `$NAME` as an expansion.
struct ShellWord: Equatable, Sendable {
  enum Part: Equatable, Sendable {
    case bytes([UInt8])
    /// `$NAME` or `${NAME}`.
    case variable(String)
    /// The source text of an expansion that only a shell can evaluate: `$(command)`, `${NAME:-text}`, `$1`.
    case unevaluated([UInt8])
  }

  private var finished: [Part] = []
  /// Bytes after the last expansion.
  private var tail: [UInt8] = []
  /// Whether any part of the word is quoted. Such a word is not reserved, and a here-document that it delimits is
  /// literal.
  var isQuoted = false

  init() {}

  init(_ bytes: some Sequence<UInt8>) { tail = Array(bytes) }

  var parts: [Part] { tail.isEmpty ? finished : finished + [.bytes(tail)] }

  /// Bytes of the word, or `nil` if it has expansions.
  var bytes: [UInt8]? { finished.isEmpty ? tail : nil }

  mutating func append(_ byte: UInt8) { tail.append(byte) }

  mutating func append(contentsOf bytes: some Sequence<UInt8>) { tail.append(contentsOf: bytes) }

  mutating func append(_ part: Part) {
    if !tail.isEmpty { finished.append(.bytes(tail)) }
    tail = []
    finished.append(part)
  }

  mutating func append(_ word: ShellWord) {
    for part in word.parts {
      if case .bytes(let bytes) = part { append(contentsOf: bytes) } else { append(part) }
    }
  }

  /// The word as a template, with `{{NAME}}` for variables. Expansions that only a shell can evaluate are kept as
  /// written.
  var template: String {
    parts.map { part in
      switch part {
      case .bytes(let bytes), .unevaluated(let bytes):
        LiteralBraces.hidden(Self.text(bytes).text)
      case .variable(let name): "{{\(name)}}"
      }
    }.joined()
  }

  /// Whether a byte is not UTF-8, as in `$'\xe9'`, so that it is read as Latin-1.
  var hasLatin1: Bool {
    parts.contains { part in
      switch part {
      case .bytes(let bytes), .unevaluated(let bytes): Self.text(bytes).hasLatin1
      case .variable: false
      }
    }
  }

  /// Returns the text of bytes. Those that are not UTF-8 are read as Latin-1.
  private static func text(_ bytes: [UInt8]) -> (text: String, hasLatin1: Bool) {
    var text = String.UnicodeScalarView()
    var hasLatin1 = false
    var decoder = Unicode.UTF8.ForwardParser()
    var input = bytes.makeIterator()
    var position = 0
    while true {
      switch decoder.parseScalar(from: &input) {
      case .valid(let encoded):
        text.append(Unicode.UTF8.decode(encoded))
        position += encoded.count
      case .error(let length):
        hasLatin1 = true
        text += bytes[position..<position + length].map { Unicode.Scalar($0) }
        position += length
      case .emptyInput: return (String(text), hasLatin1)
      }
    }
  }

  /// The source text of expansions that are not evaluated.
  var unevaluated: [String] {
    finished.compactMap { if case .unevaluated(let bytes) = $0 { String(decoding: bytes, as: UTF8.self) } else { nil } }
  }
}

/// A simple command of a shell script.
struct ShellCommand: Sendable {
  enum Input: Sendable {
    /// A here-document or a here-string.
    case text(ShellWord)
    case file(ShellWord)
  }

  var assignments: [(name: String, value: ShellWord)] = []
  var words: [ShellWord] = []
  var input: Input?
  /// Whether its input is the output of the previous command.
  var readsPipe = false

  /// The output, if it is known without a shell: `cat <<EOF`, `echo '{ a }'` and `printf '%s' x` print their text;
  /// `nil` for other commands.
  var plainOutput: ShellWord? {
    guard let name = words.first?.bytes, !readsPipe else { return nil }
    switch String(decoding: name, as: UTF8.self) {
    case "cat" where words.count == 1 || words.count == 2 && words[1].bytes == [UInt8(ascii: "-")]:
      guard case .text(let text) = input else { return nil }
      return text
    case "echo":
      var rest = words.dropFirst()
      let isBare = rest.first?.bytes == Array("-n".utf8)
      if isBare { rest = rest.dropFirst() }
      guard rest.first?.bytes?.first != UInt8(ascii: "-") else { return nil }
      return Self.joined(rest, end: isBare ? [] : [UInt8(ascii: "\n")])
    case "printf" where words.count == 3 && ["%s", "%s\\n"].contains { words[1].bytes == Array($0.utf8) }:
      return Self.joined(words.suffix(1), end: [])
    default: return nil
    }
  }

  private static func joined(_ words: ArraySlice<ShellWord>, end: [UInt8]) -> ShellWord {
    var text = ShellWord()
    for (index, word) in words.enumerated() {
      if index > 0 { text.append(UInt8(ascii: " ")) }
      text.append(word)
    }
    text.append(contentsOf: end)
    return text
  }
}

extension ShellWord {
  /// The word without trailing line ends, which a substitution removes.
  var withoutLineEnds: ShellWord {
    var word = ShellWord()
    var parts = parts
    if case .bytes(var bytes)? = parts.last {
      while bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
      parts[parts.count - 1] = .bytes(bytes)
    }
    for part in parts {
      if case .bytes(let bytes) = part { word.append(contentsOf: bytes) } else { word.append(part) }
    }
    return word
  }
}
