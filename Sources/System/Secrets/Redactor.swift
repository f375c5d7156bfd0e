import ApusJSON

/// Takes out of texts and values what must be kept nowhere. A secret is known
///
/// 1. by the name that it stands behind (`SecretNames`),
/// 2. by the directive that the operation gives to a variable or a field (`@secret`, `@sensitive`, `@confidential`),
/// 3. by how it looks (`SecretShapes`),
/// 4. by having been sent in a header or in a URL, or named by a profile (`SecretValues`),
/// 5. in an answer by having been sent as a variable or an argument that is one by the first two.
///
/// Everything that writes a person's requests or their answers to a file goes through one.
package struct Redactor: Sendable {
  package static let mark = "\u{2022}\u{2022}\u{2022}"

  private let values: SecretValues?
  /// Names that a directive made secret.
  private let marked: Set<String>
  /// What the operation was sent with under such a name.
  private var sent: SecretValues?
  /// Those of them that are too short to be searched for within text: a value that equals one is hidden.
  private var sentShort: Set<String> = []
  private static let leastShort = 3

  /// - Parameters:
  ///   - document: The operation, for its directives and its arguments.
  ///   - variables: What it was sent with.
  package init(values: SecretValues? = nil, document: String = "", variables: JSONValue = .null) {
    self.values = values
    marked = document.contains("@") ? DocumentScan.secretNames(in: document) : []
    var found = DocumentScan.secretStrings(in: document, self)
    addSecrets(of: variables, isSecret: false, to: &found)
    guard !found.isEmpty else { return }
    let sent = SecretValues()
    for value in found {
      sent.add(whole: value)
      // A document has its strings with escapes.
      sent.add(whole: UnescapedText.of(value))
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

  /// Any text: what looks like a secret, and what is known as one.
  package func text(_ text: String) -> String {
    var shown = values?.hidden(in: text, mark: Self.mark) ?? text
    if let sent { shown = sent.hidden(in: shown, mark: Self.mark) }
    return SecretShapes.hidden(in: shown, mark: Self.mark)
  }

  /// A GraphQL document. In it a value that was sent is known by where it stands; the same word elsewhere is a name.
  package func document(_ text: String) -> String {
    var redactor = self
    redactor.sent = nil
    return DocumentScan.redacted(text, redactor, isJSON: false)
  }

  /// The text of a schema. Only its strings and comments are searched, so that its names stay valid.
  package func schema(_ text: String) -> String { DocumentScan.redactedStrings(in: text, self) }

  /// The text of variables; what is no JSON yet is looked through like a document.
  package func variables(_ text: String) -> String {
    guard let value = try? JSONDocument(parsing: text).root else {
      return DocumentScan.redacted(text, self, isJSON: true)
    }
    return isPresent(in: value, KnownKeys()) ? JSONWriter.pretty(json(value)) : text
  }

  /// A value with its secrets replaced; the value itself where there are none.
  ///
  /// - Parameter keepsTypes: a number stays one (0), for what must still be an answer to its operation.
  package func json(_ value: JSONValue, keepsTypes: Bool = false) -> JSONValue {
    let keys = KnownKeys()
    return isPresent(in: value, keys) ? redacted(value, isSecret: false, keepsTypes, keys) : value
  }

  /// What is known of the keys that were met: a response has the same few over and over.
  private final class KnownKeys {
    var all: [String: (isSecret: Bool, text: String)] = [:]
  }

  private func known(_ key: String, _ keys: KnownKeys) -> (isSecret: Bool, text: String) {
    if let known = keys.all[key] { return known }
    let made = (isSecret: isSecret(key), text: text(key))
    // A response may have keys that are data.
    if keys.all.count < 10_000 { keys.all[key] = made }
    return made
  }

  private func redacted(_ value: JSONValue, isSecret: Bool, _ keepsTypes: Bool, _ keys: KnownKeys) -> JSONValue {
    switch value.kind {
    case .object:
      return .object(
        value.members.map { key, member in
          if key == "__typename" { return (key, member) }
          let known = known(key, keys)
          return (known.text, redacted(member, isSecret: isSecret || known.isSecret, keepsTypes, keys))
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
        let known = known(key, keys)
        return known.isSecret && hasLeaves(member) || known.text != key || isPresent(in: member, keys)
      }
    case .array: value.elements.contains { isPresent(in: $0, keys) }
    case .string: value.string.map { sentShort.contains($0) || text($0) != $0 } ?? false
    case .number: isKnown(value)
    case .null, .bool: false
    }
  }

  /// Whether there is something that a secret could be.
  private func hasLeaves(_ value: JSONValue) -> Bool {
    switch value.kind {
    case .object: value.members.contains { hasLeaves($0.value) }
    case .array: value.elements.contains(where: hasLeaves)
    case .string, .number: true
    case .null, .bool: false
    }
  }
}
