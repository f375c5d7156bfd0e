import ApusAlgorithms
import ApusDigest
import Testing

@Suite struct QRCodeTests {
  private static func rows(_ code: QRCode) -> String {
    code.modules.map { row in String(row.map { $0 ? "#" : "." }) }.joined(separator: "\n")
  }

  // Made by the package `qrcode` 8 from PyPI, with the same mask.
  private static let small = """
    #######.#.###.#######
    #.....#...##..#.....#
    #.###.#.##.#..#.###.#
    #.###.#.##..#.#.###.#
    #.###.#.#..#..#.###.#
    #.....#..####.#.....#
    #######.#.#.#.#######
    ...........##........
    ####..#.######..###.#
    ##.#...##############
    ..#...#.##.#.#...#.##
    #.####.#..##...#.#.#.
    ##....##.#..#.#.##..#
    ........####..#.#....
    #######...###...#....
    #.....#..#.....######
    #.###.#.....#...#.#..
    #.###.#.##....##...#.
    #.###.#.##..#.##..#..
    #.....#.#########...#
    #######.##...##.###..
    """

  @Test func `a code has the modules of another implementation`() throws {
    #expect(Self.rows(try #require(QRCode("https://a.b", mask: 3))) == Self.small)
  }

  /// The length of a text, the mask, the size of its code, and the start of the digest of the other implementation's code.
  private static let codes: [(length: Int, mask: Int, size: Int, digest: String)] = [
    (1, 0, 21, "1a04e7990fcce1a4"),
    (17, 1, 21, "560082328c8a4350"),
    (18, 2, 25, "72cd0ff33aa77fac"),
    (53, 3, 29, "b47efa57661999fa"),
    (100, 4, 37, "a4178a2e79ce1ef3"),
    (134, 5, 41, "c047548fd6576eb2"),
    (150, 6, 45, "13a34699fc875626"),
    (192, 7, 49, "fdb8181d26b2dcb2"),
    (230, 0, 53, "b4706e9ec13e60c9"),
    (271, 1, 57, "a8475a6242bb206e"),
  ]

  @Test func `codes of every size agree with another implementation`() throws {
    let text = String(repeating: "https://login.example/device?user_code=", count: 9)
    for (length, mask, size, digest) in Self.codes {
      let code = try #require(QRCode(String(text.prefix(length)), mask: mask))
      #expect(code.size == size, "\(length)")
      #expect(SHA256Digest.hexadecimal(of: Self.rows(code)).hasPrefix(digest), "\(length)")
    }
  }

  @Test func `a text that does not fit has no code`() {
    #expect(QRCode(String(repeating: "a", count: 271)) != nil)
    #expect(QRCode(String(repeating: "a", count: 272)) == nil)
  }

  @Test func `the lines have a margin and two rows each`() throws {
    let lines = try #require(QRCode("https://a.b")).lines
    #expect(lines.count == 13 && lines.allSatisfy { $0.count == 25 })
    #expect(lines[0] == String(repeating: "█", count: 25))
  }
}
