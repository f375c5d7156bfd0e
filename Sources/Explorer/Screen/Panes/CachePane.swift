import ApusFormatting
import ApusExplorerCore
import ApusExplorerTerminal
import ApusJSON

/// The layout of the cache inspector in its pane.
struct CacheGeometry {
  let header: Rect?
  let list: Rect
  let filter: Rect?

  init(_ cache: CacheFeature, in area: Rect) {
    if let edit = cache.edit, cache.openedKey == edit.record, area.height > 2 {
      header = area.line(0)
      filter = area.line(area.height - 1)
      list = Rect(column: area.column, row: area.row + 1, width: area.width, height: area.height - 2)
    } else if cache.isShowingWrites {
      header = nil
      filter = nil
      list = area
    } else if cache.openedKey != nil {
      header = area.line(0)
      filter = nil
      list = Rect(column: area.column, row: area.row + 1, width: area.width, height: area.height - 1)
    } else {
      header = nil
      let hasFilter = cache.isFiltering || !cache.filter.isEmpty
      filter = hasFilter ? area.line(area.height - 1) : nil
      list = Rect(column: area.column, row: area.row, width: area.width, height: area.height - (hasFilter ? 1 : 0))
    }
  }
}

extension Painter {
  mutating func paintCache(_ area: Rect) {
    let cache = state.cache
    let geometry = CacheGeometry(cache, in: area)
    if cache.isShowingWrites { return paintWrites(geometry.list) }
    if let header = geometry.header {
      paintRecord(header, geometry.list)
      if let edit = cache.edit, let line = geometry.filter { paintEdit(edit, in: line) }
      return
    }
    let isFocused = state.screen.focus == .cache && !cache.isFiltering
    if let reason = cache.reasonForNoRecords { paintEmpty([reason], in: geometry.list) }
    paintRows(cache.list, count: cache.records.count, in: geometry.list, isFocused: isFocused) { painter, index, rect in
      painter.paintRecordEntry(cache.records[index], in: rect)
    }
    guard let filter = geometry.filter else { return }
    frame.fill(filter, style: theme[.input])
    var column = put(" / ", at: filter.column, in: filter, theme[.accent, on: .input])
    let count = " \(DisplayFormat.count(cache.records.count)) of \(DisplayFormat.count(cache.totalCount)) "
    column = paintInput(
      cache.filterInput, at: column, in: room(in: filter, beside: count), on: .input,
      hasKeys: cache.isFiltering && state.screen.focus == .cache)
    let countColumn = filter.endColumn - TextWidth.width(of: count)
    if countColumn > column { put(count, at: countColumn, in: filter, theme[.placeholder]) }
  }

  /// Draws a record's key, type (if there is space and the key does not contain it), field count and size.
  private mutating func paintRecordEntry(_ record: RecordEntry, in rect: Rect) {
    if state.cache.marked.contains(record.key) {
      put(String(glyphs.fulfilled), at: rect.column, in: rect, theme[.accent])
    } else if !record.isReachable {
      put(String(glyphs.notExecuted), at: rect.column, in: rect, theme[.muted])
    }
    let size = DisplayFormat.bytes(record.byteSize)
    let sizeWidth = TextWidth.width(of: size)
    put(size, at: rect.endColumn - 1 - sizeWidth, in: rect, theme[.number])
    // Wide enough for almost every size, so that the columns before it align.
    let sizeColumn = rect.endColumn - 1 - max(6, sizeWidth)
    var keyEnd = sizeColumn - 1
    if rect.width >= 48 {
      let fields = DisplayFormat.plural(record.fieldCount, "field")
      let column = sizeColumn - 2 - max(9, TextWidth.width(of: fields))
      put(fields, at: column, in: rect, theme[.muted])
      keyEnd = column - 1
    }
    if rect.width >= 84 {
      let expiry = record.expiresIn.map { $0 <= 0 ? ", expired" : ", \(DisplayFormat.seconds($0)) left" } ?? ""
      let more =
        "\(DisplayFormat.plural(record.referrerCount, "referrer"))  \(DisplayFormat.seconds(record.age)) old\(expiry)"
      keyEnd -= 2 + TextWidth.width(of: more)
      put(more, at: keyEnd + 1, in: rect, theme[.muted])
    }
    let end = paintKey(shortened(record.key, to: keyEnd - rect.column - 2), at: rect.column + 2, in: rect)
    if let typename = record.typename, !record.key.hasPrefix(typename + ":"), end + 2 < keyEnd {
      let type = TextWidth.truncated(typename, to: keyEnd - end - 2, ellipsis: glyphs.ellipsis)
      put(type, at: end + 2, in: rect, theme[.typename])
    }
  }

  private func shortened(_ key: String, to width: Int) -> String {
    AbbreviatedKey(key).text(in: width, ellipsis: glyphs.ellipsis)
  }

  private mutating func paintKey(_ key: String, at column: Int, in rect: Rect) -> Int {
    guard let colon = key.firstIndex(of: ":"), !key[..<colon].contains("(") else {
      return put(key, at: column, in: rect, theme[.text])
    }
    let end = put(String(key[..<colon]), at: column, in: rect, theme[.typename])
    return put(String(key[colon...]), at: end, in: rect, theme[.text])
  }

  private mutating func paintRecord(_ header: Rect, _ area: Rect) {
    let cache = state.cache
    var column = put(" ", at: header.column, in: header, theme[.muted])
    if !cache.back.isEmpty { column = put("\(cache.back.count) back ", at: column, in: header, theme[.muted]) }
    let room = header.endColumn - column - 12
    column = paintKey(shortened(cache.openedKey ?? "", to: room), at: column + 1, in: header)
    if let opened = cache.opened {
      let read = opened.watchers.isEmpty ? "" : "read by \(opened.watchers.joined(separator: ", "))  "
      let note = "\(read)\(DisplayFormat.bytes(opened.byteSize)) "
      let start = header.endColumn - TextWidth.width(of: note)
      if start > column { put(note, at: start, in: header, theme[.number]) }
    }
    frame.restyle(header) { $0.with(.bold) }
    guard let opened = cache.opened else {
      return paintEmpty(cache.isGone ? ["\(glyphs.notExecuted) This record is no longer in the cache"] : [], in: area)
    }
    paintRows(
      cache.recordList, count: opened.rowCount, in: area, isFocused: state.screen.focus == .cache
    ) { painter, index, rect in
      if opened.rows.indices.contains(index) {
        painter.paintRecordRow(opened.rows[index], in: rect)
      } else if index < opened.rows.count + opened.referrers.count {
        painter.paintReferrer(opened.referrers[index - opened.rows.count], "referred to by ", in: rect)
      } else {
        painter.paintReferrer(
          opened.path[index - opened.rows.count - opened.referrers.count], "reached by ", in: rect)
      }
    }
  }

  private mutating func paintRecordRow(_ row: RecordDetail.Row, in rect: Rect) {
    var column = rect.column + 2 + min(row.depth * 2, rect.width / 2)
    let label = shortened(row.label, to: rect.width * 2 / 3)
    column = put(label, at: column, in: rect, theme[row.depth == 0 ? .objectKey : .muted])
    switch row.value {
    case .scalar(let value):
      column = put(": ", at: column, in: rect, theme[.punctuation])
      paintScalar(value, at: column, in: rect)
    case .reference(let key):
      column = put(" \(glyphs.reference) ", at: column, in: rect, theme[.accent])
      put(shortened(key, to: rect.endColumn - column - 1), at: column, in: rect, theme[.link])
    case .list(let count): put("  [\(DisplayFormat.count(count))]", at: column, in: rect, theme[.count])
    case .object(let count): put("  {\(count)}", at: column, in: rect, theme[.count])
    case .missing: put("  not fetched", at: column, in: rect, theme[.muted])
    case .more(let count): put("  \(DisplayFormat.count(count)) more", at: column, in: rect, theme[.muted])
    }
  }

  private mutating func paintScalar(_ value: JSONValue, at column: Int, in rect: Rect) {
    switch value.kind {
    case .string: put("\"\((value.string ?? "").prefix(500))\"", at: column, in: rect, theme[.string])
    case .number: put(value.numberText ?? "", at: column, in: rect, theme[.number])
    case .bool, .null: put(value.description, at: column, in: rect, theme[.constant])
    case .array, .object: put(String(value.description.prefix(500)), at: column, in: rect, theme[.muted])
    }
  }

  private mutating func paintEdit(_ edit: FieldEdit, in line: Rect) {
    frame.fill(line, style: theme[.input])
    let column = put(" \(edit.field) = ", at: line.column, in: line, theme[.accent, on: .input])
    _ = paintInput(edit.input, at: column, in: line, on: .input, hasKeys: state.screen.focus == .cache)
  }

  private mutating func paintReferrer(_ referrer: RecordDetail.Referrer, _ words: String, in rect: Rect) {
    var column = put(words, at: rect.column + 2, in: rect, theme[.muted])
    let field = shortened(referrer.field, to: rect.width / 3)
    let room = rect.endColumn - column - TextWidth.width(of: field) - 3
    column = put(shortened(referrer.key, to: room), at: column, in: rect, theme[.link])
    put("  \(field)", at: column, in: rect, theme[.muted])
  }
}
