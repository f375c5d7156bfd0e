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

  @Test func `the mask is the first of those with the fewest equal neighbors`() throws {
    for length in 1...60 {
      let text = String(repeating: "https://a.b/", count: 5).prefix(length)
      let codes = try (0...7).map { try #require(QRCode(String(text), mask: $0)) }
      let uniformities = codes.map { code in
        let columns = code.modules.indices.map { column in code.modules.map { $0[column] } }
        return (code.modules + columns).reduce(0) { $0 + zip($1, $1.dropFirst()).count { $0 == $1 } }
      }
      let best = try #require(uniformities.indices.min { uniformities[$0] < uniformities[$1] })
      #expect(QRCode(String(text)) == codes[best], "\(text)")
    }
  }

  /// A character for each pair of modules, filled where they are light. Below the last row, which has no pair, it is not.
  @Test(arguments: [1, 18, 100, 271])
  func `the lines have a margin and two rows each`(length: Int) throws {
    let code = try #require(QRCode(String(repeating: "a", count: length)))
    let light = code.modules.map { [true, true] + $0.map { !$0 } + [true, true] }
    let margin = Array(repeating: Array(repeating: true, count: code.size + 4), count: 2)
    let rows = margin + light + margin + [Array(repeating: false, count: code.size + 4)]
    let pairs = stride(from: 0, to: code.size + 4, by: 2).map { row in
      String(zip(rows[row], rows[row + 1]).map { $0 ? $1 ? "█" : "▀" : $1 ? "▄" : " " as Character })
    }
    #expect(code.lines == pairs)
  }
}
