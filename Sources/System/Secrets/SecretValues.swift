import Synchronization

/// The values that are secret wherever they occur: those of headers, URLs, cookies and profiles, and those that a request
/// sends under a secret name.
///
/// The program creates one instance and passes it to all code that resolves, sends or writes values.
///
///     bytes   resolved               credential       sent
///     6…      anywhere               anywhere         anywhere except in a document, where it may be a name
///     3…5     as a whole word        as a whole value as a whole value
///     1…2     only where it was used, because it would match within ordinary text
///
/// A value of at most eleven letters is not searched for in names, because it may be one.
package final class SecretValues: Sendable {
  /// The source of a value.
  enum Source: Sendable {
    /// The environment or a command.
    case resolved
    /// A secret header, a URL, a cookie or a file with credentials.
    case credential
    /// A variable, argument or extension of a request.
    case sent
  }

  /// The text that is searched.
  enum Place: Sendable {
    case text
    /// A name, whose meaning would be lost without it: of a type, a field or a member.
    case name
  }

  private struct KnownSecret {
    let value: String
    var source: Source
    /// The number of the last use; higher is more recent.
    var lastUse: Int
    /// Whether the value may be an ordinary name.
    let isPlainWord: Bool

    init(_ value: String, _ source: Source, lastUse: Int) {
      self.value = value
      self.source = source
      self.lastUse = lastUse
      isPlainWord = value.utf8.count <= SecretValues.longestPlainWord && value.utf8.allSatisfy(\.isLetter)
    }
  }

  private struct State {
    /// Sorted by length, longest first, so that a value is replaced before its substrings.
    var existing: [KnownSecret] = []
    var useCount = 0
    /// Finds the places of a document that the schema of an endpoint marks as secret.
    var schemas: [String: @Sendable (String) -> SecretPlaces] = [:]
  }

  private let state = Mutex(State())
  /// Shorter values would match within ordinary text.
  private static let leastLength = 6
  static let leastShortLength = 3
  private static let longestPlainWord = 11
  private static let limit = 1000

  package init() {}

  // MARK: Adding

  /// Adds a secret value. Of `Bearer abc` only `abc` is secret, since the scheme occurs in documentation and other
  /// texts.
  package func add(_ value: String) { add(value, .credential) }

  private func add(_ value: String, _ source: Source) {
    // Compares scalars, because a space, `;` or `=` with a combining mark is a different `Character`.
    let all = value.unicodeScalars.split { $0.properties.isWhitespace || $0 == ";" || $0 == "," }.map(String.init)
    let words = all.filter { !SecretNames.schemes.contains($0.lowercased()) }
    var found = words
    // In a cookie `sid=…`, only the value is secret.
    found += words.compactMap { word in
      let scalars = word.unicodeScalars
      return scalars.firstIndex(of: "=").map { String(scalars[$0...].dropFirst()) }
    }
    if words.count > 1 {
      found.append(value)
      // The short words of a longer value, such as a theme in a cookie, are ordinary text.
      found.removeAll { $0.utf8.count < Self.leastLength }
    }
    insert(found, source)
    if all.count == 2, all[0].lowercased() == "basic" { add(basic: all[1]) }
  }

  /// Adds a value without splitting it into words.
  package func add(unsplit value: String) { insert([value], .credential) }

  /// Adds the places that the schema of an endpoint marks as secret, instead of those of an earlier schema; `nil` if it
  /// marks none. A place counts for documents of all endpoints, since their redactors know no endpoint.
  package func setPlaces(for endpoint: String, _ find: (@Sendable (_ document: String) -> SecretPlaces)?) {
    state.withLock { $0.schemas[endpoint] = find }
  }

  func places(in document: String) -> SecretPlaces {
    var places = SecretPlaces()
    let schemas = state.withLock { Array($0.schemas.values) }
    guard !schemas.isEmpty else { return places }
    let document = SecretScanner.replacingMarks(in: document, with: DraftText.numberForMark)
    for find in schemas { places.formUnion(find(document)) }
    return places
  }

  /// Adds the value of a header if its name is secret or the value was resolved.
  package func add(header name: String, _ value: String, isLive: Bool) {
    if isLive || SecretNames.contains(name, in: .header) { add(value, isLive ? .resolved : .credential) }
  }

  /// Adds values with the forms in which a request or a server writes them: decoded, with `+` for a space, and without
  /// tags.
  func insert(_ values: [String], _ source: Source) {
    let found = values.flatMap(UnescapedText.forms).flatMap { value in
      value.utf8.contains(UInt8(ascii: " ")) ? [value, value.replacing(" ", with: "+")] : [value]
    }
    // An error shows the text of a page without its tags. Shorter pieces would match within ordinary text.
    let pieces = found.flatMap(HTMLText.pieces).filter { $0.utf8.count >= Self.leastLength }
    state.withLock { state in
      for value in found + pieces where value.utf8.count >= Self.leastShortLength { Self.insert(value, source, &state) }
    }
  }

  private static func insert(_ value: String, _ source: Source, _ state: inout State) {
    state.useCount += 1
    if let index = state.existing.firstIndex(where: { $0.value.utf8.elementsEqual(value.utf8) }) {
      state.existing[index].lastUse = state.useCount
      if source == .resolved || state.existing[index].source == .sent { state.existing[index].source = source }
      return
    }
    if state.existing.count >= limit {
      // Many sent values must not displace the credentials of the endpoint.
      let sent = state.existing.indices.filter { state.existing[$0].source == .sent }
      let candidates = sent.isEmpty ? Array(state.existing.indices) : sent
      if let oldest = candidates.min(by: { state.existing[$0].lastUse < state.existing[$1].lastUse }) {
        state.existing.remove(at: oldest)
      }
    }
    let place = state.existing.firstIndex { $0.value.utf8.count <= value.utf8.count } ?? state.existing.count
    state.existing.insert(KnownSecret(value, source, lastUse: state.useCount), at: place)
  }

  // MARK: Searching

  /// Whether the whole value, a string or a number, is one of the secrets.
  package func contains(_ value: String) -> Bool {
    state.withLock { $0.existing.contains { $0.value.utf8.elementsEqual(value.utf8) } }
  }

  /// Returns the text with all values replaced, also if they are written with escapes.
  package func hidden(in text: String, mark: String) -> String { hidden(in: text, mark: mark, as: .text) }

  /// - Parameter includesSent: Whether the values of earlier requests are searched for.
  func hidden(in text: String, mark: String, as place: Place, includesSent: Bool = true) -> String {
    let searched = state.withLock { state in
      state.existing.filter { secret in
        if !includesSent && secret.source == .sent || place == .name && secret.isPlainWord { return false }
        return secret.value.utf8.count >= Self.leastLength || place == .text && secret.source == .resolved
      }
    }
    guard !searched.isEmpty else { return text }
    let hidden = Self.hidden(searched, in: text, mark: mark)
    guard place == .text, hidden.utf8.contains(0xE2), hidden.contains("\u{2026}") else { return hidden }
    // An excerpt of a response may end within a secret.
    return UnescapedText.hiding(in: hidden, mark: mark, searchesText: true) { bytes in
      bytes.withUnsafeBufferPointer { bytes in
        searched.flatMap { ByteSearch.rangesOfBeginnings(of: $0.value, in: bytes, least: Self.leastLength) }
      }
    }
  }

  private static func hidden(_ searched: [KnownSecret], in text: String, mark: String) -> String {
    guard text.utf8.contains(where: UnescapedText.isOpening) else {
      return searched.reduce(text) { text, secret in
        ByteSearch.replacing(secret.value, in: text, with: mark, wholeWords: isShort(secret))
      }
    }
    // A value may contain another one, without the escapes of the whole, so all are found before any is replaced.
    return UnescapedText.hiding(in: text, mark: mark, searchesText: true) { bytes in
      bytes.withUnsafeBufferPointer { bytes in
        searched.flatMap { ByteSearch.ranges(of: $0.value, in: bytes, wholeWords: isShort($0)) }
      }
    }
  }

  private static func isShort(_ secret: KnownSecret) -> Bool { secret.value.utf8.count < leastLength }
}
