import ApusSecrets

/// Text with references in double braces, by the one rule of panes, files and commands (`Docs/Development/References.md`).
///
/// `{{name}}` is a reference if the place counts it as one, and text otherwise. `\{{` is `{{`, whatever follows; the backslash
/// is one that JSON and GraphQL do not read as part of an escape: in `"\\{{x}}"` the two backslashes are one character of the
/// string, and a reference follows.
package enum TemplateText {
  package enum Part: Equatable, Sendable {
    case text(String)
    case reference(String)
  }

  /// The syntax around a reference, which decides how its value is written.
  package enum Syntax: Sendable {
    /// Headers and URLs.
    case plain
    /// JSON and GraphQL: the place in the text decides (`TemplatePlace`).
    case json
  }

  package static func parts(of text: String, isReference: (String) -> Bool) -> [Part] {
    scan(text, isReference: isReference).map(\.part)
  }

  /// Returns the references in a text with their places in UTF-8.
  package static func places(in text: String, isReference: (String) -> Bool) -> [(name: String, range: Range<Int>)] {
    guard text.contains("{{") else { return [] }
    return scan(text, isReference: isReference).compactMap { part, range in
      guard case .reference(let name) = part else { return nil }
      let start = text.utf8.distance(from: text.startIndex, to: range.lowerBound)
      return (name, start..<start + text.utf8.distance(from: range.lowerBound, to: range.upperBound))
    }
  }

  private static func scan(
    _ text: String, isReference: (String) -> Bool
  ) -> [(part: Part, range: Range<String.Index>)] {
    var parts: [(part: Part, range: Range<String.Index>)] = []
    var plain = ""
    var plainStart = text.startIndex
    var rest = text[...]
    while let open = rest.firstRange(of: "{{") {
      plain += rest[..<open.lowerBound]
      if isEscape(plain) {
        plain.unicodeScalars.removeLast()
        plain += "{{"
        rest = rest[open.upperBound...]
        continue
      }
      guard let name = name(at: rest[open.upperBound...]), isReference(name.text) else {
        // In `{{{x}}`, the reference begins at the second brace.
        plain += "{"
        rest = rest[open.lowerBound...].dropFirst()
        continue
      }
      if !plain.isEmpty { parts.append((.text(plain), plainStart..<open.lowerBound)) }
      plain = ""
      plainStart = name.end
      parts.append((.reference(name.text), open.lowerBound..<name.end))
      rest = rest[name.end...]
    }
    plain += rest
    if !plain.isEmpty { parts.append((.text(plain), plainStart..<text.endIndex)) }
    return parts
  }

  /// Returns the names of the references in a text, in order.
  package static func names(in text: String, isReference: (String) -> Bool) -> [String] {
    guard text.contains("{{") else { return [] }
    return parts(of: text, isReference: isReference).compactMap { part in
      switch part {
      case .text: nil
      case .reference(let name): name
      }
    }
  }

  /// Returns the name in double braces that the host of a URL still has: `host` of `wss://{{host}}/graphql`.
  package static func openName(inHostOf url: String) -> String? {
    guard let start = url.firstRange(of: "://")?.upperBound else { return nil }
    return names(in: String(url[start...].prefix { !"/?#".contains($0) })) { _ in true }.first
  }

  /// Returns the text with values in place of its references, and literal braces in place of escaped ones.
  package static func filled(_ text: String, _ syntax: Syntax, values: [String: String]) -> String {
    replacing(in: text, isReference: { values[$0] != nil }) { name, place, before in
      let value = values[name] ?? ""
      return syntax == .json ? place.written(value, after: before) : value
    }
  }

  /// Returns the text with other text in place of its references, and literal braces in place of escaped ones. `replacement` receives
  /// the name, the place of the reference in JSON or GraphQL, and the result before it; `escapesBraces` keeps literal braces escaped.
  package static func replacing(
    in text: String, escapesBraces: Bool = false, isReference: (String) -> Bool,
    with replacement: (_ name: String, _ place: TemplatePlace, _ before: String) -> String
  ) -> String {
    guard text.contains("{{") else { return text }
    var result = ""
    var place = TemplatePlace.code
    for part in parts(of: text, isReference: isReference) {
      switch part {
      case .text(let text):
        result += escapesBraces ? escaped(text) : text
        place.advance(over: text)
      case .reference(let name): result += replacement(name, place, result)
      }
    }
    return result
  }

  /// Returns the text with values in place of some references. Other references and escaped braces stay.
  ///
  /// - Parameter quotes: Whether a value outside of strings becomes a string.
  package static func inserting(
    _ values: [String: String], in text: String, _ syntax: Syntax, quotes: Bool = false
  ) -> String {
    let bytes = Array(text.utf8)
    var result = ""
    var place = TemplatePlace.code
    var end = 0
    for (name, range) in places(in: text, isReference: { values[$0] != nil }) {
      let plain = String(decoding: bytes[end..<range.lowerBound], as: UTF8.self)
      place.advance(over: plain)
      let value = values[name] ?? ""
      switch syntax {
      case .plain: result += plain + value
      case .json:
        result += plain
        result += quotes && place == .code ? "\"\(value)\"" : place.written(value, after: result)
      }
      end = range.upperBound
    }
    return result + String(decoding: bytes[end...], as: UTF8.self)
  }

  /// Returns text with a backslash before each pair of braces: `{{x}}` becomes `\{{x}}`.
  package static func escaped(_ text: String) -> String {
    text.contains("{{") ? text.replacing("{{", with: "\\{{") : text
  }

  /// Whether double braces after a text are literal: an odd number of backslashes is at its end.
  static func isEscape(_ before: String) -> Bool {
    before.utf8.reversed().prefix { $0 == UInt8(ascii: "\\") }.count % 2 == 1
  }

  private static func name(at text: Substring) -> (text: String, end: Substring.Index)? {
    let inner = text.prefix { !"{}\"\\".contains($0) && !$0.isNewline }
    guard text[inner.endIndex...].hasPrefix("}}") else { return nil }
    let name = inner.split(separator: " ").joined(separator: " ")
    return name.isEmpty ? nil : (name, text.index(inner.endIndex, offsetBy: 2))
  }
}

extension SecretText {
  /// The text with values in place of its references in double braces. Values are not expanded again.
  package func filled(_ values: [String: String]) -> SecretText {
    guard source.contains("{{") else { return self }
    return SecretText(
      parts: parts.map { part in
        switch part {
        case .text(let text): .text(TemplateText.filled(text, .plain, values: values))
        case .variable, .command: part
        }
      })
  }

  /// The names of the references in double braces.
  package func referenceNames(isReference: (String) -> Bool) -> [String] {
    parts.flatMap { part -> [String] in
      switch part {
      case .text(let text): TemplateText.names(in: text, isReference: isReference)
      case .variable, .command: []
      }
    }
  }
}

extension RequestDraft {
  /// The names that are references in a text of the request.
  package var declaredNames: Set<String> { options.referenceNames.union(definedNames) }

  /// Returns the names of the references of the query, the variables, the extensions and the URLs. `defined` are the names of the profile's environment, which count everywhere except in the query.
  package func referenceNames(defined: Set<String>) -> [String] {
    let own = options.referenceNames
    let query = TemplateText.names(in: query.text) { own.contains($0) }
    let others = [options.importedURL, variables.text, extensions.text, options.subscriptionURL].flatMap { text in
      TemplateText.names(in: text) { own.contains($0) || defined.contains($0) }
    }
    return query + others
  }

  /// Returns the request with values in place of its references. Values of `defined` are not used in the query.
  package func filled(own: [String: String], defined: [String: String]) -> RequestDraft {
    let all = defined.merging(own) { $1 }
    var draft = self
    draft.query = Self.filled(query, own)
    draft.variables = Self.filled(variables, all)
    draft.extensions = Self.filled(extensions, all)
    draft.options.subscriptionURL = TemplateText.filled(options.subscriptionURL, .plain, values: all)
    return draft
  }

  private static func filled(_ text: DraftText, _ values: [String: String]) -> DraftText {
    let filled = TemplateText.filled(text.text, .json, values: values)
    return filled == text.text ? text : DraftText(filled)
  }
}
