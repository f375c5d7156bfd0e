import ApusFormatting
import ApusExplorerCore
import ApusExplorerTerminal

/// Draws the write log of the cache: the list of writes, or one write with each field before and after.
extension Painter {
  mutating func paintWrites(_ area: Rect) {
    let cache = state.cache
    guard let opened = cache.openedWrite else {
      if cache.writes.isEmpty { paintEmpty(["No cache writes yet"], in: area) }
      return paintRows(
        cache.writeList, count: cache.writes.count, in: area, isFocused: state.screen.focus == .cache
      ) { painter, index, rect in
        painter.paintWriteEntry(cache.writes[index], in: rect)
      }
    }
    paintRows(
      cache.writeList, count: opened.rows.count, in: area, isFocused: state.screen.focus == .cache
    ) { painter, index, rect in
      painter.paintWrittenField(opened.rows[index], in: rect)
    }
  }

  private mutating func paintWriteEntry(_ entry: CacheWriteEntry, in rect: Rect) {
    var column = put("\(entry.number) ", at: rect.column + 2, in: rect, theme[.muted])
    column = put(entry.title, at: column, in: rect, theme[.text])
    if let index = entry.payloadIndex { column = put(" payload \(index + 1)", at: column, in: rect, theme[.accent]) }
    let counts =
      "\(DisplayFormat.plural(entry.recordCount, "record")), \(DisplayFormat.plural(entry.fieldCount, "field"))"
    let start = rect.endColumn - 1 - TextWidth.width(of: counts)
    if start > column { put(counts, at: start, in: rect, theme[.count]) }
  }

  private mutating func paintWrittenField(_ row: CacheWriteDetail.Row, in rect: Rect) {
    var column = put(row.record, at: rect.column + 2, in: rect, theme[.link])
    column = put(".\(row.field) ", at: column, in: rect, theme[.objectKey])
    if let before = row.before {
      column = put("\(before) ", at: column, in: rect, theme[.muted])
      column = put("\(glyphs.reference) ", at: column, in: rect, theme[.accent])
    }
    put(row.after ?? "gone", at: column, in: rect, theme[row.after == nil ? .muted : .text])
  }
}
