import ApusSecrets

/// A color scheme from a base16 or base24 file.
///
/// Two layouts are supported: the older one with `scheme`, `author` and the slots at the top level, and the newer one
/// with `name`, `variant` and a `palette`. Source: the Tinted Theming builder and styling guides, 0.11.
///
///     system: base16
///     name: Nord
///     variant: dark
///     palette:
///       base00: "#2e3440"
package struct ThemeScheme: Equatable, Sendable {
  package enum Variant: String, Equatable, Sendable {
    case dark, light
  }

  package struct Color: Hashable, Sendable {
    package let red: UInt8
    package let green: UInt8
    package let blue: UInt8

    /// The color as `0xRRGGBB`.
    package var hex: UInt32 { UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue) }

    package init(hex: UInt32) {
      red = UInt8(truncatingIfNeeded: hex >> 16)
      green = UInt8(truncatingIfNeeded: hex >> 8)
      blue = UInt8(truncatingIfNeeded: hex)
    }
  }

  package let name: String
  package let author: String
  package let variant: Variant
  /// 16 or 24 colors: `base00` to `base0F`, then `base10` to `base17`.
  package let palette: [Color]

  package init(parsing bytes: [UInt8], file: String) throws(ConfigurationError) {
    let root = try YAMLParser.parse(bytes, file: file)
    _ = try root.members("a theme")
    let slots = root["palette"] ?? root
    _ = try slots.members("palette")
    let slotNames = Set(try slots.members("palette").map { $0.key.lowercased() })
    let hasBrightSlots = (0x10..<0x18).contains { slotNames.contains(Self.slotName($0)) }
    var palette: [Color] = []
    for slot in 0..<(hasBrightSlots ? 24 : 16) { palette.append(try Self.color(Self.slotName(slot), in: slots)) }
    self.palette = palette
    let fileName = file.split(separator: "/").last.map(String.init) ?? file
    let plainName = fileName.lastIndex(of: ".").map { String(fileName[..<$0]) } ?? fileName
    name = try (root["name"] ?? root["scheme"])?.string("name") ?? plainName
    author = try root["author"]?.string("author") ?? ""
    if let node = root["variant"] {
      guard let variant = Variant(rawValue: try node.string("variant").lowercased()) else {
        throw node.error("variant must be dark or light")
      }
      self.variant = variant
    } else {
      variant = palette[0].brightness < palette[5].brightness ? .dark : .light
    }
  }

  package static func load(_ path: String) throws(ConfigurationError) -> ThemeScheme {
    guard let bytes = try UserFile.read(path) else { throw ConfigurationError(file: path, "there is no such file") }
    return try ThemeScheme(parsing: bytes, file: path)
  }

  private static func slotName(_ slot: Int) -> String {
    "base\(slot < 16 ? "0" : "")" + String(slot, radix: 16, uppercase: true)
  }

  private static func member(_ name: String, of node: YAMLNode) throws(ConfigurationError) -> YAMLNode.Member? {
    try node.members("palette").first { $0.key.lowercased() == name.lowercased() }
  }

  private static func color(_ name: String, in slots: YAMLNode) throws(ConfigurationError) -> Color {
    guard let member = try member(name, of: slots) else { throw slots.error("the theme has no \(name)") }
    if member.value.isNull {
      throw ConfigurationError(
        file: slots.file, at: member.keyPosition,
        "\(name) is empty; put the color in quotes, because an unquoted # starts a comment")
    }
    let text = try member.value.string(name)
    let digits = text.hasPrefix("#") ? text.dropFirst() : text[...]
    guard digits.utf8.count == 6, digits.allSatisfy(\.isHexDigit), let hex = UInt32(digits, radix: 16) else {
      throw member.value.error("\(name) must be a color such as \"#1a2b3c\", not '\(printable(text))'")
    }
    return Color(hex: hex)
  }
}

extension ThemeScheme.Color {
  /// The approximate perceived brightness, from 0 to 255,000.
  fileprivate var brightness: Int { 299 * Int(red) + 587 * Int(green) + 114 * Int(blue) }
}
