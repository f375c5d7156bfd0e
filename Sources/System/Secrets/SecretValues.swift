import ApusPlatform
import Synchronization

/// The resolved values of headers and profiles, which are secret wherever they occur.
///
/// The program creates one instance and passes it to all code that resolves or writes values.
package final class SecretValues: Sendable {
  private struct KnownSecret {
    let value: String
    /// The number of the last use; higher is more recent.
    var taken: Int
  }

  private struct State {
    /// Sorted by length, longest first, so that a value is replaced before its substrings.
    var existing: [KnownSecret] = []
    var takenCount = 0
  }

  private let state = Mutex(State())
  /// Shorter values would match within ordinary text.
  private static let leastLength = 6
  private static let limit = 1000

  package init() {}

  /// Adds a resolved value or the value of a secret header: each of its words except the name of a scheme (`Bearer`).
  package func add(_ value: String) {
    // Compares scalars, because a space, `;` or `=` with a combining mark is a different `Character`.
    let words = value.unicodeScalars.split { $0.properties.isWhitespace || $0 == ";" || $0 == "," }.map(String.init)
      .filter { !SecretNames.schemes.contains($0.lowercased()) }
    var found = words
    // In a cookie `sid=…`, only the value is secret.
    found += words.compactMap { word in
      let scalars = word.unicodeScalars
      return scalars.firstIndex(of: "=").map { String(scalars[$0...].dropFirst()) }
    }
    if words.count > 1 { found.append(value) }
    insert(found)
  }

  /// Adds a value without splitting it into words.
  package func add(unsplit value: String) { insert([value]) }

  private func insert(_ found: [String]) {
    state.withLock { state in
      for value in found where value.utf8.count >= Self.leastLength {
        state.takenCount += 1
        if let index = state.existing.firstIndex(where: { $0.value.utf8.elementsEqual(value.utf8) }) {
          state.existing[index].taken = state.takenCount
          continue
        }
        if state.existing.count >= Self.limit,
          let oldest = state.existing.indices.min(by: { state.existing[$0].taken < state.existing[$1].taken })
        {
          state.existing.remove(at: oldest)
        }
        let place = state.existing.firstIndex { $0.value.utf8.count <= value.utf8.count } ?? state.existing.count
        state.existing.insert(KnownSecret(value: value, taken: state.takenCount), at: place)
      }
    }
  }

  /// Adds the credentials of a URL (RFC 3986): its password (section 3.2.1) and the values of secret query parameters
  /// (section 3.4), both encoded and decoded.
  package func add(url: String) {
    let bytes = Array(url.utf8)
    let end = bytes.firstIndex(of: UInt8(ascii: "#")) ?? bytes.count
    let question = bytes[..<end].firstIndex(of: UInt8(ascii: "?")) ?? end
    let start = zip(bytes, bytes.dropFirst()).enumerated().first { $1 == (0x2F, 0x2F) }.map { $0.offset + 2 } ?? 0
    let authority = bytes[start..<max(start, question)].prefix { $0 != UInt8(ascii: "/") }
    if let at = authority.lastIndex(of: UInt8(ascii: "@")),
      let colon = authority[..<at].firstIndex(of: UInt8(ascii: ":"))
    {
      add(encoded: authority[(colon + 1)..<at])
    }
    for field in bytes[question..<end].dropFirst().split(separator: UInt8(ascii: "&")) {
      let name = field.prefix { $0 != UInt8(ascii: "=") }
      if SecretNames.contains(Self.decoded(name), in: .parameter) { add(encoded: field.dropFirst(name.count + 1)) }
    }
  }

  private func add(encoded bytes: ArraySlice<UInt8>) {
    insert([String(decoding: bytes, as: UTF8.self), Self.decoded(bytes)])
  }

  /// Decodes percent-encoded bytes (RFC 3986, section 2.1).
  private static func decoded(_ bytes: ArraySlice<UInt8>) -> String {
    var decoded: [UInt8] = []
    var rest = bytes
    while let byte = rest.popFirst() {
      let digits = String(decoding: rest.prefix(2), as: UTF8.self)
      if byte == UInt8(ascii: "%"), digits.utf8.count == 2, let value = UInt8(digits, radix: 16) {
        decoded.append(value)
        rest = rest.dropFirst(2)
      } else {
        decoded.append(byte)
      }
    }
    return String(decoding: decoded, as: UTF8.self)
  }

  /// Adds the value of a header if its name is secret or the value was resolved.
  package func add(header name: String, _ value: String, isLive: Bool) {
    if isLive || SecretNames.contains(name, in: .header) { add(value) }
  }

  package func contains(_ value: String) -> Bool { state.withLock { $0.existing.contains { $0.value == value } } }

  /// Returns the text with all values replaced, also if they are written with escapes.
  package func hidden(in text: String, mark: String) -> String {
    let existing = state.withLock { $0.existing }
    let shown = existing.reduce(text) { Self.replacing($1.value, in: $0, with: mark) }
    return UnescapedText.hiding(in: shown, mark: mark) { bytes in
      bytes.withUnsafeBufferPointer { bytes in existing.flatMap { Self.ranges(of: $0.value, in: bytes) } }
    }
  }

  private static func ranges(of value: String, in bytes: UnsafeBufferPointer<UInt8>) -> [Range<Int>] {
    var value = value
    return value.withUTF8 { value in
      var ranges: [Range<Int>] = []
      var start = 0
      while let found = position(of: value, in: bytes, from: start) {
        start = found + value.count
        ranges.append(found..<start)
      }
      return ranges
    }
  }

  /// Replaces bytes, because a value followed by a combining mark differs as a sequence of `Character`.
  private static func replacing(_ value: String, in text: String, with mark: String) -> String {
    var (value, text) = (value, text)
    let replaced: [UInt8]? = value.withUTF8 { value in
      text.withUTF8 { text in
        guard var found = position(of: value, in: text, from: 0) else { return nil }
        var bytes: [UInt8] = []
        var start = 0
        while true {
          bytes += text[start..<found]
          bytes += mark.utf8
          start = found + value.count
          guard let next = position(of: value, in: text, from: start) else { break }
          found = next
        }
        return bytes + text[start...]
      }
    }
    return replaced.map { String(decoding: $0, as: UTF8.self) } ?? text
  }

  private static func position(
    of value: UnsafeBufferPointer<UInt8>, in text: UnsafeBufferPointer<UInt8>, from start: Int
  ) -> Int? {
    guard let sought = value.baseAddress, let begin = text.baseAddress, text.count - start >= value.count else {
      return nil
    }
    var place = start
    let last = text.count - value.count
    while place <= last, let found = memchr(begin + place, Int32(value[0]), last - place + 1) {
      place = found - UnsafeMutableRawPointer(mutating: begin)
      if memcmp(found, sought, value.count) == 0 { return place }
      place += 1
    }
    return nil
  }
}
