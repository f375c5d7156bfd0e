import Testing

@testable import ApusConfiguration

private let names = (0..<24).map { "base" + ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }

private func slots(_ count: Int, indent: String = "", first: String = "101010") -> String {
  names.prefix(count).enumerated().map { index, name in
    "\(indent)\(name): \"\(index == 0 ? first : "#A0B0" + (index < 10 ? "0" : "") + "\(index)")\"\n"
  }.joined()
}

private func failure(_ text: String) -> String {
  do {
    return "no error: \(try ThemeScheme(parsing: Array(text.utf8), file: "themes/sea.yaml"))"
  } catch {
    return "\(error)"
  }
}

@Suite struct ThemeSchemeTests {
  @Test func `the older base16 format is read`() throws {
    let text = "scheme: \"Sea\"\nauthor: \"Me (me@example.org)\"\n" + slots(16)
    let scheme = try ThemeScheme(parsing: Array(text.utf8), file: "themes/sea.yaml")
    #expect(scheme.name == "Sea")
    #expect(scheme.author == "Me (me@example.org)")
    #expect(scheme.variant == .dark)
    #expect(scheme.palette.count == 16)
    #expect(scheme.palette[0].hex == 0x101010)
    #expect(scheme.palette[15].hex == 0xA0B015)
  }

  @Test func `the newer format with 24 colors is read`() throws {
    let text = "system: base24\nname: Sea\nauthor: Me\nvariant: light\npalette:\n" + slots(24, indent: "  ")
    let scheme = try ThemeScheme(parsing: Array(text.utf8), file: "themes/sea.yaml")
    #expect(scheme.variant == .light)
    #expect(scheme.palette.count == 24)
    #expect(scheme.palette[0x17].hex == 0xA0B023)
  }

  @Test func `the variant defaults to that of the background, and the name to the file name`()
    throws
  {
    let scheme = try ThemeScheme(parsing: Array(slots(16, first: "fafafa").utf8), file: "themes/sea.yaml")
    #expect(scheme.variant == .light)
    #expect(scheme.name == "sea")
  }

  @Test func `colors that consist of digits are read as text`() throws {
    let text = slots(16).replacing("\"#A0B005\"", with: "000001").replacing("\"#A0B006\"", with: "1e1e20")
    let scheme = try ThemeScheme(parsing: Array(text.utf8), file: "f")
    #expect(scheme.palette[5].hex == 1)
    #expect(scheme.palette[6].hex == 0x1E1E20)
  }

  @Test func `errors are reported with their location`() {
    #expect(
      failure("scheme: x\nbase00: #101010\n" + slots(16).split(separator: "\n").dropFirst().joined(separator: "\n"))
        == "themes/sea.yaml:2:1: base00 is empty; put the color in quotes, because an unquoted # starts a comment")
    #expect(failure("palette:\n  base00: \"101010\"\n") == "themes/sea.yaml:2:3: the theme has no base01")
    #expect(
      failure("base00: \"10101\"\n")
        == "themes/sea.yaml:1:9: base00 must be a color such as \"#1a2b3c\", not '10101'")
    #expect(failure(slots(16) + "variant: pink\n") == "themes/sea.yaml:17:10: variant must be dark or light")
    #expect(failure("") == "themes/sea.yaml:1:1: a theme must be a mapping, not nothing")
    #expect(failure(slots(17) + "\n") == "themes/sea.yaml:1:1: the theme has no base11")
  }
}
