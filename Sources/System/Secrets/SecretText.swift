/// Text from the user that may contain environment variables (`$NAME`, `${NAME}`) and the output of commands
/// (`$(command)`), which are resolved only when the text is used. `$$` is a dollar sign. In `Bearer $(pass show birds)`
/// the scheme is literal.
///
/// This is the only type that can be resolved; text of other origin is a `UntrustedText`. Its description is its source
/// and never contains resolved values.
package struct SecretText: Equatable, Sendable, CustomStringConvertible {
  package enum Part: Equatable, Sendable {
    case text(String)
    case variable(String)
    case command(String)
  }

  /// The source. Parsing it returns an equal value.
  package let source: String
  package let parts: [Part]

  package var description: String { source }

  /// Whether the text contains variables or commands, so that its resolved value must not be shown.
  package var isLive: Bool {
    parts.contains { if case .text = $0 { false } else { true } }
  }

  package var variables: [String] {
    parts.compactMap { if case .variable(let name) = $0 { name } else { nil } }
  }

  package var commands: [String] {
    parts.compactMap { if case .command(let command) = $0 { command } else { nil } }
  }

  /// Creates text in which dollar signs are literal.
  package init(literal text: String) {
    source = text.replacing("$", with: "$$")
    parts = [.text(text)]
  }

  /// Creates text from parts that were parsed by other rules.
  package init(parts: [Part]) {
    self.parts = parts
    source = parts.map { part in
      switch part {
      case .text(let text): text.replacing("$", with: "$$")
      case .variable(let name): "${\(name)}"
      case .command(let command): "$(\(command))"
      }
    }.joined()
  }

  package init(_ source: String) throws(SecretTextError) {
    self.source = source
    parts = try Self.parse(source).map(\.part)
  }

  /// Returns the ranges of variables and commands, in UTF-8 bytes; empty if the text is invalid.
  package static func liveRanges(in source: String) -> [(range: Range<Int>, isCommand: Bool)] {
    guard let pieces = try? parse(source) else { return [] }
    return pieces.compactMap { part, range in
      let bytes = source.utf8.distance(from: source.startIndex, to: range.lowerBound)
      let count = source.utf8.distance(from: range.lowerBound, to: range.upperBound)
      return switch part {
      case .text: nil
      case .variable: (bytes..<(bytes + count), false)
      case .command: (bytes..<(bytes + count), true)
      }
    }
  }

  private static func parse(
    _ source: String
  ) throws(SecretTextError) -> [(part: Part, range: Range<String.Index>)] {
    var pieces: [(part: Part, range: Range<String.Index>)] = []
    var text = ""
    var textStart = source.startIndex
    var rest = source[...]
    func flush(_ end: String.Index) {
      if !text.isEmpty { pieces.append((.text(text), textStart..<end)) }
      text = ""
    }
    while let dollar = rest.firstIndex(of: "$") {
      text += rest[..<dollar]
      rest = rest[rest.index(after: dollar)...]
      if rest.first == "$" {
        text.append("$")
        rest.removeFirst()
        continue
      }
      let part = try reference(&rest)
      flush(dollar)
      pieces.append((part, dollar..<rest.startIndex))
      textStart = rest.startIndex
    }
    text += rest
    flush(source.endIndex)
    return pieces
  }

  /// Reads the reference after a dollar sign: `NAME`, `{NAME}` or `(COMMAND)`.
  private static func reference(_ rest: inout Substring) throws(SecretTextError) -> Part {
    let name: Substring
    let end: String.Index
    switch rest.first {
    case "(": return .command(String(try parenthesized(&rest)))
    case "{":
      guard let close = rest.firstIndex(of: "}") else { throw .unclosed("${") }
      name = rest[rest.index(after: rest.startIndex)..<close]
      end = rest.index(after: close)
    default:
      name = rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
      end = name.endIndex
    }
    guard isName(name) else { throw .badName(String(name)) }
    rest = rest[end...]
    return .variable(String(name))
  }

  /// Resolves the text. Blocks while commands run.
  package func resolved(
    variable: (String) throws(SecretTextError) -> String?, run: (String) throws(SecretTextError) -> String
  ) throws(SecretTextError) -> String {
    var result = ""
    for part in parts {
      switch part {
      case .text(let text): result += text
      case .variable(let name):
        guard let value = try variable(name) else { throw .noVariable(name) }
        result += value
      case .command(let command): result += try run(command)
      }
    }
    return result
  }

  package static func isName(_ name: Substring) -> Bool {
    guard let first = name.first, !first.isNumber else { return false }
    return name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
  }

  /// Parses up to the closing parenthesis, with balanced inner parentheses and the shell's quotes.
  private static func parenthesized(_ rest: inout Substring) throws(SecretTextError) -> Substring {
    var depth = 0
    var quote: Character?
    var index = rest.startIndex
    while index < rest.endIndex {
      let character = rest[index]
      if let open = quote {
        if character == open { quote = nil }
      } else if character == "'" || character == "\"" {
        quote = character
      } else if character == "(" {
        depth += 1
      } else if character == ")" {
        depth -= 1
        if depth == 0 {
          let inside = rest[rest.index(after: rest.startIndex)..<index]
          rest = rest[rest.index(after: index)...]
          return inside
        }
      }
      index = rest.index(after: index)
    }
    throw .unclosed("$(")
  }
}

/// The reason why a text with `$` is invalid or cannot be resolved. The messages contain no secrets.
package enum SecretTextError: Error, Equatable, Sendable, CustomStringConvertible {
  case unclosed(String)
  case badName(String)
  case noVariable(String)
  case commandFailed(String, status: Int32)
  case commandNotStarted(String, reason: String)
  case outputTooLong(String)

  package var description: String {
    switch self {
    case .unclosed(let what): "'\(what)' is not closed"
    case .badName(let name):
      "'$\(printable(name))' is not a variable name; write $$ for a dollar sign"
    case .noVariable(let name): "the environment has no variable '\(printable(name))'"
    case .commandFailed(let command, let status): "the command '\(printable(command))' failed with status \(status)"
    case .commandNotStarted(let command, let reason): "the command '\(printable(command))' cannot be run: \(reason)"
    case .outputTooLong(let command): "the command '\(printable(command))' printed more than 64 KiB"
    }
  }
}
