import ApusSecrets

/// Text in a project's file with environment variables (`$NAME`, `${NAME}`, `${NAME:default}`); `$$` is a dollar sign.
/// It is parsed once, so that the variables that are shown are the ones that are sent. A default is plain text, and a
/// command (`$(…)`) is never run.
///
/// Source: graphql-config 5, "Environment Variables".
package struct ProjectText: Equatable, Sendable {
  private enum Part: Equatable, Sendable {
    case text(String)
    case variable(String, default: String?)
  }

  /// A variable, with the default that replaces it if the environment lacks it.
  package struct Variable: Equatable, Sendable {
    package let name: String
    package let replacement: String?
  }

  /// The reason why the text is never sent.
  package enum Flaw: Error, Equatable, Sendable, CustomStringConvertible {
    case command
    case malformed(SecretTextError)
    /// The default of this variable contains another variable.
    case nestedDefault(String)

    package var description: String {
      switch self {
      case .command: "commands are never run"
      case .malformed(let error): "\(error)"
      case .nestedDefault(let name): "the default of '${\(name):…}' is plain text and cannot name another variable"
      }
    }
  }

  /// The text as written.
  package let source: String
  private let parts: [Part]
  /// The reason why the text is never sent; `nil` if it may be.
  package let flaw: Flaw?

  package init(_ source: String) {
    self.source = source
    do throws(Flaw) {
      parts = try Self.parse(source)
      flaw = nil
    } catch {
      parts = []
      flaw = error
    }
  }

  /// Variables in the text, in order.
  package var variables: [Variable] {
    parts.compactMap { part in
      guard case .variable(let name, let text) = part else { return nil }
      return Variable(name: name, replacement: text)
    }
  }

  /// Whether the text needs variables or is invalid.
  package var asksForValues: Bool { flaw != nil || !variables.isEmpty }

  /// Returns the text with its variables, for the request of a trusted file.
  func text(environment: [String: String]) throws(Flaw) -> SecretText {
    if let flaw { throw flaw }
    return SecretText(
      parts: parts.map { part in
        switch part {
        case .text(let text): return .text(text)
        case .variable(let name, let replacement):
          guard let replacement, environment[name] == nil else { return .variable(name) }
          return .text(replacement)
        }
      })
  }

  private static func parse(_ source: String) throws(Flaw) -> [Part] {
    var parts: [Part] = []
    var text = ""
    var rest = source[...]
    func flush() {
      if !text.isEmpty { parts.append(.text(text)) }
      text = ""
    }
    while let dollar = rest.firstIndex(of: "$") {
      text += rest[..<dollar]
      rest = rest[rest.index(after: dollar)...]
      switch rest.first {
      case "$":
        text.append("$")
        rest.removeFirst()
      case "(": throw .command
      case "{":
        guard let close = rest.firstIndex(of: "}") else { throw .malformed(.unclosed("${")) }
        flush()
        parts.append(try variable(rest[..<close].dropFirst()))
        rest = rest[rest.index(after: close)...]
      default:
        let name = rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
        guard SecretText.isName(name) else { throw .malformed(.badName(String(name))) }
        flush()
        parts.append(.variable(String(name), default: nil))
        rest = rest[name.endIndex...]
      }
    }
    text += rest
    flush()
    return parts
  }

  /// Parses the inside of braces: `NAME`, or `NAME:default`. Quotes and leading blanks of the default are removed, so
  /// that `NAME: "a"` has the default `a`.
  private static func variable(_ inside: Substring) throws(Flaw) -> Part {
    let pieces = inside.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    var trimmed = pieces[0].drop(while: \.isWhitespace)
    while trimmed.last?.isWhitespace == true { trimmed.removeLast() }
    let name = String(trimmed)
    guard SecretText.isName(name[...]) else { throw .malformed(.badName(name)) }
    guard pieces.count > 1 else { return .variable(name, default: nil) }
    guard !pieces[1].contains("${") else { throw .nestedDefault(name) }
    return .variable(name, default: String(pieces[1].filter { $0 != "\"" && $0 != "'" }.drop { $0 == " " }))
  }
}
