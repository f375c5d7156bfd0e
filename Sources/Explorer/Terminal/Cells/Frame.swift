/// One place of a frame, as a reader sees it; what a wide character covers right of its first cell are empty cells of no
/// width.
package struct Cell: Equatable, Sendable {
  package var text: String
  package var style: Style
  package var width: Int

  package init(text: String, style: Style, width: Int) {
    self.text = text
    self.style = style
    self.width = width
  }
}

/// A cell as it is stored: 16 bytes without references, so that frames are copied and compared as memory.
struct PackedCell: Equatable, Sendable {
  /// A Unicode scalar, or with the top bit set the index of a cluster in the frame's table; 0 right of a wide character.
  var glyph: UInt32
  var style: Style
  var width: UInt8

  static let clusterFlag: UInt32 = 1 << 31

  static func blank(_ style: Style) -> PackedCell {
    PackedCell(glyph: 0x20, style: style, width: 1)
  }

  static func continuation(_ style: Style) -> PackedCell {
    PackedCell(glyph: 0, style: style, width: 0)
  }

  var isContinuation: Bool { width == 0 }
  var isCluster: Bool { glyph & Self.clusterFlag != 0 }
  var clusterIndex: Int { Int(glyph & ~Self.clusterFlag) }
}

/// A grid of cells: the whole screen as it shall look. Whatever draws, draws into a frame; a backend shows it.
///
/// Text never reaches a frame with control characters, and a wide character is never split: what is cut or covered in
/// part becomes blank.
package struct Frame: Sendable {
  package let size: Size
  var cells: ContiguousArray<PackedCell>
  /// Clusters of more than one scalar. Cells name them by index.
  var clusters: [String] = []
  private var clusterIndexes: [String: UInt32] = [:]
  package private(set) var links: [FrameLink] = []

  /// The longest cluster that is kept whole; marks stacked beyond it are dropped.
  static let clusterLimit = 16

  package init(size: Size, style: Style = .plain) {
    self.size = Size(width: max(0, size.width), height: max(0, size.height))
    cells = ContiguousArray(repeating: .blank(style), count: self.size.width * self.size.height)
  }

  package var bounds: Rect { Rect(size) }

  /// The cell at a place inside the frame; a blank outside.
  package func cell(at point: Point) -> Cell {
    guard bounds.contains(point) else { return Cell(text: " ", style: .plain, width: 1) }
    let cell = cells[point.row * size.width + point.column]
    return Cell(text: text(of: cell), style: cell.style, width: Int(cell.width))
  }

  /// Writes a text from left to right on one row and returns the column after its last cell.
  ///
  /// What lies outside the clip is not drawn, but counts: text that begins left of it is scrolled text.
  @discardableResult
  package mutating func put(
    _ text: some StringProtocol, at point: Point, style: Style, clippedTo clip: Rect? = nil
  ) -> Int {
    put(Substring(text), at: point, style: style, clippedTo: clip)
  }

  /// One type, so that it is compiled for that: most of what a screen's drawing takes is here.
  private mutating func put(_ text: Substring, at point: Point, style: Style, clippedTo clip: Rect?) -> Int {
    let area = (clip ?? bounds).intersection(bounds)
    guard area.rows.contains(point.row) else { return point.column }
    var column = point.column
    // ASCII, byte by byte. The character before other text may be the base of a mark: it is left to the second part.
    var plainCount = 0
    var isPlain = true
    for byte in text.utf8 {
      guard column + plainCount < area.endColumn else { break }
      guard byte < 0x80 else {
        isPlain = false
        break
      }
      plainCount += 1
    }
    if !isPlain { plainCount = max(0, plainCount - 1) }
    let base = point.row * size.width
    for byte in text.utf8.prefix(plainCount) {
      if column >= area.column {
        let glyph: UInt32 = byte >= 0x20 && byte != 0x7F ? UInt32(byte) : byte == 0x7F ? 0x2421 : 0x2400 + UInt32(byte)
        set(PackedCell(glyph: glyph, style: style, width: 1), at: base + column)
      }
      column += 1
    }
    guard !isPlain else { return column }
    let rest = text[text.utf8.index(text.startIndex, offsetBy: plainCount)...]
    for character in rest {
      guard column < area.endColumn else { break }
      column = put(character, column: column, row: point.row, style: style, area: area)
    }
    return column
  }

  /// Fills a rectangle with one character of width 1.
  package mutating func fill(_ rect: Rect, with character: Character = " ", style: Style) {
    let area = rect.intersection(bounds)
    guard !area.isEmpty else { return }
    if !links.isEmpty { links.removeAll { area.rows.contains($0.row) && $0.columns.overlaps(area.columns) } }
    let glyph = packed(character).glyph
    for row in area.rows {
      let base = row * size.width
      breakWide(at: base + area.column)
      if area.endColumn < size.width, cells[base + area.endColumn].isContinuation {
        breakWide(at: base + area.endColumn)
      }
      for column in area.columns {
        cells[base + column] = PackedCell(glyph: glyph, style: style, width: 1)
      }
    }
  }

  /// Lets what is there lead somewhere; what is filled over it later leads nowhere.
  package mutating func link(_ link: FrameLink?) {
    if let link { links.append(link) }
  }

  func links(inRow row: Int) -> [FrameLink] { links.isEmpty ? [] : links.filter { $0.row == row } }

  /// Changes the look of what is already there: `change` gets each cell's style.
  package mutating func restyle(_ rect: Rect, _ change: (Style) -> Style) {
    let area = rect.intersection(bounds)
    for row in area.rows {
      for column in area.columns {
        let index = row * size.width + column
        cells[index].style = change(cells[index].style)
      }
    }
  }

  // MARK: - Reading

  /// The frame's rows as text, blanks at their ends removed.
  package var lines: [String] {
    (0..<size.height).map { line($0, in: bounds) }
  }

  /// The rows of a rectangle as text, blanks at their ends removed.
  package func lines(in rect: Rect) -> [String] {
    let area = rect.intersection(bounds)
    return area.rows.map { line($0, in: area) }
  }

  private func line(_ row: Int, in area: Rect) -> String {
    var line = ""
    for column in area.columns { line += text(of: cells[row * size.width + column]) }
    while line.last == " " { line.removeLast() }
    return line
  }

  /// The runs of equal style on a row: text and look, for tests and for pictures of the screen.
  package func runs(row: Int) -> [(text: String, style: Style)] {
    guard row >= 0, row < size.height else { return [] }
    var runs: [(text: String, style: Style)] = []
    for column in 0..<size.width {
      let cell = cells[row * size.width + column]
      if let last = runs.last, last.style == cell.style {
        runs[runs.count - 1].text += text(of: cell)
      } else {
        runs.append((text(of: cell), cell.style))
      }
    }
    return runs
  }

  func text(of cell: PackedCell) -> String {
    if cell.isContinuation { return "" }
    if cell.isCluster { return clusters[cell.clusterIndex] }
    guard let scalar = Unicode.Scalar(cell.glyph) else { return " " }
    return String(scalar)
  }

  // MARK: - Writing cells

  private mutating func put(_ character: Character, column: Int, row: Int, style: Style, area: Rect) -> Int {
    let scalars = character.unicodeScalars
    if let first = scalars.first, first.value < 0x20, scalars.count > 1 {
      // A line break of two characters is one cluster: show both.
      var column = column
      for scalar in scalars {
        column = put(Character(scalar), column: column, row: row, style: style, area: area)
      }
      return column
    }
    let (glyph, width) = packed(character)
    let end = column + width
    guard column >= area.column || end > area.column else { return end }
    let base = row * size.width
    if column < area.column || end > area.endColumn {
      // A part of a wide character: what is visible of it stays blank.
      for visible in max(column, area.column)..<min(end, area.endColumn) {
        set(.blank(style), at: base + visible)
      }
      return end
    }
    set(PackedCell(glyph: glyph, style: style, width: UInt8(width)), at: base + column)
    return end
  }

  /// The glyph and width of a character; clusters go to the table.
  private mutating func packed(_ character: Character) -> (glyph: UInt32, width: Int) {
    let scalars = character.unicodeScalars
    guard let first = scalars.first else { return (0x20, 1) }
    let isSingle = scalars.index(after: scalars.startIndex) == scalars.endIndex
    if isSingle, let visible = TextWidth.visibleReplacement(for: first) { return (visible.value, 1) }
    if isSingle, first.value < 0x7F { return (first.value, 1) }
    let width = TextWidth.rawWidth(of: scalars)
    if width == 0 {
      // A mark without its letter stands on the circle made for that.
      guard first.properties.generalCategory == .nonspacingMark || first.properties.generalCategory == .enclosingMark
      else { return (TextWidth.replacement.value, 1) }
      return (intern("\u{25CC}" + String(String.UnicodeScalarView(scalars.prefix(Self.clusterLimit)))), 1)
    }
    if isSingle { return (first.value, min(TextWidth.limit, width)) }
    return (
      intern(String(String.UnicodeScalarView(scalars.prefix(Self.clusterLimit)))), min(TextWidth.limit, width)
    )
  }

  private mutating func intern(_ cluster: String) -> UInt32 {
    if let known = clusterIndexes[cluster] { return known | PackedCell.clusterFlag }
    let index = UInt32(clusters.count)
    clusters.append(cluster)
    clusterIndexes[cluster] = index
    return index | PackedCell.clusterFlag
  }

  /// Stores a cell and blanks the wide characters that it cuts.
  private mutating func set(_ cell: PackedCell, at index: Int) {
    let covered = index..<(index + max(1, Int(cell.width)))
    for place in covered { breakWide(at: place) }
    for place in covered { cells[place] = .continuation(cell.style) }
    cells[index] = cell
  }

  /// Makes all cells of a wide character that covers this cell blank.
  private mutating func breakWide(at index: Int) {
    var start = index
    while cells[start].isContinuation, start > 0 { start -= 1 }
    let width = Int(cells[start].width)
    guard width > 1 else { return }
    for place in start..<min(cells.count, start + width) { cells[place] = .blank(cells[place].style) }
  }
}
