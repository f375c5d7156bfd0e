import ApusConfiguration
import Testing

@Suite struct ShippedThemesTests {
  @Test func `every shipped theme loads and names its author`() throws {
    let folder = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/") + "/Themes"
    let files = UserFile.names(in: folder, endings: [".yml", ".yaml"])
    #expect(files.count >= 3)
    let schemes = try files.map { try ThemeScheme.load("\(folder)/\($0)") }
    #expect(schemes.allSatisfy { !$0.author.isEmpty })
    #expect(Set(schemes.map(\.variant)) == [.dark, .light])
  }
}
