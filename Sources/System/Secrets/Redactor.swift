import ApusJSON

/// Removes secrets from text and values before they are stored. A value is a secret because of
///
/// 1. its name (`SecretNames`),
/// 2. a directive on its variable or field (`@secret`, `@sensitive`, `@confidential`),
/// 3. its form (`SecretPatterns`),
/// 4. its use in a header, a URL or a profile (`SecretValues`),
/// 5. in a response, its use as a variable or argument that is secret by rule 1 or 2.
///
/// All code that writes the user's requests or responses to a file uses a redactor.
package struct Redactor: Sendable {
  package static let mark = "\u{2022}\u{2022}\u{2022}"

  private let values: SecretValues?
  /// The names that directives mark as secret.
  private let marked: Set<String>
  /// The values of secret variables and arguments of the operation.
  private var sent: SecretValues?
  /// The values that are too short to search for within text. Only a value equal to one is hidden.
  private var sentShort: Set<String> = []
  private static let leastShort = 3

  /// - Parameters:
  /// - document: The operation, for its directives and arguments.
  /// - variables: The variables of the operation.
  package init(values: SecretValues? = nil, document: String = "", variables: JSONValue = .null) {
    self.values = values
    marked = document.contains("@") ? SecretScanner.secretNames(in: document) : []
    var found = SecretScanner.secretStrings(in: document, self)
    addSecrets(of: variables, isSecret: false, to: &found)
    guard !found.isEmpty else { return }
    let sent = SecretValues()
    for value in found {
      sent.add(unsplit: value)
      // Strings in a document may contain escapes.
      sent.add(unsplit: UnescapedText.of(value))
    }
    self.sent = sent
    sentShort = Set(found.filter { $0.utf8.count >= Self.leastShort && !sent.contains($0) })
  }

  private func addSecrets(of value: JSONValue, isSecret: Bool, to found: inout [String]) {
    switch value.kind {
    case .object:
      for (name, member) in value.members {
        addSecrets(of: member, isSecret: isSecret || self.isSecret(name), to: &found)
      }
    case .array: for element in value.elements { addSecrets(of: element, isSecret: isSecret, to: &found) }
    case .string, .number: if isSecret, let text = value.string ?? value.numberText { found.append(text) }
    case .null, .bool: break
    }
  }

  func isSecret(_ name: String) -> Bool { marked.contains(name) || SecretNames.contains(name) }

  /// Redacts any text by form and known values.
  package func text(_ text: String) -> String {
    var shown = values?.hidden(in: text, mark: Self.mark) ?? text
    if let sent { shown = sent.hidden(in: shown, mark: Self.mark) }
    return SecretPatterns.hidden(in: shown, mark: Self.mark)
  }

  /// Redacts a GraphQL document. Sent values are found by their position; the same word elsewhere may be a name.
  package func document(_ text: String) -> String {
    var redactor = self
    redactor.sent = nil
    return SecretScanner.redacted(text, redactor, isJSON: false)
  }

  /// Redacts a schema. Only strings and comments are searched, so that names stay valid.
  package func schema(_ text: String) -> String { SecretScanner.redactedStrings(in: text, self) }

  /// Redacts the text of variables; text with comments and invalid JSON are scanned like a document.
  package func variables(_ text: String) -> String {
    if let value = try? JSONDocument(parsing: text).root {
      return isPresent(in: value, KnownKeys()) ? JSONWriter.pretty(json(value)) : text
    }
    let scanned = SecretScanner.redacted(text, self, isJSON: true)
    // Names with escapes are not found by the scan.
    guard let value = try? JSONDocument(parsingRelaxed: scanned).root, case let redacted = json(value),
      redacted != value
    else { return scanned }
    return JSONWriter.pretty(redacted)
  }

  /// Returns a value with its secrets replaced; the value itself if it has none.
  ///
  /// - Parameter keepsTypes: Whether a secret number becomes 0, so that the value stays a valid response to its
  ///   operation.
  package func json(_ value: JSONValue, keepsTypes: Bool = false) -> JSONValue {
    let keys = KnownKeys()
    return isPresent(in: value, keys) ? redacted(value, isSecret: false, keepsTypes, keys) : value
  }

  /// Caches whether a key is secret, because a response repeats the same few keys.
  private final class KnownKeys {
    var all: [String: (isSecret: Bool, text: String)] = [:]
  }

  private func existing(_ key: String, _ keys: KnownKeys) -> (isSecret: Bool, text: String) {
    if let existing = keys.all[key] { return existing }
    let made = (isSecret: isSecret(key), text: text(key))
    // Keys may be data, so the cache is limited.
    if keys.all.count < 10_000 { keys.all[key] = made }
    return made
  }

  private func redacted(_ value: JSONValue, isSecret: Bool, _ keepsTypes: Bool, _ keys: KnownKeys) -> JSONValue {
    switch value.kind {
    case .object:
      return .object(
        value.members.map { key, member in
          if key == "__typename" { return (key, member) }
          let existing = existing(key, keys)
          return (existing.text, redacted(member, isSecret: isSecret || existing.isSecret, keepsTypes, keys))
        })
    case .array: return .array(value.elements.map { redacted($0, isSecret: isSecret, keepsTypes, keys) })
    case .string:
      guard let string = value.string else { return value }
      return JSONValue(isSecret || sentShort.contains(string) ? Self.mark : text(string))
    case .number:
      guard isSecret || isKnown(value) else { return value }
      return keepsTypes ? JSONValue(0) : JSONValue(Self.mark)
    case .null, .bool: return value
    }
  }

  private func isKnown(_ number: JSONValue) -> Bool {
    guard values != nil || sent != nil, let text = number.numberText else { return false }
    return values?.contains(text) == true || sent?.contains(text) == true || sentShort.contains(text)
  }

  private func isPresent(in value: JSONValue, _ keys: KnownKeys) -> Bool {
    switch value.kind {
    case .object:
      value.members.contains { key, member in
        if key == "__typename" { return false }
        let existing = existing(key, keys)
        return existing.isSecret && hasLeaves(member) || existing.text != key || isPresent(in: member, keys)
      }
    case .array: value.elements.contains { isPresent(in: $0, keys) }
    case .string: value.string.map { sentShort.contains($0) || text($0) != $0 } ?? false
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
