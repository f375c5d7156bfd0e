import ApusASCII
import ApusPlatform

/// Searches for a value in text by bytes, because a value followed by a combining mark differs as a sequence of
/// `Character`.
enum ByteSearch {
  /// - Parameter wholeWords: Whether only a value without adjacent letters and digits counts.
  static func ranges(
    of value: String, in bytes: UnsafeBufferPointer<UInt8>, wholeWords: Bool = false
  ) -> [Range<Int>] {
    var value = value
    return value.withUTF8 { value in
      var ranges: [Range<Int>] = []
      var start = 0
      while let found = position(of: value, in: bytes, from: start) {
        let range = found..<(found + value.count)
        if wholeWords && !isWord(range, in: bytes) {
          start = found + 1
        } else {
          start = range.upperBound
          ranges.append(range)
        }
      }
      return ranges
    }
  }

  private static let ellipsis = Array("\u{2026}".utf8)
  /// The maximum length of an escape that was cut by an ellipsis.
  private static let longestEscape = 12

  /// Returns the ranges of a value's beginnings before an ellipsis, which shortens a text anywhere.
  ///
  /// - Parameter least: The minimum length of a beginning.
  static func rangesOfBeginnings(
    of value: String, in bytes: UnsafeBufferPointer<UInt8>, least: Int
  ) -> [Range<Int>] {
    let value = Array(value.utf8)
    return ends(of: bytes).compactMap { ellipsis in
      // An incomplete escape may follow the beginning; of a number, it means a control character.
      let ends = (max(0, ellipsis - longestEscape)..<ellipsis).filter {
        UnescapedText.isOpening(bytes[$0]) || bytes[$0] < 0x20
      }
      for end in [ellipsis] + ends where end >= least && value.count > least {
        for count in stride(from: min(value.count - 1, end), through: least, by: -1)
        where bytes[(end - count)..<end].elementsEqual(value[..<count]) {
          return (end - count)..<ellipsis
        }
      }
      return nil
    }
  }

  /// Returns the positions of ellipses.
  private static func ends(of bytes: UnsafeBufferPointer<UInt8>) -> [Int] {
    bytes.indices.filter { index in
      bytes[index] == ellipsis[0] && index + 2 < bytes.count && bytes[index + 1] == ellipsis[1]
        && bytes[index + 2] == ellipsis[2]
    }
  }

  static func replacing(_ value: String, in text: String, with mark: String, wholeWords: Bool = false) -> String {
    var text = text
    let replaced: [UInt8]? = text.withUTF8 { text in
      let ranges = ranges(of: value, in: text, wholeWords: wholeWords)
      guard !ranges.isEmpty else { return nil }
      var bytes: [UInt8] = []
      var copied = 0
      for range in ranges {
        bytes += text[copied..<range.lowerBound]
        bytes += mark.utf8
        copied = range.upperBound
      }
      return bytes + text[copied...]
    }
    return replaced.map { String(decoding: $0, as: UTF8.self) } ?? text
  }

  private static func isWord(_ range: Range<Int>, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    func isPart(_ index: Int) -> Bool {
      bytes.indices.contains(index) && (bytes[index].isNameByte || bytes[index] >= 0x80)
    }
    return !isPart(range.lowerBound - 1) && !isPart(range.upperBound)
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
