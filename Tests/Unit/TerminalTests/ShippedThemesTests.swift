import ApusConfiguration
import ApusExplorerTerminal
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The schemes in `Themes`.
private func shippedSchemes() throws -> [(file: String, scheme: ThemeScheme)] {
  let folder = #filePath.split(separator: "/").dropLast(4).map { "/" + $0 }.joined() + "/Themes"
  return try FileManager.default.contentsOfDirectory(atPath: folder).sorted().filter { $0.hasSuffix(".yaml") }.map {
    ($0, try ThemeScheme.load("\(folder)/\($0)"))
  }
}

@Suite struct ShippedThemesTests {
  @Test func `there are dark and light themes`() throws {
    let schemes = try shippedSchemes().map(\.scheme)
    #expect(schemes.count >= 4)
    #expect(Set(schemes.map(\.variant)) == [.dark, .light])
    #expect(schemes.allSatisfy { !$0.author.isEmpty })
  }

  @Test func `the variant of each theme matches its background`() throws {
    for (file, scheme) in try shippedSchemes() {
      let seen = Theme(palette: ThemePalette(scheme), capabilities: TerminalCapabilities(colors: .direct))
      #expect((seen.variant == .dark) == (scheme.variant == .dark), "\(file)")
    }
  }

  @Test(arguments: [ColorDepth.direct, .indexed256])
  func `every role is readable in each theme`(colors: ColorDepth) throws {
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
    for (file, scheme) in try shippedSchemes() {
      let theme = Theme(scheme: scheme, capabilities: TerminalCapabilities(colors: colors))
      for role in ThemeRole.allCases where !decoration.contains(role) {
        guard let foreground = rgb(theme[role].foreground), let background = rgb(theme[role].background) else {
          continue
        }
        #expect(foreground.contrast(with: background) >= 2.9, "\(file) \(role)")
      }
    }
  }
}
