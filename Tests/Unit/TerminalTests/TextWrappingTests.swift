import ApusExplorerTerminal
import Testing

struct TextWrappingTests {
  @Test func `a long word is split by cells`() {
    #expect(TextWrapping.lines(of: "ab cdefgh ij", width: 4) == ["ab", "cdef", "gh", "ij"])
    #expect(TextWrapping.lines(of: "ab cd", width: 5) == ["ab cd"])
    #expect(TextWrapping.lines(of: "ab cdefg h", width: 4) == ["ab", "cdef", "g h"])
    #expect(TextWrapping.lines(of: "山川海", width: 4) == ["山川", "海"])
    #expect(TextWrapping.lines(of: "山川", width: 1) == ["山", "川"])
    #expect(TextWrapping.lines(of: "  ab cd", width: 4) == ["  ab", "  cd"])
    #expect(TextWrapping.lines(of: "ab cd ef", width: 5, limit: 2) == ["ab cd", "ef"])
    #expect(TextWrapping.lines(of: "ab cd ef gh", width: 5, limit: 1) == ["ab c…"])
    #expect(TextWrapping.lines(of: "a b", width: 1, limit: 0).isEmpty)
    // 256 KB without whitespace are 2,622 lines of 100.
    let lines = TextWrapping.lines(of: String(repeating: "a", count: 1 << 18), width: 100)
    #expect(lines.count == 2622 && lines.joined().utf8.count == 1 << 18)
  }
}
