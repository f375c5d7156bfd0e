import ApusJSON
import ApusSecrets

/// Text with `{{variables}}` in it.
struct ImportTemplate {
  enum Part: Equatable {
    case text(String)
    case variable(String)
  }

  private(set) var parts: [Part] = []

  init(_ source: String) {
    var rest = source[...]
    while let open = rest.firstRange(of: "{{") {
      guard let close = rest[open.upperBound...].firstRange(of: "}}") else { break }
      let name = rest[open.upperBound..<close.lowerBound].filter { $0 != " " }
      guard !name.isEmpty, name.allSatisfy(Self.isNameCharacter) else {
        append(rest[..<open.upperBound])
        rest = rest[open.upperBound...]
        continue
      }
      append(rest[..<open.lowerBound])
      parts.append(.variable(String(name)))
      rest = rest[close.upperBound...]
    }
    append(rest)
  }

  private static func isNameCharacter(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || "_-.$".contains(character)
  }

  private mutating func append(_ text: Substring) {
    if case .text(let before)? = parts.last {
      parts[parts.count - 1] = .text(before + text)
    } else if !text.isEmpty {
      parts.append(.text(String(text)))
    }
  }

  /// With the variables filled in whose values are known and no secrets; values may have variables in them, too. Where
  /// they name each other in a circle the rest stays as it is.
  func filled(from values: [ImportedCollection.Value], isInJSON: Bool = false, depth: Int = 8) -> String {
    parts.map { part in
      switch part {
      case .text(let text): return text
      case .variable(let name):
        // The last one counts: it is nearer.
        guard depth > 0, let value = values.last(where: { $0.name == name }), !value.isHidden else {
          return "{{\(name)}}"
        }
        let text = ImportTemplate(value.text).filled(from: values, depth: depth - 1)
        return isInJSON ? String(JSONWriter.compact(JSONValue(text)).dropFirst().dropLast()) : text
      }
    }.joined()
  }

  /// With other names for its variables, written without blanks.
  func renamed(_ name: (String) -> String) -> String {
    parts.map { part in
      switch part {
      case .text(let text): text
      case .variable(let variable): "{{\(name(variable))}}"
      }
    }.joined()
  }

  var variables: [String] { parts.compactMap { if case .variable(let name) = $0 { name } else { nil } } }

  /// A text of ours (`SecretText`) that takes what is left from the environment; the names that it takes.
  func live() -> (text: String, names: [String]) {
    var names: [String] = []
    let text = parts.map { part in
      switch part {
      case .text(let text): return text.replacing("$", with: "$$")
      case .variable(let variable):
        let name = Self.environmentName(of: variable)
        names.append(name)
        return "${\(name)}"
      }
    }.joined()
    return (text, names)
  }

  /// `process.env.API-key` is `API_KEY`.
  static func environmentName(of variable: String) -> String {
    let own = variable.hasPrefix("process.env.") ? variable.dropFirst("process.env.".count) : variable[...]
    let name = own.uppercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }
    return (name.first?.isNumber ?? true ? "_" : "") + String(name)
  }
}

extension ImportedCollection.Value {
  /// Whether it is written nowhere: the file says so, or its name or its look do.
  var isHidden: Bool { isSecret || SecretNames.contains(name) || SecretShapes.hidden(in: text, mark: "") != text }
}
