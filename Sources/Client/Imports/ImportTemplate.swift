import ApusClientRequests
import ApusJSON
import ApusSecrets

/// Text that contains `{{variables}}`: `https://{{host}}/graphql` with the value `api.example` is `https://api.example/graphql`.
struct ImportTemplate {
  enum Part: Equatable {
    case text(String)
    case variable(String)
  }

  private(set) var parts: [Part] = []
  /// The length of each variable in the source, in bytes.
  private var lengths: [Int] = []

  init(_ source: String) {
    var text = ""
    var rest = source[...]
    while let open = rest.firstRange(of: "{{") {
      let name = rest[open.upperBound...].prefix(while: Self.isNameCharacter)
      let plain = Self.plainName(name)
      guard !plain.isEmpty, rest[name.endIndex...].hasPrefix("}}") else {
        // In `{{{x}}`, the variable begins at the second brace.
        text += rest[..<open.lowerBound] + "{"
        rest = rest[open.lowerBound...].dropFirst()
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

  /// Returns the name without spaces. Variables of the environment (`$dotenv TOKEN`, `$processEnv %TOKEN`, `$env.TOKEN`) get
  /// their plain name.
  private static func plainName(_ name: Substring) -> String {
    let words = name.split(separator: " ")
    if words.count == 2, ["$dotenv", "$processEnv"].contains(words[0]) { return String(words[1].drop { $0 == "%" }) }
    let plain = words.joined()
    guard plain.contains(where: { $0.isLetter || $0.isNumber }) else { return "" }
    return plain.hasPrefix("$env.") ? String(plain.dropFirst("$env.".count)) : plain
  }

  /// Returns the source with its variables replaced. `replacement` receives the length of each variable in bytes, and whether
  /// it is between braces.
  func replacingVariables(_ replacement: (_ length: Int, _ isInBraces: Bool) -> String) -> String {
    var next = lengths.makeIterator()
    var depth = 0
    return parts.map { part in
      switch part {
      case .text(let text):
        for byte in text.utf8 {
          if byte == UInt8(ascii: "{") { depth += 1 }
          if byte == UInt8(ascii: "}") { depth -= 1 }
        }
        return text
      case .variable: return replacement(next.next() ?? 0, depth > 0)
      }
    }.joined()
  }

  /// Returns the text with variables replaced by their values, which can contain variables themselves. Secrets and variables
  /// without a value are not replaced. In a circular definition, or if the total length exceeds `longestValue`, the
  /// remaining variables are not replaced.
  ///
  /// - Parameter kept: The names of variables that are not replaced.
  func rendered(from values: ImportedValues, isInJSON: Bool = false, keeping kept: Set<String> = []) -> String {
    var room = Self.longestValue
    return rendered(from: values, isInJSON: isInJSON, kept, depth: 8, &room)
  }

  /// The maximum total length of the values in one text, in bytes.
  private static let longestValue = 1 << 20

  private func rendered(
    from values: ImportedValues, isInJSON: Bool = false, _ kept: Set<String>, depth: Int, _ room: inout Int
  ) -> String {
    var filled = ""
    var place = TemplatePlace.code
    for part in parts {
      switch part {
      case .text(let text):
        filled += text
        if isInJSON { place.advance(over: text) }
      case .variable(let name):
        guard depth > 0, room > 0, !kept.contains(name), let value = values.shown(name) else {
          filled += "{{\(name)}}"
          continue
        }
        room -= value.utf8.count + 1
        let text = ImportTemplate(value).rendered(from: values, kept, depth: depth - 1, &room)
        // Outside of strings, the value is JSON.
        filled += place != .code ? String(JSONWriter.compact(JSONValue(text)).dropFirst().dropLast()) : text
      }
    }
    return filled
  }

  /// Returns the text with its variables renamed, and without spaces inside their braces.
  func renamed(_ name: (String) -> String) -> String {
    parts.map { part in
      switch part {
      case .text(let text): text
      case .variable(let variable): "{{\(name(variable))}}"
      }
    }.joined()
  }

  var variables: [String] { parts.compactMap { if case .variable(let name) = $0 { name } else { nil } } }

  /// Returns the text as `SecretText` source, in which the remaining variables are read from the environment, and their
  /// names.
  func live() -> (text: String, names: [String]) {
    var names: [String] = []
    let text = parts.map { part in
      switch part {
      case .text(let text): return LiteralBraces.shown(text).replacing("$", with: "$$")
      case .variable(let variable):
        let name = Self.environmentName(of: variable)
        names.append(name)
        return "${\(name)}"
      }
    }.joined()
    return (text, names)
  }

  /// Returns a valid name for an environment variable: `API_KEY` for `process.env.API-key`.
  static func environmentName(of variable: String) -> String {
    let reference = variable.hasPrefix("process.env.") ? variable.dropFirst("process.env.".count) : variable[...]
    let name = reference.uppercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }
    return (name.first?.isNumber ?? true ? "_" : "") + String(name)
  }
}

/// The values of variables, by name.
struct ImportedValues {
  private var texts: [String: String] = [:]
  private var secrets: [String: String] = [:]

  /// Creates the values. If several have the same name, the last one is used.
  init(_ values: [ImportedCollection.Value]) { add(values[...]) }

  var isEmpty: Bool { texts.isEmpty }

  mutating func add(_ values: ArraySlice<ImportedCollection.Value>) {
    for value in values {
      texts[value.name] = value.isHidden ? nil : value.text
      secrets[value.name] = value.isHidden ? value.text : nil
    }
  }

  /// Returns the values of a request's own references over these.
  func adding(_ references: [RunOptions.Reference]) -> ImportedValues {
    guard !references.isEmpty else { return self }
    var all = self
    for reference in references {
      all.texts[reference.name] = reference.source == .file ? reference.value : nil
      all.secrets[reference.name] = reference.source == .file ? nil : reference.value
    }
    return all
  }

  /// Returns the values of the variables in texts, and of those in the values.
  func references(in texts: [String]) -> [RunOptions.Reference] {
    guard !texts.isEmpty, !(self.texts.isEmpty && secrets.isEmpty) else { return [] }
    var found: [String: RunOptions.Reference] = [:]
    var open = texts.flatMap { ImportTemplate($0).variables }
    while let name = open.popLast() {
      guard found[name] == nil, let value = self.texts[name] ?? secrets[name] else { continue }
      found[name] = .init(name: name, value: value, source: self.texts[name] == nil ? .secretOfFile : .file)
      open += ImportTemplate(value).variables
    }
    return found.values.sorted { $0.name < $1.name }
  }

  /// Returns the value of a variable, or `nil` if there is none or it is a secret.
  func shown(_ name: String) -> String? { texts[name] }

  /// Returns the value of a secret, which no text and no file receives; `nil` if it is empty or contains variables itself.
  func secret(_ name: String) -> String? {
    guard let secret = secrets[name], !secret.isEmpty, ImportTemplate(secret).variables.isEmpty else { return nil }
    return LiteralBraces.shown(secret)
  }
}

extension ImportedCollection.Value {
  /// Whether the value is a secret, according to the file, its name or its pattern.
  var isHidden: Bool {
    isSecret || SecretNames.contains(name) || SecretPatterns.hidden(in: text, mark: "") != text
      || name.lowercased().split { "_-.".contains($0) }.contains("pass")
  }
}
