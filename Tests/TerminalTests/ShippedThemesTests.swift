import ExplorerTerminal
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The schemes in `Themes`, read without the configuration module: a line a slot is their whole grammar.
private func shippedPalettes() throws -> [(file: String, variant: String, palette: ThemePalette)] {
  let folder = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined() + "/Themes"
  return try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".yaml") }.sorted().map {
    file in
    let text = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
    func value(_ key: String) -> String? {
      text.split(separator: "\n").first { $0.drop { $0 == " " }.hasPrefix("\(key): \"") }?
        .split(separator: "\"").dropFirst().first.map { String($0) }
    }
    let slots = (0..<24).compactMap { slot in
      value("base" + (slot < 16 ? "0" : "") + String(slot, radix: 16, uppercase: true)).flatMap { RGB(text: $0) }
    }
    let palette = try #require(ThemePalette(name: value("name") ?? "", colors: slots), "\(file)")
    try #require(value("author") != nil && text.hasPrefix("# Source: https://"), "\(file) names where it is from")
    return (file, try #require(value("variant")), palette)
  }
}

@Suite struct ShippedThemesTests {
  @Test func darkAndLightOnesAreThere() throws {
    let variants = try shippedPalettes().map(\.variant)
    #expect(variants.count >= 4)
    #expect(variants.contains("dark") && variants.contains("light"))
  }

  @Test func theirVariantsAreTheOnesTheyName() throws {
    for (file, variant, palette) in try shippedPalettes() {
      let theme = Theme(palette: palette, capabilities: TerminalCapabilities(colors: .direct))
      #expect((theme.variant == .dark ? "dark" : "light") == variant, "\(file)")
    }
  }

  @Test(arguments: [ColorDepth.direct, .indexed256])
  func everyRoleCanBeReadInEachOfThem(colors: ColorDepth) throws {
    func rgb(_ color: Color) -> RGB? {
      switch color.kind {
      case .rgb(let red, let green, let blue): RGB(red, green, blue)
      case .indexed(let index): RGB(paletteIndex: index)
      case .default: nil
      }
    }
    let decoration: Set<ThemeRole> = [
      .border, .lineNumber, .scrollTrack, .scrollThumb, .progressLeft, .disabled, .footerDisabled,
    ]
    for (file, _, palette) in try shippedPalettes() {
      let theme = Theme(palette: palette, capabilities: TerminalCapabilities(colors: colors))
      for role in ThemeRole.allCases where !decoration.contains(role) {
        guard let foreground = rgb(theme[role].foreground), let background = rgb(theme[role].background) else {
          continue
        }
        #expect(foreground.contrast(with: background) >= 2.9, "\(file) \(role)")
      }
    }
  }
}
