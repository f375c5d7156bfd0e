import FuzzHarness

@testable import ApusExplorerTerminal

/// For any text in frames, the terminal shows the last frame, and receives no control characters except in the writer's
/// sequences.
@main enum ScreenTarget: FuzzTarget {
  private static let styles: [Style] = [
    .plain, Style(foreground: .rgb(0, 200, 0), background: .rgb(10, 10, 10)), Style(foreground: .indexed(1)),
    Style(foreground: .indexed(200), background: .indexed(4), attributes: [.bold]), Style(attributes: [.reverse]),
    Style(background: .rgb(1, 2, 3), attributes: [.underline]),
  ]

  static func check(_ bytes: [UInt8]) {
    var instructions = Instructions(bytes)
    let size = Size(width: 1 + instructions.number(below: 32), height: 1 + instructions.number(below: 6))
    var writer = FrameWriter(dialect: TerminalDialect())
    var screen = ScreenEmulator(size: size)
    var frame = Frame(size: size)
    while !instructions.isEmpty {
      let step = instructions.number(below: 8)
      switch step {
      case 0...3:
        let point = Point(
          column: instructions.number(below: size.width + 4) - 2, row: instructions.number(below: size.height))
        let style = styles[instructions.number(below: styles.count)]
        let text = String(decoding: instructions.bytes(instructions.number(below: 40)), as: UTF8.self)
        let clip = step == 3 ? Rect(column: 2, row: 0, width: size.width / 2, height: size.height) : nil
        frame.put(text, at: point, style: style, clippedTo: clip)
      case 4:
        let rect = Rect(
          column: instructions.number(below: size.width), row: instructions.number(below: size.height),
          width: instructions.number(below: size.width + 2), height: instructions.number(below: 3))
        frame.fill(rect, style: styles[instructions.number(below: styles.count)])
      case 5:
        let start = instructions.number(below: size.width)
        let target = String(decoding: instructions.bytes(instructions.number(below: 24)), as: UTF8.self)
        frame.link(
          FrameLink(
            row: instructions.number(below: size.height), columns: start..<min(size.width, start + 4), target: target))
      case 6: show(frame, &writer, &screen)
      default: frame = Frame(size: size, style: styles[instructions.number(below: styles.count)])
      }
    }
    show(frame, &writer, &screen)
  }

  private static func show(_ frame: Frame, _ writer: inout FrameWriter, _ screen: inout ScreenEmulator) {
    let bytes = writer.bytes(for: frame, cursor: nil)
    let text = String(decoding: bytes, as: UTF8.self)
    expect(!text.unicodeScalars.contains { (0x7F...0x9F).contains($0.value) }, "a control character: \(bytes)")
    screen.feed(bytes)
    expect(screen.complaints.isEmpty, "the terminal receives unsupported sequences: \(screen.complaints)")
    expect(screen.lines == frame.lines, "the terminal shows \(screen.lines), not \(frame.lines)")
  }
}
