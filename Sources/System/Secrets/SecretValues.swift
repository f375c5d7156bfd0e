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
    // By scalars: with a combining mark behind it, a blank, a `;` or a `=` is part of another character.
    let words = value.unicodeScalars.split { $0.properties.isWhitespace || $0 == ";" || $0 == "," }.map(String.init)
      .filter { !SecretNames.schemes.contains($0.lowercased()) }
    var found = words
    // `sid=…` in a cookie: the value is the secret.
    found += words.compactMap { word in
      let scalars = word.unicodeScalars
      return scalars.firstIndex(of: "=").map { String(scalars[$0...].dropFirst()) }
    }
    if words.count > 1 { found.append(value) }
    found = found.filter { $0.utf8.count >= Self.leastLength }
    values.withLock { values in
      for value in found where !values.contains(where: { $0.utf8.elementsEqual(value.utf8) }) { values.append(value) }
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
    values.withLock { $0 }.reduce(text) { Self.replacing($1, in: $0, with: mark) }
  }

  /// Byte by byte: to Swift's characters a value is another one where a combining mark follows it.
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
