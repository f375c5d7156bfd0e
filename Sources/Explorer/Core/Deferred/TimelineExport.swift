import ApusFormatting
import ApusJSON

/// Exporting a timeline as plain text or as an SVG image. A row of the text is a name, a bar and the times:
/// `nest |  ====| …`.
extension Timeline {
  package enum Format: String, CaseIterable, Equatable, Sendable {
    case text = "txt"
    case svg

    package var title: String {
      switch self {
      case .text: "Text"
      case .svg: "SVG, a picture"
      }
    }
  }

  /// The file name without its extension, with special characters replaced: `timeline-query-Birds`.
  package var name: String {
    let letters = title.map { $0.isLetter || $0.isNumber ? $0 : "-" }
    return "timeline-\(String(letters))"
  }

  package func written(as format: Format) -> String {
    switch format {
    case .text: text
    case .svg: svg
    }
  }

  private var heading: String {
    let start = startedAt.map { ", started at \($0)" } ?? ""
    return
      "\(title)\(start), \(DisplayFormat.plural(axis.arrivals.count, "payload")), \(DisplayFormat.duration(axis.end))"
  }

  // MARK: Text

  private var text: String {
    let width = 60
    let names = min(32, bars.reduce(8) { max($0, $1.name.count) })
    var ticks = [Character](repeating: "-", count: width)
    for arrival in axis.arrivals { ticks[axis.cell(of: arrival, width: width)] = "+" }
    var lines = [heading, "", "\(Self.padded("", names)) |\(String(ticks))| \(DisplayFormat.duration(axis.end))"]
    for bar in bars {
      var cells = [Character](repeating: " ", count: width)
      if let end = bar.end {
        let (first, last) = (axis.cell(of: bar.start, width: width), axis.cell(of: end, width: width))
        for cell in first...max(first, last) { cells[cell] = "=" }
      }
      lines.append("\(Self.padded(bar.name, names)) |\(String(cells))| \(bar.details)")
    }
    return lines.map { String($0.reversed().drop { $0 == " " }.reversed()) }.joined(separator: "\n") + "\n"
  }

  private static func padded(_ text: String, _ count: Int) -> String {
    let cut = cut(text, count)
    return cut + String(repeating: " ", count: max(0, count - cut.count))
  }

  private static func cut(_ text: String, _ count: Int) -> String {
    text.count > count ? "\(text.prefix(count - 1))…" : text
  }

  // MARK: SVG

  private var svg: String {
    let (left, width, row, totalWidth) = (240.0, 520.0, 24.0, 1400)
    let height = 80 + row * Double(bars.count)
    func x(_ time: Duration) -> String { Self.number(left + min(1, max(0, time / axis.end)) * width) }
    var lines = [
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(totalWidth)\" height=\"\(Self.number(height))\" "
        + "viewBox=\"0 0 \(totalWidth) \(Self.number(height))\" font-family=\"monospace\" font-size=\"13\">",
      "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>",
      "<text x=\"12\" y=\"24\" fill=\"#222222\">\(XMLText.escaped(heading))</text>",
    ]
    for (index, arrival) in axis.arrivals.enumerated() {
      lines.append(
        "<line x1=\"\(x(arrival))\" y1=\"44\" x2=\"\(x(arrival))\" y2=\"\(Self.number(height - 20))\" stroke=\"#cccccc\">"
          + "<title>payload \(index + 1), \(DisplayFormat.duration(arrival))</title></line>")
    }
    for (index, bar) in bars.enumerated() {
      let y = 52 + row * Double(index)
      let text = Self.number(y + 13)
      lines.append(
        "<text x=\"12\" y=\"\(text)\" fill=\"#222222\">\(XMLText.escaped(Self.cut(bar.name, 28)))"
          + "<title>\(XMLText.escaped(bar.path.description))</title></text>")
      if let end = bar.end {
        lines.append(rect(from: bar.start, to: end, y: y, fill: bar.state.fill))
      }
      lines.append(
        "<text x=\"\(Self.number(left + width + 12))\" y=\"\(text)\" fill=\"#222222\">"
          + "\(XMLText.escaped(Self.cut(bar.label, 78)))<title>\(XMLText.escaped(bar.label))</title></text>")
    }
    return (lines + ["</svg>", ""]).joined(separator: "\n")
  }

  private func rect(from start: Duration, to end: Duration, y: Double, fill: String) -> String {
    let left = 240 + start / axis.end * 520
    let width = max(2, (end - start) / axis.end * 520)
    return "<rect x=\"\(Self.number(left))\" y=\"\(Self.number(y))\" width=\"\(Self.number(width))\" height=\"16\" "
      + "fill=\"\(fill)\"/>"
  }

  /// Formats a number with one decimal, or with none for an integer.
  private static func number(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }
}

extension Timeline.Bar {
  /// State, times and errors.
  fileprivate var label: String {
    (notes.first ?? "") + (messages.isEmpty ? "" : ": \(messages.joined(separator: "; "))")
  }

  fileprivate var details: String { label + (path.components.isEmpty ? "" : "  \(path)") }

  /// The row without its bar.
  var line: String { "\(name)  \(details)" }
}

extension ResultStatus? {
  /// The fill color on a white background.
  fileprivate var fill: String {
    switch self {
    case .complete: "#3a8f5c"
    case .fromCache, nil: "#4a7ab5"
    case .pending, .withErrors, .null: "#c58f1b"
    case .failed, .cut: "#c0453b"
    case .cancelled, .notExecuted, .neverCame: "#8a8f98"
    }
  }
}
