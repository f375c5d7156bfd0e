@testable import ApusExplorerTerminal

/// An emulator of the control sequences that the frame writer uses, to compare the screen with the frame.
struct ScreenEmulator {
  let size: Size
  private var rows: [[(text: String, style: Style)]]
  private var column = 0
  private var row = 0
  private var style = Style.plain
  private(set) var isCursorVisible = true
  private var wrapsNext = false
  /// Sequences that are not supported.
  private(set) var complaints: [String] = []

  init(size: Size) {
    self.size = size
    rows = Array(repeating: Array(repeating: (" ", .plain), count: size.width), count: size.height)
  }

  var cursor: Point { Point(column: column, row: row) }

  var lines: [String] {
    rows.map { row in
      var line = row.map(\.text).joined()
      while line.last == " " { line.removeLast() }
      return line
    }
  }

  func style(at point: Point) -> Style { rows[point.row][point.column].style }

  mutating func feed(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    var rest = text.unicodeScalars[...]
    var pending = ""
    func isControl(_ scalar: Unicode.Scalar) -> Bool { scalar.value < 0x20 || scalar.value == 0x7F }
    while let scalar = rest.first {
      rest = rest.dropFirst()
      if !isControl(scalar) {
        pending.unicodeScalars.append(scalar)
        continue
      }
      put(pending)
      pending = ""
      switch scalar {
      case "\r":
        column = 0
        wrapsNext = false
      case "\n": if row + 1 < size.height { row += 1 } else { complaints.append("scrolled") }
      case "\u{1B}":
        // The targets of links are ignored.
        if rest.first == "]" {
          while let next = rest.popFirst(), next != "\u{1B}" {}
          if rest.popFirst() != "\\" { complaints.append("a sequence without its end") }
          continue
        }
        guard rest.first == "[" else {
          complaints.append("Escape without [")
          continue
        }
        rest = rest.dropFirst()
        let parameters = rest.prefix { (0x20...0x3F).contains($0.value) }
        rest = rest.dropFirst(parameters.count)
        guard let final = rest.popFirst() else { return }
        control(String(String.UnicodeScalarView(parameters)), final)
      default: complaints.append("control \(scalar.value)")
      }
    }
    put(pending)
  }

  private mutating func put(_ text: String) {
    for character in text {
      let width = TextWidth.width(of: character)
      if wrapsNext {
        complaints.append("wrapped")
        wrapsNext = false
      }
      rows[row][column] = (String(character), style)
      for covered in column + 1..<max(column + 1, column + width) {
        if covered < size.width { rows[row][covered] = ("", style) } else { complaints.append("cut") }
      }
      column += width
      if column >= size.width {
        column = size.width - 1
        wrapsNext = true
      }
    }
  }

  private mutating func control(_ parameters: String, _ final: Unicode.Scalar) {
    let numbers = parameters.split(separator: ";").compactMap { Int($0) }
    if final != "m", final != "q" { wrapsNext = wrapsNext && final == "l" || final == "h" && wrapsNext }
    switch final {
    case "H":
      row = (numbers.first ?? 1) - 1
      column = (numbers.count > 1 ? numbers[1] : 1) - 1
    case "G": column = (numbers.first ?? 1) - 1
    case "C": column += numbers.first ?? 1
    case "K": erase(column..<size.width)
    case "X": erase(column..<column + (numbers.first ?? 1))
    case "J": for index in rows.indices { rows[index] = Array(repeating: (" ", blank), count: size.width) }
    case "h", "l": if parameters == "?25" { isCursorVisible = final == "h" }
    case "q": break
    case "m": setStyle(parameters)
    default: complaints.append("CSI \(parameters)\(final)")
    }
  }

  /// Erased cells keep only the background.
  private var blank: Style { Style(background: style.background) }

  private mutating func erase(_ columns: Range<Int>) {
    for column in columns { rows[row][column] = (" ", blank) }
  }

  private mutating func setStyle(_ parameters: String) {
    if parameters.isEmpty { style = .plain }
    var codes = parameters.split(separator: ";").map(String.init)[...]
    while let code = codes.popFirst() {
      switch code {
      case "0": style = .plain
      case "1": style.attributes.insert(.bold)
      case "2": style.attributes.insert(.dim)
      case "3": style.attributes.insert(.italic)
      case "4": style.attributes.insert(.underline)
      case "4:3": style.attributes.insert(.wavyUnderline)
      case "7": style.attributes.insert(.reverse)
      case "9": style.attributes.insert(.strikethrough)
      case "22": style.attributes.subtract([.bold, .dim])
      case "23": style.attributes.remove(.italic)
      case "24": style.attributes.subtract([.underline, .wavyUnderline])
      case "27": style.attributes.remove(.reverse)
      case "29": style.attributes.remove(.strikethrough)
      case "38": style.foreground = color(&codes)
      case "48": style.background = color(&codes)
      case "39": style.foreground = .default
      case "49": style.background = .default
      default:
        guard let number = UInt8(code) else { return complaints.append("SGR \(code)") }
        switch number {
        case 30...37: style.foreground = .indexed(number - 30)
        case 40...47: style.background = .indexed(number - 40)
        case 90...97: style.foreground = .indexed(number - 82)
        case 100...107: style.background = .indexed(number - 92)
        default: complaints.append("SGR \(code)")
        }
      }
    }
  }

  private func color(_ codes: inout ArraySlice<String>) -> Color {
    let isIndexed = codes.popFirst() == "5"
    let values = (0..<(isIndexed ? 1 : 3)).map { _ in UInt8(codes.popFirst() ?? "") ?? 0 }
    return isIndexed ? .indexed(values[0]) : .rgb(values[0], values[1], values[2])
  }
}
