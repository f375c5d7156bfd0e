import ApusExplorerCore
import ApusExplorerScreen
import ApusExplorerTerminal
import FoundationEssentials
import Testing

/// Whole screens with their colours, at three sizes, in the dark and the light theme that need no file. Each is a file in
/// `Golden`: a row of text, beneath it a letter for the look of each cell, and at the end what the letters mean.
///
/// Run with APUS_WRITE_DOCS=1 to write them anew, and look at what changed.
@Suite struct GoldenScreenTests {
  private static let folder =
    #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/") + "/Golden"

  private static let sizes = [Size(width: 80, height: 24), Size(width: 120, height: 40), Size(width: 60, height: 16)]

  @Test(arguments: sizes, [Theme.Variant.dark, .light])
  func aScreenLooksAsItDid(size: Size, variant: Theme.Variant) throws {
    var state = BirdStation.state(
      after: BirdStation.running + [
        .resultReceived(1, BirdStation.second), .resultReceived(1, BirdStation.third), .runCompleted(1),
      ])
    let theme = Theme.builtIn(variant, capabilities: TerminalCapabilities(colors: .direct))
    let frame = ExplorerScreen.render(&state, theme: theme, size: size).frame
    let drawn = describe(frame)
    let path = "\(Self.folder)/\(variant)-\(size.width)x\(size.height).txt"
    if ProcessInfo.processInfo.environment["APUS_WRITE_DOCS"] != nil {
      try FileManager.default.createDirectory(atPath: Self.folder, withIntermediateDirectories: true)
      try Data(drawn.utf8).write(to: URL(filePath: path))
    }
    let bytes = try #require(FileManager.default.contents(atPath: path), "\(path) is not there")
    let wanted = String(decoding: bytes, as: UTF8.self)
    guard drawn != wanted else { return }
    let different = zip(drawn.split(separator: "\n"), wanted.split(separator: "\n")).filter { $0.0 != $0.1 }
    let report = different.prefix(6).map { "is     \($0.0)\nwanted \($0.1)" }.joined(separator: "\n")
    Issue.record("\(path):\n\(report)")
  }

  private func describe(_ frame: Frame) -> String {
    let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
    var looks: [Style] = []
    var lines: [String] = []
    for row in 0..<frame.size.height {
      let cells = (0..<frame.size.width).map { frame.cell(at: Point(column: $0, row: row)) }
      lines.append("|" + cells.map(\.text).joined() + "|")
      let marks: [Character] = cells.map { cell in
        if !looks.contains(cell.style) { looks.append(cell.style) }
        return letters[(looks.firstIndex(of: cell.style) ?? 0) % letters.count]
      }
      lines.append(" \(String(marks))")
    }
    let legend = looks.enumerated().map { index, style in
      "\(letters[index % letters.count]) \(name(style.foreground)) on \(name(style.background))\(name(style.attributes))"
    }
    return (lines + legend).joined(separator: "\n") + "\n"
  }

  private func name(_ color: Color) -> String {
    switch color.kind {
    case .default: "default"
    case .indexed(let index): "\(index)"
    case .rgb(let red, let green, let blue):
      "#\([red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())"
    }
  }

  private func name(_ attributes: TextAttributes) -> String {
    let names: [(TextAttributes, String)] = [
      (.bold, "bold"), (.dim, "dim"), (.italic, "italic"), (.underline, "underlined"), (.wavyUnderline, "waves"),
      (.reverse, "reversed"), (.strikethrough, "struck"),
    ]
    return names.filter { attributes.contains($0.0) }.map { ", \($0.1)" }.joined()
  }
}
