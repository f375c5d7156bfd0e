import ApusSecrets

/// A cell of a frame for reading. The cells to the right of a wide character that belong to it are empty and have width
/// 0.
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

/// The stored form of a cell: 16 bytes without references, so that frames are copied and compared as memory.
struct PackedCell: Equatable, Sendable {
  /// A Unicode scalar, or with the top bit set an index in `clusters`; 0 for the rest of a wide character.
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

/// A grid of cells, the intended content of the whole screen. Views draw into a frame, and a backend shows it.
///
/// A frame never contains control characters, and wide characters are never split: those that are partly cut or covered
/// become blank.
package struct Frame: Sendable {
  package let size: Size
  var cells: ContiguousArray<PackedCell>
  /// Clusters of several scalars, to which cells refer by index.
  var clusters: [String] = []
  private var clusterIndexes: [String: UInt32] = [:]
  package private(set) var links: [FrameLink] = []

  /// The maximum number of scalars in a cluster; further ones are dropped.
  static let clusterLimit = 16

  package init(size: Size, style: Style = .plain) {
    self.size = Size(width: max(0, size.width), height: max(0, size.height))
    cells = ContiguousArray(repeating: .blank(style), count: self.size.width * self.size.height)
  }

  package var bounds: Rect { Rect(size) }

  /// Returns the cell at a point; blank outside of the frame.
  package func cell(at point: Point) -> Cell {
    guard bounds.contains(point) else { return Cell(text: " ", style: .plain, width: 1) }
    let cell = cells[point.row * size.width + point.column]
    return Cell(text: text(of: cell), style: cell.style, width: Int(cell.width))
  }

  /// Writes text on one row and returns the column after its last cell.
  ///
  /// Text outside the clip is not drawn but counts, so that scrolled text can begin to the left of it.
  @discardableResult
  package mutating func put(
    _ text: some StringProtocol, at point: Point, style: Style, clippedTo clip: Rect? = nil
  ) -> Int {
    put(Substring(text), at: point, style: style, clippedTo: clip)
  }

  /// Writes text. The type is concrete because drawing spends most of its time here, and generic code would be slower.
  private mutating func put(_ text: Substring, at point: Point, style: Style, clippedTo clip: Rect?) -> Int {
    let area = (clip ?? bounds).intersection(bounds)
    guard area.rows.contains(point.row) else { return point.column }
    var column = point.column
    // ASCII byte by byte. The last character before other text may be the base of a mark, so it is left to the second
    // part.
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

  /// Fills a rectangle with a character of width 1.
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

  /// Adds a link to existing cells. Filling them removes the link.
  package mutating func link(_ link: FrameLink?) {
    if let link { links.append(link) }
  }

  func links(inRow row: Int) -> [FrameLink] { links.isEmpty ? [] : links.filter { $0.row == row } }

  /// Changes the style of existing cells.
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

  /// The rows as text, without trailing blanks.
  package var lines: [String] {
    (0..<size.height).map { line($0, in: bounds) }
  }

  /// Returns the rows of a rectangle as text, without trailing blanks.
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

  /// Returns the runs of equal style in a row, for tests and for pictures of the screen.
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
    let isLineEnd = scalars.first.map { $0.value < 0x20 } ?? false
    if scalars.count > 1, isLineEnd || TagCharacter.isHidden(in: scalars) {
      // CRLF is a single cluster, so show both characters. Tag characters would be invisible in a cluster.
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
      // The visible part of a cut wide character is blank.
      for visible in max(column, area.column)..<min(end, area.endColumn) {
        set(.blank(style), at: base + visible)
      }
      return end
    }
    set(PackedCell(glyph: glyph, style: style, width: UInt8(width)), at: base + column)
    return end
  }

  /// Returns the glyph and width of a character. Clusters are added to the table.
  private mutating func packed(_ character: Character) -> (glyph: UInt32, width: Int) {
    let scalars = character.unicodeScalars
    guard let first = scalars.first else { return (0x20, 1) }
    let isSingle = scalars.index(after: scalars.startIndex) == scalars.endIndex
    if isSingle, let visible = TextWidth.visibleReplacement(for: first) { return (visible.value, 1) }
    if isSingle, first.value < 0x7F { return (first.value, 1) }
    let width = TextWidth.rawWidth(of: scalars)
    if width == 0 {
      // A mark without a base is shown on a dotted circle.
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
    if let index = clusterIndexes[cluster] { return index | PackedCell.clusterFlag }
    let index = UInt32(clusters.count)
    clusters.append(cluster)
    clusterIndexes[cluster] = index
    return index | PackedCell.clusterFlag
  }

  /// Stores a cell, and blanks wide characters that it cuts.
  private mutating func set(_ cell: PackedCell, at index: Int) {
    let covered = index..<(index + max(1, Int(cell.width)))
    for index in covered { breakWide(at: index) }
    for index in covered { cells[index] = .continuation(cell.style) }
    cells[index] = cell
  }

  /// Blanks all cells of the wide character that covers a cell.
  private mutating func breakWide(at index: Int) {
    var start = index
    while cells[start].isContinuation, start > 0 { start -= 1 }
    let width = Int(cells[start].width)
    guard width > 1 else { return }
    for index in start..<min(cells.count, start + width) { cells[index] = .blank(cells[index].style) }
  }
}
