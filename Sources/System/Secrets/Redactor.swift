import ApusASCII
import ApusJSON

/// Removes secrets from text and values before they are stored. A value is a secret because of
///
/// 1. its name (`SecretNames`),
/// 2. a directive on its variable or field (`@secret`, `@sensitive`, `@confidential`), the argument that it is given to,
///    or the coordinate of its place in a schema (`SecretPlaces`),
/// 3. its form (`SecretPatterns`),
/// 4. its use in a header, a URL or a profile (`SecretValues`),
/// 5. in a response, its use as a variable or argument that is secret by rule 1 or 2.
///
/// A reference in double braces is kept, because the text does not contain its value.
///
/// All code that writes the user's requests or responses to a file uses a redactor.
package struct Redactor: Sendable {
  package static let mark = "\u{2022}\u{2022}\u{2022}"

  private let values: SecretValues?
  /// The names that directives of the operation mark as secret, and the variables that secret arguments get.
  private let marked: Set<String>
  /// The places of the operation that schemas mark.
  private let places: SecretPlaces
  /// The values of secret variables, arguments and extensions of the operation.
  private var sent: SecretValues?
  /// The names of the request's references in double braces.
  private var references: Set<String> = []
  /// Whether values that this or an earlier request sent are searched for.
  private var includesSent = true

  /// - Parameters:
  /// - document: The operation, for its directives and arguments.
  /// - variables: The variables of the operation.
  /// - extensions: The extensions of the request.
  /// - references: The names that are references in double braces.
  package init(
    values: SecretValues? = nil, document: String = "", variables: JSONValue = .null, extensions: JSONValue = .null,
    references: Set<String> = []
  ) {
    self.init(marking: document, values)
    self.references = references
    let found = sentSecrets(document: document, variables: variables, extensions: extensions)
    guard !found.isEmpty else { return }
    let sent = SecretValues()
    sent.insert(found, .sent)
    self.sent = sent
  }

  /// Creates a redactor that does not search for the values that the operation sends.
  init(marking document: String, _ values: SecretValues?) {
    self.values = values
    marked = Self.marked(by: document)
    places = values?.places(in: document) ?? SecretPlaces()
  }

  /// Returns the strings and numbers that a request sends at secret places.
  func sentSecrets(document: String, variables: JSONValue, extensions: JSONValue) -> [String] {
    var found = SecretScanner.secretValues(in: document, self)
    addSecrets(of: variables, isSecret: false, .variables, to: &found)
    addSecrets(of: extensions, isSecret: false, .other, to: &found)
    return found
  }

  private static func marked(by document: String) -> Set<String> {
    let marked = document.contains("@") ? SecretScanner.secretNames(in: document) : []
    guard document.contains("$") else { return marked }
    return marked.union(
      SecretScanner.variables(in: document) { marked.contains($0) || SecretNames.contains($0) })
  }

  /// The places that schemas mark in the text of a document or of this operation's variables.
  func places(in text: String, isJSON: Bool) -> SecretPlaces {
    isJSON ? places : values?.places(in: text) ?? SecretPlaces()
  }

  /// Returns whether a member is secret, and the scope of its members.
  func isSecret(_ name: String, in scope: SecretPlaces.Scope) -> (Bool, SecretPlaces.Scope) {
    let place = places.place(of: name, in: scope)
    return (place.isSecret || isSecret(name), place.scope)
  }

  private func addSecrets(
    of value: JSONValue, isSecret: Bool, _ scope: SecretPlaces.Scope, to found: inout [String]
  ) {
    switch value.kind {
    case .object:
      for (name, member) in value.members {
        let (isMarked, inner) = self.isSecret(name, in: scope)
        addSecrets(of: member, isSecret: isSecret || isMarked, inner, to: &found)
      }
    case .array: for element in value.elements { addSecrets(of: element, isSecret: isSecret, scope, to: &found) }
    case .string, .number:
      if isSecret, let text = value.string ?? value.numberText, !isReference(text) { found.append(text) }
    case .null, .bool: break
    }
  }

  func isSecret(_ name: String) -> Bool { marked.contains(name) || SecretNames.contains(name) }

  /// Whether a value is only a reference: `{{password}}`.
  func isReference(_ text: String) -> Bool {
    guard !references.isEmpty, text.hasPrefix("{{"), text.hasSuffix("}}") else { return false }
    return references.contains(text.dropFirst(2).dropLast(2).split(separator: " ").joined(separator: " "))
  }

  /// Redacts any text by form and known values.
  package func text(_ text: String) -> String { redacted(text, as: .text) }

  /// Redacts a name, or text whose names must stay valid: a value that may be an ordinary name is kept.
  package func name(_ text: String) -> String { redacted(text, as: .name) }

  private func redacted(_ text: String, as place: SecretValues.Place) -> String {
    var shown = text
    for list in [values, includesSent ? sent : nil].compactMap(\.self) {
      shown = list.hidden(in: shown, mark: Self.mark, as: place, includesSent: includesSent)
    }
    return SecretPatterns.hidden(in: shown, mark: Self.mark)
  }

  /// Redacts a GraphQL document. Sent values are found by their position; the same word elsewhere may be a name.
  package func document(_ text: String) -> String {
    var redactor = self
    redactor.includesSent = false
    return SecretScanner.redacted(text, redactor, isJSON: false)
  }

  /// Redacts a schema in its strings and comments.
  ///
  /// - Returns: `nil` if a name or number contains a secret, which cannot be replaced without breaking the schema.
  package func schema(_ text: String) -> String? {
    guard let shown = SecretScanner.redactedStrings(in: text, self), name(shown) == shown else { return nil }
    return shown
  }

  /// Returns the bytes of a file or line of JSON, searched once more as they are written: a secret may consist of several
  /// values and the punctuation between them.
  ///
  /// - Parameter isRequest: Whether the text contains a document, in which sent values may be names.
  /// - Returns: `nil` if the rest would not be JSON.
  package func written(_ bytes: [UInt8], isRequest: Bool = false) -> [UInt8]? {
    let text = String(decoding: bytes, as: UTF8.self)
    var shown = text
    for list in [values, isRequest ? nil : sent].compactMap(\.self) {
      shown = list.hidden(in: shown, mark: Self.mark, as: .name, includesSent: !isRequest)
    }
    if shown == text { return bytes }
    let rest = Array(shown.utf8)
    return (try? JSONDocument(parsing: rest)) == nil ? nil : rest
  }

  /// Redacts the text of variables. Its layout is kept if the scan finds every secret.
  ///
  /// A mark without quotes takes the place of a number. A string of one unused character represents it meanwhile, so that
  /// the text is JSON.
  package func variables(_ text: String) -> String {
    let number = String(DraftText.unusedCharacter(in: text))
    let shown = variables(SecretScanner.replacingMarks(in: text, with: "\"\(number)\""), number)
    return shown.replacing("\"\(number)\"", with: Self.mark)
  }

  private func variables(_ text: String, _ number: String) -> String {
    let pass = Pass(.variables, number: JSONValue(number))
    let scanned = SecretScanner.redacted(text, self, isJSON: true, number: "\"\(number)\"")
    if let value = try? JSONDocument(parsing: text).root {
      guard isPresent(in: value, pass.scope, pass) else { return text }
      let redacted = redacted(value, isSecret: false, pass.scope, pass)
      return (try? JSONDocument(parsing: scanned).root) == redacted ? scanned : JSONWriter.pretty(redacted)
    }
    // Names with escapes are not found by the scan.
    guard let value = try? JSONDocument(parsingRelaxed: scanned).root,
      case let redacted = redacted(value, isSecret: false, pass.scope, pass), redacted != value
    else { return scanned }
    return JSONWriter.pretty(redacted)
  }

  /// Returns a value with its secrets replaced; the value itself if it has none.
  ///
  /// - Parameters:
  /// - keepsTypes: Whether a secret number becomes 0, so that the value stays a valid response to its operation.
  /// - areVariables: Whether the value has the variables of the operation, whose places a schema may mark.
  package func json(_ value: JSONValue, keepsTypes: Bool = false, areVariables: Bool = false) -> JSONValue {
    let pass = Pass(areVariables ? .variables : .other, number: keepsTypes ? JSONValue(0) : JSONValue(Self.mark))
    return isPresent(in: value, pass.scope, pass) ? redacted(value, isSecret: false, pass.scope, pass) : value
  }

  /// The redaction of one JSON value.
  private final class Pass {
    let scope: SecretPlaces.Scope
    /// The value in place of a secret number.
    let number: JSONValue
    /// Whether a key is secret by its name, because a response repeats the same few keys.
    var keys: [String: (isSecret: Bool, text: String)] = [:]

    init(_ scope: SecretPlaces.Scope, number: JSONValue) {
      self.scope = scope
      self.number = number
    }
  }

  private func existing(_ key: String, _ pass: Pass) -> (isSecret: Bool, text: String) {
    if let existing = pass.keys[key] { return existing }
    let made = (isSecret: isSecret(key), text: name(key))
    // Keys may be data, so the cache is limited.
    if pass.keys.count < 10_000 { pass.keys[key] = made }
    return made
  }

  private func redacted(_ value: JSONValue, isSecret: Bool, _ scope: SecretPlaces.Scope, _ pass: Pass) -> JSONValue {
    switch value.kind {
    case .object:
      return .object(
        value.members.map { key, member in
          if key == "__typename", let type = typeName(member) { return (key, type) }
          let existing = existing(key, pass)
          let place = places.place(of: key, in: scope)
          let isSecret = isSecret || existing.isSecret || place.isSecret
          return (existing.text, redacted(member, isSecret: isSecret, place.scope, pass))
        })
    case .array: return .array(value.elements.map { redacted($0, isSecret: isSecret, scope, pass) })
    case .string:
      guard let string = value.string, value != pass.number else { return value }
      return JSONValue(isSecret && !isReference(string) || isKnown(string) ? Self.mark : text(string))
    case .number: return isSecret || isKnown(value) ? pass.number : value
    case .null, .bool: return value
    }
  }

  /// Returns the value of `__typename`, redacted like a name; `nil` for other values.
  private func typeName(_ value: JSONValue) -> JSONValue? {
    guard let string = value.string, string.utf8.first?.isNameStart == true, string.utf8.allSatisfy(\.isNameByte) else {
      return nil
    }
    let shown = name(string)
    return shown == string ? value : JSONValue(shown)
  }

  private func isKnown(_ text: String) -> Bool { values?.contains(text) == true || sent?.contains(text) == true }

  private func isKnown(_ number: JSONValue) -> Bool {
    guard values != nil || sent != nil, let text = number.numberText else { return false }
    // `1234.0` and `1.234e3` are other forms of `1234`.
    return isKnown(text) || number.int.map { isKnown(String($0)) } ?? false
  }

  private func isPresent(in value: JSONValue, _ scope: SecretPlaces.Scope, _ pass: Pass) -> Bool {
    switch value.kind {
    case .object:
      value.members.contains { key, member in
        if key == "__typename", let type = typeName(member) { return type != member }
        let existing = existing(key, pass)
        let place = places.place(of: key, in: scope)
        return (existing.isSecret || place.isSecret) && hasLeaves(member) || existing.text != key
          || isPresent(in: member, place.scope, pass)
      }
    case .array: value.elements.contains { isPresent(in: $0, scope, pass) }
    case .string: value.string.map { isKnown($0) || text($0) != $0 } ?? false
    case .number: isKnown(value)
    case .null, .bool: false
    }
  }

  /// Whether the value contains a string or number.
  private func hasLeaves(_ value: JSONValue) -> Bool {
    switch value.kind {
    case .object: value.members.contains { hasLeaves($0.value) }
    case .array: value.elements.contains(where: hasLeaves)
    case .string, .number: true
    case .null, .bool: false
    }
  }
}
