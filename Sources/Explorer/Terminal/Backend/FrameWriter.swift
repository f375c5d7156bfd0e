/// Computes a short byte sequence that changes the content of a terminal into a frame.
///
/// 1. Rows are compared cell by cell. Runs of changed cells are written, including short unchanged gaps if that is
///    shorter than moving the cursor.
/// 2. A row with many styles is written style by style if moving the cursor is shorter than repeating colors.
/// 3. Blank ranges are erased instead of written if the terminal erases with the background color.
/// 4. A style change writes only the differences to the previous style.
/// 5. After a cluster on whose width terminals disagree, the cursor is positioned absolutely and the following cells
///    are written again. Near the right edge such a cluster is prevented from wrapping.
/// 6. If the terminal supports it, a frame is displayed only when it is complete (synchronized output).
package struct FrameWriter: Sendable {
  package let dialect: TerminalDialect
  /// The current content of the terminal; nil before the first frame and after another program wrote to it.
  private var shown: Frame?
  private var output: [UInt8] = []
  /// The position of the terminal's cursor; nil if unknown.
  private var position: Point?
  private var style: Style?
  private var link: String?
  private var cursorIsVisible: Bool?
  private var cursorShape: CursorPlacement.Shape?
  /// Whether the terminal supports synchronized output.
  package var synchronizes = false

  package init(dialect: TerminalDialect) {
    self.dialect = dialect
  }

  /// Forgets the content of the terminal, so that the next frame is written completely.
  package mutating func invalidate() {
    shown = nil
    position = nil
    style = nil
    cursorIsVisible = nil
    cursorShape = nil
  }

  /// Returns the bytes that make the terminal show a frame.
  package mutating func bytes(for frame: Frame, cursor: CursorPlacement?) -> [UInt8] {
    output.removeAll(keepingCapacity: true)
    let before = shown.flatMap { $0.size == frame.size ? $0 : nil } ?? clear(for: frame)
    let hidesCursor = cursorIsVisible == true && changesManyRows(from: before, to: frame)
    if hidesCursor { setCursorVisible(false) }
    for row in 0..<frame.size.height where !writeByLook(row: row, of: frame, over: before) {
      write(row: row, of: frame, over: before)
    }
    moveCursor(cursor, on: frame)
    shown = frame
    guard synchronizes, !output.isEmpty else { return output }
    return Array(ControlSequences.synchronizedStart.utf8) + output + Array(ControlSequences.synchronizedEnd.utf8)
  }

  /// Returns the bytes that restore the plain style and the default cursor.
  package mutating func bytesForLeaving() -> [UInt8] {
    output.removeAll(keepingCapacity: true)
    resetStyle()
    if cursorShape != nil { append("\u{1B}[0 q") }
    setCursorVisible(true)
    invalidate()
    return output
  }

  // MARK: - Rows

  private mutating func write(row: Int, of frame: Frame, over before: Frame) {
    let width = frame.size.width
    let base = row * width
    let links = dialect.links ? frame.links(inRow: row) : []
    // If a link changed, the row is written again.
    let isForced = dialect.links && links != before.links(inRow: row)
    defer { setLink(nil) }
    var column = 0
    /// The column up to which cells are written even if unchanged.
    var forcedEnd = 0
    while column < width {
      let cell = frame.cells[base + column]
      if cell.isContinuation {
        column += 1
        continue
      }
      guard isForced || column < forcedEnd || differs(base + column, in: frame, from: before) else {
        column += 1
        continue
      }
      if !dialect.writesLastCell, row == frame.size.height - 1, column + Int(cell.width) >= width { return }
      let blanks = blankRun(from: column, base: base, width: width, in: frame)
      if links.isEmpty, blanks > 0, erase(blanks, at: Point(column: column, row: row), style: cell.style, width: width)
      {
        column += blanks
        continue
      }
      move(to: Point(column: column, row: row), in: links.isEmpty ? frame : nil)
      setLink(links.first { $0.columns.contains(column) }?.target)
      if !showsAsBlank(cell, in: style) { set(cell.style) }
      let isTrusted = write(cell, of: frame, at: Point(column: column, row: row))
      column += max(1, Int(cell.width))
      if isTrusted {
        position = column < width ? Point(column: column, row: row) : nil
      } else {
        position = nil
        // If the terminal considers the cluster wider, it has overwritten the following cells.
        forcedEnd = max(forcedEnd, min(width, column + 2 * clusterLength(cell, in: frame)))
      }
    }
  }

  /// Adjacent changed cells with the same style.
  private struct Stretch {
    var columns: Range<Int>
    var style: Style
  }

  /// Writes a row style by style if that takes fewer bytes, because moving the cursor is shorter than setting colors.
  /// Returns false if it does not, or if terminals disagree on the width of a cell.
  private mutating func writeByLook(row: Int, of frame: Frame, over before: Frame) -> Bool {
    guard dialect.strings == nil, frame.links.isEmpty || frame.links(inRow: row).isEmpty,
      let stretches = stretches(inRow: row, of: frame, over: before)
    else { return false }
    var styles: [Style] = []
    for stretch in stretches where !styles.contains(stretch.style) { styles.append(stretch.style) }
    let price = (styles.reduce(0) { $0 + Self.price(of: $1) }) / max(1, styles.count)
    guard (stretches.count - styles.count) * price > stretches.count * 5 else { return false }
    if let style, let index = styles.firstIndex(of: style) { styles.swapAt(0, index) }
    for style in styles {
      for stretch in stretches where stretch.style == style {
        for column in stretch.columns {
          let point = Point(column: column, row: row)
          move(to: point, in: frame)
          set(style)
          _ = write(frame.cells[row * frame.size.width + column], of: frame, at: point)
          position = column + 1 < frame.size.width ? Point(column: column + 1, row: row) : nil
        }
      }
    }
    return true
  }

  /// Returns the changed cells of a row; nil if some are wide, of uncertain width, or better erased.
  private func stretches(inRow row: Int, of frame: Frame, over before: Frame) -> [Stretch]? {
    let width = frame.size.width
    var stretches: [Stretch] = []
    var blanks = 0
    for column in 0..<width {
      let index = row * width + column
      guard differs(index, in: frame, from: before) else { continue }
      let (new, old) = (frame.cells[index], before.cells[index])
      guard new.width == 1, old.width == 1, !new.isCluster, new.glyph < 0x80 || dialect.unicode && new.glyph < 0x1F000,
        dialect.writesLastCell || row < frame.size.height - 1 || column + 1 < width
      else { return nil }
      blanks = new.glyph == 0x20 ? blanks + 1 : 0
      guard blanks < 8 else { return nil }
      if let last = stretches.last, last.columns.upperBound == column,
        last.style == new.style || showsAsBlank(new, in: last.style)
      {
        stretches[stretches.count - 1].columns = last.columns.lowerBound..<(column + 1)
      } else {
        stretches.append(Stretch(columns: column..<(column + 1), style: new.style))
      }
    }
    return stretches
  }

  /// Returns the approximate number of bytes for setting a style's colors.
  private static func price(of style: Style) -> Int {
    switch style.foreground.kind {
    case .rgb: 17
    case .indexed(16...): 10
    case .indexed, .default: 5
    }
  }

  private func differs(_ index: Int, in frame: Frame, from before: Frame) -> Bool {
    let new = frame.cells[index]
    let old = before.cells[index]
    guard new.width == old.width else { return true }
    guard new.style == old.style else { return !showsAsBlank(new, in: old.style) || old.glyph != 0x20 }
    if new.isCluster || old.isCluster {
      guard new.isCluster, old.isCluster else { return true }
      return frame.clusters[new.clusterIndex] != before.clusters[old.clusterIndex]
    }
    return new.glyph != old.glyph
  }

  /// Whether so many rows change that a moving cursor would be visible.
  private func changesManyRows(from before: Frame, to frame: Frame) -> Bool {
    let width = frame.size.width
    var rows = 0
    for row in 0..<frame.size.height {
      if (row * width..<(row + 1) * width).contains(where: { differs($0, in: frame, from: before) }) { rows += 1 }
      if rows > 2 { return true }
    }
    return false
  }

  // MARK: - Blanks

  /// Returns the number of following blank cells with the same style.
  private func blankRun(from column: Int, base: Int, width: Int, in frame: Frame) -> Int {
    let first = frame.cells[base + column]
    guard first.glyph == 0x20, isErasable(first.style) else { return 0 }
    var end = column + 1
    while end < width, frame.cells[base + end] == first { end += 1 }
    return end - column
  }

  /// Whether a blank cell looks the same in another style, because only the background is visible.
  private func showsAsBlank(_ cell: PackedCell, in style: Style?) -> Bool {
    guard cell.glyph == 0x20, let style, style.background == cell.style.background else { return false }
    return style.attributes.isDisjoint(with: Self.seenOnBlanks)
      && cell.style.attributes.isDisjoint(with: Self.seenOnBlanks)
  }

  private static let seenOnBlanks: TextAttributes = [.underline, .wavyUnderline, .reverse, .strikethrough]

  private func isErasable(_ style: Style) -> Bool {
    guard dialect.strings == nil else { return false }
    guard style.attributes.isDisjoint(with: Self.seenOnBlanks) else { return false }
    return dialect.erasesWithBackground || style.background == .default
  }

  /// Erases cells if that is shorter than writing them; returns whether it did.
  private mutating func erase(_ count: Int, at point: Point, style: Style, width: Int) -> Bool {
    let reachesEnd = point.column + count == width
    guard count >= (reachesEnd ? 5 : 12), reachesEnd || dialect.erasesCharacters else { return false }
    move(to: point, in: nil)
    // Only the background is visible in erased cells.
    set(Style(foreground: self.style?.foreground ?? .default, background: style.background))
    if reachesEnd {
      append("\u{1B}[K")
    } else {
      append("\u{1B}[")
      append(count)
      append("X")
    }
    return true
  }

  /// Clears the screen with the most common style of blank cells.
  private mutating func clear(for frame: Frame) -> Frame {
    resetStyle()
    var counts: [Color: Int] = [:]
    if dialect.strings == nil, dialect.erasesWithBackground {
      for cell in frame.cells where cell.glyph == 0x20 && isErasable(cell.style) {
        counts[cell.style.background, default: 0] += 1
      }
    }
    let background = counts.max { $0.value < $1.value }?.key ?? .default
    set(Style(background: background))
    if let strings = dialect.strings { output += strings.clear } else { append("\u{1B}[2J") }
    position = nil
    return Frame(size: frame.size, style: Style(background: background))
  }

  // MARK: - Cells

  /// Writes the text of a cell; returns whether all terminals move the cursor by the cell's width.
  private mutating func write(_ cell: PackedCell, of frame: Frame, at point: Point) -> Bool {
    if cell.glyph < 0x80 {
      output.append(UInt8(truncatingIfNeeded: cell.glyph))
      return true
    }
    guard dialect.unicode else {
      append("?")
      for _ in 1..<max(1, cell.width) { append(" ") }
      return true
    }
    let isTrusted = hasAgreedWidth(cell, of: frame)
    if !isTrusted, cell.width > 1 {
      // If the terminal considers the text narrower, the remaining cells must not keep their old content.
      for _ in 0..<cell.width { append(" ") }
      position = nil
      move(to: point, in: nil)
    }
    if cell.isCluster {
      // A cluster that the terminal considers wider must not wrap into the next row.
      let mayWrap =
        !isTrusted && dialect.strings == nil && point.column + 2 * clusterLength(cell, in: frame) >= frame.size.width
      if mayWrap { append("\u{1B}[?7l") }
      output.append(contentsOf: frame.clusters[cell.clusterIndex].utf8)
      if mayWrap { append("\u{1B}[?7h") }
    } else if let scalar = Unicode.Scalar(cell.glyph), let bytes = UTF8.encode(scalar) {
      output.append(contentsOf: bytes)
    }
    return isTrusted
  }

  /// Whether terminals agree on the width of a cell: single characters except recent pictographs, and letters with
  /// nonspacing marks.
  private func hasAgreedWidth(_ cell: PackedCell, of frame: Frame) -> Bool {
    guard cell.isCluster else { return cell.glyph < 0x1F000 || cell.width == 1 }
    guard cell.width == 1 else { return false }
    return frame.clusters[cell.clusterIndex].unicodeScalars.dropFirst().allSatisfy {
      $0.properties.generalCategory == .nonspacingMark && $0 != "\u{FE0F}"
    }
  }

  private func clusterLength(_ cell: PackedCell, in frame: Frame) -> Int {
    cell.isCluster ? frame.clusters[cell.clusterIndex].unicodeScalars.count : 1
  }

  // MARK: - The cursor

  private mutating func moveCursor(_ cursor: CursorPlacement?, on frame: Frame) {
    guard let cursor, frame.bounds.contains(cursor.point) else {
      setCursorVisible(false)
      return
    }
    move(to: cursor.point, in: nil)
    if dialect.cursorShapes, cursorShape != cursor.shape {
      cursorShape = cursor.shape
      switch cursor.shape {
      case .block: append("\u{1B}[2 q")
      case .underline: append("\u{1B}[4 q")
      case .bar: append("\u{1B}[6 q")
      }
    }
    setCursorVisible(true)
  }

  private mutating func setCursorVisible(_ isVisible: Bool) {
    guard cursorIsVisible != isVisible else { return }
    cursorIsVisible = isVisible
    if let strings = dialect.strings {
      output += isVisible ? strings.showCursor : strings.hideCursor
    } else {
      append(isVisible ? "\u{1B}[?25h" : "\u{1B}[?25l")
    }
  }

  /// Moves the cursor with the shortest sequence. With a frame, it may instead write a few unchanged cells again.
  private mutating func move(to point: Point, in frame: Frame?) {
    guard position != point else { return }
    defer { position = point }
    if let strings = dialect.strings {
      output += strings.move(point)
      return
    }
    if let position, position.row == point.row, position.column < point.column {
      let gap = point.column - position.column
      if gap <= 4, let frame, canRepeat(position.column..<point.column, row: point.row, in: frame) {
        for column in position.column..<point.column {
          output.append(UInt8(truncatingIfNeeded: frame.cells[point.row * frame.size.width + column].glyph))
        }
        return
      }
      append("\u{1B}[")
      if gap > 1 { append(gap) }
      append("C")
      return
    }
    if let position, position.row == point.row, point.column > 0 {
      append("\u{1B}[")
      append(point.column + 1)
      append("G")
      return
    }
    if let position, point.column == 0, point.row == position.row + 1 {
      append("\r\n")
      return
    }
    append("\u{1B}[")
    if point.row > 0 || point.column > 0 { append(point.row + 1) }
    if point.column > 0 {
      append(";")
      append(point.column + 1)
    }
    append("H")
  }

  private func canRepeat(_ columns: Range<Int>, row: Int, in frame: Frame) -> Bool {
    columns.allSatisfy { column in
      let cell = frame.cells[row * frame.size.width + column]
      return cell.width == 1 && cell.glyph < 0x80 && (cell.style == style || showsAsBlank(cell, in: style))
    }
  }

  // MARK: - Styles

  private mutating func setLink(_ desired: String?) {
    guard link != desired else { return }
    link = desired
    append("\u{1B}]8;;")
    if let desired { output += desired.utf8 }
    append("\u{1B}\\")
  }

  private mutating func resetStyle() {
    if let strings = dialect.strings { output += strings.resetAttributes } else { append("\u{1B}[m") }
    style = .plain
  }

  private mutating func set(_ desired: Style) {
    guard style != desired else { return }
    defer { style = desired }
    if let strings = dialect.strings {
      setByStrings(desired, strings)
    } else {
      setBySGR(from: style, to: desired)
    }
  }

  private mutating func setBySGR(from old: Style?, to desired: Style) {
    append("\u{1B}[")
    var needsSeparator = false
    func separate(_ output: inout [UInt8]) {
      if needsSeparator { output.append(0x3B) }
      needsSeparator = true
    }
    if old == nil {
      separate(&output)
      append("0")
    }
    var held = old.map { shownAttributes($0) } ?? []
    let attributes = shownAttributes(desired)
    for (group, code) in Self.offCodes where !held.intersection(group).isSubset(of: attributes) {
      separate(&output)
      append(code)
      held.subtract(group)
    }
    for (attribute, code) in Self.attributeCodes where attributes.contains(attribute) && !held.contains(attribute) {
      separate(&output)
      append(attribute == .wavyUnderline && dialect.wavyUnderline ? "4:3" : code)
    }
    if desired.foreground != (old?.foreground ?? .default) {
      separate(&output)
      appendColor(desired.foreground, base: 30)
    }
    if desired.background != (old?.background ?? .default) {
      separate(&output)
      appendColor(desired.background, base: 40)
    }
    // The styles may differ only in attributes that this terminal cannot show; then the sequence is removed.
    if needsSeparator { append("m") } else { output.removeLast(2) }
  }

  private static let attributeCodes: [(TextAttributes, StaticString)] = [
    (.bold, "1"), (.dim, "2"), (.italic, "3"), (.underline, "4"), (.wavyUnderline, "4"), (.reverse, "7"),
    (.strikethrough, "9"),
  ]

  /// Each code ends several attributes; the remaining ones are set again.
  private static let offCodes: [(TextAttributes, StaticString)] = [
    ([.bold, .dim], "22"), (.italic, "23"), ([.underline, .wavyUnderline], "24"), (.reverse, "27"),
    (.strikethrough, "29"),
  ]

  /// Returns the attributes of a style that this terminal can show together with its colors.
  private func shownAttributes(_ style: Style) -> TextAttributes {
    var attributes = style.attributes
    if !dialect.italic { attributes.remove(.italic) }
    if !dialect.strikethrough { attributes.remove(.strikethrough) }
    if style.foreground != .default || style.background != .default {
      attributes.subtract(dialect.attributesWithoutColor)
      if !dialect.hasBrightColors, case .indexed(8...15) = style.foreground.kind { attributes.insert(.bold) }
    }
    return attributes
  }

  private mutating func appendColor(_ color: Color, base: Int) {
    switch color.kind {
    case .default: append(base + 9)
    case .indexed(let index) where index < 8: append(base + Int(index))
    case .indexed(let index) where index < 16:
      append(dialect.hasBrightColors ? base + 60 + Int(index) - 8 : base + Int(index) - 8)
    case .indexed(let index):
      append(base + 8)
      append(";5;")
      append(Int(index))
    case .rgb(let red, let green, let blue):
      append(base + 8)
      append(";2;")
      append(Int(red))
      append(";")
      append(Int(green))
      append(";")
      append(Int(blue))
    }
  }

  private mutating func setByStrings(_ desired: Style, _ strings: TerminalDialect.Strings) {
    output += strings.resetAttributes
    for (attribute, _) in Self.attributeCodes where shownAttributes(desired).contains(attribute) {
      let sequence =
        strings.attributes[attribute] ?? (attribute == .wavyUnderline ? strings.attributes[.underline] : nil)
      output += sequence ?? []
    }
    if case .indexed(let index) = desired.foreground.kind { output += strings.foreground(Int(index)) }
    if case .indexed(let index) = desired.background.kind { output += strings.background(Int(index)) }
  }

  // MARK: - Bytes

  private mutating func append(_ text: StaticString) {
    text.withUTF8Buffer { output.append(contentsOf: $0) }
  }

  private mutating func append(_ number: Int) {
    if number >= 10 { append(number / 10) }
    output.append(0x30 + UInt8(truncatingIfNeeded: number % 10))
  }
}
