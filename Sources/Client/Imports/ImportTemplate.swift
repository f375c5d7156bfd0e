import ApusJSON
import ApusSecrets

/// Text with `{{variables}}` in it.
struct ImportTemplate {
  enum Part: Equatable {
    case text(String)
    case variable(String)
  }

  private(set) var parts: [Part] = []
  /// The bytes of each variable in the source, in their order.
  private var lengths: [Int] = []

  init(_ source: String) {
    var text = ""
    var rest = source[...]
    while let open = rest.firstRange(of: "{{") {
      let name = rest[open.upperBound...].prefix(while: Self.isNameCharacter)
      let plain = Self.plainName(name)
      guard !plain.isEmpty, rest[name.endIndex...].hasPrefix("}}") else {
        text += rest[..<open.upperBound]
        rest = rest[open.upperBound...]
        continue
      }
      text += rest[..<open.lowerBound]
      if !text.isEmpty { parts.append(.text(text)) }
      text = ""
      parts.append(.variable(plain))
      lengths.append(name.utf8.count + 4)
      rest = rest[name.endIndex...].dropFirst(2)
    }
    text += rest
    if !text.isEmpty { parts.append(.text(text)) }
  }

  private static func isNameCharacter(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || "_-.$ (),:'|@+*/[]".contains(character)
  }

  /// The name without blanks: `$dotenv TOKEN`, `$processEnv %TOKEN` and `$env.TOKEN` are variables of the environment.
  private static func plainName(_ name: Substring) -> String {
    let words = name.split(separator: " ")
    if words.count == 2, ["$dotenv", "$processEnv"].contains(words[0]) { return String(words[1].drop { $0 == "%" }) }
    let plain = words.joined()
    guard plain.contains(where: { $0.isLetter || $0.isNumber }) else { return "" }
    return plain.hasPrefix("$env.") ? String(plain.dropFirst("$env.".count)) : plain
  }

  /// The source with other text for its variables, which is made from the number of bytes of each.
  func replacingVariables(_ replacement: (Int) -> String) -> String {
    var next = lengths.makeIterator()
    return parts.map { part in
      switch part {
      case .text(let text): text
      case .variable: replacement(next.next() ?? 0)
      }
    }.joined()
  }

  /// The text with those variables filled in whose values are given and no secrets; values may have variables in them, too.
  /// When they name each other in a circle, or become longer than `longestValue`, the rest is left unchanged.
  func filled(from values: ImportedValues, isInJSON: Bool = false) -> String {
    var room = Self.longestValue
    return filled(from: values, isInJSON: isInJSON, depth: 8, &room)
  }

  /// The bytes of values that are filled into one text.
  private static let longestValue = 1 << 20

  private func filled(from values: ImportedValues, isInJSON: Bool = false, depth: Int, _ room: inout Int) -> String {
    var filled = ""
    var isInString = false
    for part in parts {
      switch part {
      case .text(let text):
        filled += text
        if isInJSON { isInString = JSONTemplate.ends(text, inString: isInString) }
      case .variable(let name):
        guard depth > 0, room > 0, let value = values.shown(name) else {
          filled += "{{\(name)}}"
          continue
        }
        room -= value.utf8.count + 1
        let text = ImportTemplate(value).filled(from: values, depth: depth - 1, &room)
        // Outside of a string, the value is JSON by itself.
        filled += isInString ? String(JSONWriter.compact(JSONValue(text)).dropFirst().dropLast()) : text
      }
    }
    return filled
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

/// The values of variables by their names.
struct ImportedValues {
  private var texts: [String: String] = [:]

  /// Takes the last of several values with one name, which is the nearest. A secret value is never written.
  init(_ values: [ImportedCollection.Value]) {
    for value in values { texts[value.name] = value.isHidden ? nil : value.text }
  }

  /// The value of a variable; nil where none is given, or it is a secret.
  func shown(_ name: String) -> String? { texts[name] }
}

extension ImportedCollection.Value {
  /// Whether it is written nowhere: the file says so, or its name or its look do.
  var isHidden: Bool { isSecret || SecretNames.contains(name) || SecretShapes.hidden(in: text, mark: "") != text }
}

extension ImportedCollection {
  /// The URL over HTTP of one that is for WebSockets: clients upgrade a connection of HTTP.
  static func overHTTP(_ url: String) -> String {
    let scheme = url.prefix { $0 != ":" }.lowercased()
    return scheme == "ws" || scheme == "wss" ? "http" + url.dropFirst(2) : url
  }
}
