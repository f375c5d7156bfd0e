import ApusGraphQLLanguage
import Foundation

/// Parses broken versions of real documents. The parser must return a complete tree for each.
@main
enum Survival {
  static func main() throws {
    let words = Array(CommandLine.arguments.dropFirst())
    guard let folder = words.first else { return print("usage: Survival FOLDER [EDITS [SEED]]") }
    let edits = words.count > 1 ? Int(words[1]) ?? 1_000_000 : 1_000_000
    var random = Generator(state: words.count > 2 ? UInt64(words[2]) ?? 1 : UInt64.random(in: 1...UInt64.max))
    print("seed \(random.state)")
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.hasSuffix(".graphql") }.sorted()
    let files = try names.map { try [UInt8](Data(contentsOf: URL(fileURLWithPath: "\(folder)/\($0)"))) }

    var prefixes = 0
    for bytes in files {
      let step = bytes.count <= 65536 ? 1 : bytes.count / 64
      for count in stride(from: 0, through: bytes.count, by: step) {
        parse(Array(bytes.prefix(count)))
        prefixes += 1
      }
    }
    print("\(prefixes) prefixes of \(files.count) files")

    // Edits affect at most 2 KB each, so that a million of them finish quickly.
    for _ in 0..<edits {
      let file = files[Int.random(in: files.indices, using: &random)]
      let start = Int.random(in: 0...max(0, file.count - 1), using: &random)
      var text = Array(file[start..<min(file.count, start + Int.random(in: 1...2048, using: &random))])
      for _ in 0..<Int.random(in: 1...4, using: &random) { edit(&text, &random) }
      parse(text)
    }
    print("\(edits) edits")
  }

  private static let pieces = [
    "{", "}", "(", ")", "[", "]", ":", "$", "@", "\"", "\"\"\"", "#", "...", "on", "\u{e9}", "\\u{", "-", "1e", "&",
    "|", "=", "!",
  ]

  private static func edit(_ text: inout [UInt8], _ random: inout Generator) {
    let place = Int.random(in: 0...text.count, using: &random)
    switch Int.random(in: 0..<4, using: &random) {
    case 0: text.removeSubrange(place..<min(text.count, place + Int.random(in: 1...8, using: &random)))
    case 1: text.insert(UInt8.random(in: 0...255, using: &random), at: place)
    case 2: text.insert(contentsOf: Array((pieces.randomElement(using: &random) ?? "{").utf8), at: place)
    default:
      let end = min(text.count, place + Int.random(in: 1...32, using: &random))
      text.insert(contentsOf: Array(text[place..<end]), at: place)
    }
  }

  private static func parse(_ bytes: [UInt8]) {
    let document = Document(parsing: bytes)
    precondition(document.nodes[0].next == NodeID(document.nodes.count), "\(document.text)")
  }
}

/// A SplitMix64 generator, which returns the same numbers for a seed on every platform.
struct Generator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
