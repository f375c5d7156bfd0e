/// Parses the terminal's response to a query of a color.
enum ColorReport {
  /// Parses `11;rgb:RRRR/GGGG/BBBB`, with one to four digits per component: `11;rgb:0000/0000/8080` is dark blue.
  static func background(_ bytes: ArraySlice<UInt8>) -> Color? {
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.hasPrefix("11;rgb:") || text.hasPrefix("11;rgba:") else { return nil }
    let parts = text.drop { $0 != ":" }.dropFirst().split(separator: "/").prefix(3)
    let values = parts.compactMap { part -> UInt8? in
      guard (1...4).contains(part.utf8.count), let value = UInt32(part, radix: 16) else { return nil }
      let largest = (UInt32(1) << (4 * UInt32(part.utf8.count))) - 1
      return UInt8(value * 255 / largest)
    }
    guard values.count == 3 else { return nil }
    return .rgb(values[0], values[1], values[2])
  }
}
