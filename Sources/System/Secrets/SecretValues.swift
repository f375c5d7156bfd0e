import ApusPlatform
import Synchronization

/// The values that headers and profiles resolved to: they are secrets wherever they turn up again.
///
/// One is made where a program begins, and handed to all that resolve and to all that write.
package final class SecretValues: Sendable {
  private let values = Mutex<[String]>([])
  /// Shorter ones would be found in the midst of what is no secret.
  private static let leastLength = 6
  private static let limit = 1000

  package init() {}

  /// Takes a value that a `SecretText` resolved to, or that stands in a header whose name tells: each word of it but the
  /// name of a scheme (`Bearer`).
  package func add(_ value: String) {
    let words = value.split { $0.isWhitespace || $0 == ";" || $0 == "," }
      .filter { !SecretNames.schemes.contains($0.lowercased()) }.map(String.init)
    var found = words
    // `sid=…` in a cookie: the value is the secret.
    found += words.compactMap { word in word.firstIndex(of: "=").map { String(word[word.index(after: $0)...]) } }
    if words.count > 1 { found.append(value) }
    found = found.filter { $0.utf8.count >= Self.leastLength }
    values.withLock { values in
      for value in found where !values.contains(value) { values.append(value) }
      if values.count > Self.limit { values.removeFirst(values.count - Self.limit) }
      // A value that holds another one goes first.
      values.sort { $0.utf8.count > $1.utf8.count }
    }
  }

  /// Takes what a header is sent with.
  package func add(header name: String, _ value: String, isLive: Bool) {
    if isLive || SecretNames.contains(name) { add(value) }
  }

  package func contains(_ value: String) -> Bool { values.withLock { $0.contains(value) } }

  /// The text with each of them replaced.
  package func hidden(in text: String, mark: String) -> String {
    let values = values.withLock { $0 }
    return values.reduce(text) { Self.contains($1, in: $0) ? $0.replacing($1, with: mark) : $0 }
  }

  private static func contains(_ value: String, in text: String) -> Bool {
    var (value, text) = (value, text)
    return value.withUTF8 { value in
      text.withUTF8 { text in
        guard let sought = value.baseAddress, var place = text.baseAddress, text.count >= value.count else {
          return false
        }
        let last = place + (text.count - value.count)
        while place <= last, let found = memchr(place, Int32(value[0]), last - place + 1) {
          if memcmp(found, sought, value.count) == 0 { return true }
          place += found - UnsafeMutableRawPointer(mutating: place) + 1
        }
        return false
      }
    }
  }
}
