import ApusJSON

/// The response shown as JSON text: what is laid out of it, and where one is in it.
package struct RawReading: Hashable, Sendable {
  package internal(set) var text: RawText?
  package var list = ListCursor()
  /// The first column in view.
  package internal(set) var firstColumn = 0
  /// What the text is of, or will be.
  private(set) var source: SharedJSON?
  private(set) var version = 0
  /// Where the text is to be opened, until it is there.
  private(set) var wanted: ResponsePath?

  init(at path: ResponsePath) { wanted = path }

  package var lineCount: Int { text?.lineCount ?? 0 }

  /// The selected line without its indentation and the comma behind it.
  var selectedLine: String? {
    guard let text else { return nil }
    var line = text.line(list.selected)[...].drop { $0 == " " }
    if line.hasSuffix(",") { line = line.dropLast() }
    return String(line)
  }

  /// What must be laid out for what the response is now; `nil` where that is done or under way.
  mutating func layOut(_ value: SharedJSON, marking part: JSONValue) -> Effect? {
    guard !(source?.value.isIdentical(to: part) ?? false) else { return nil }
    source = SharedJSON(part)
    version += 1
    return .layOut(value, at: wanted ?? [], version: version)
  }

  mutating func laidOut(_ text: RawText, line: Int) {
    self.text = text
    if wanted != nil { list.scroll = max(0, line - 2) }
    list.select(wanted == nil ? list.selected : line, count: text.lineCount)
    wanted = nil
  }

  mutating func scroll(columns: Int) { firstColumn = max(0, firstColumn + columns) }
}

extension ExplorerState {
  /// What is made beside the loop of what is shown, and is not of what that is now: the response's text, the order of its
  /// table, the rows of a form.
  mutating func derivedEffects() -> [Effect] {
    var effects: [Effect] = []
    if var raw = reading.raw, let data = shownTree.data {
      if let effect = raw.layOut(wholeResponse, marking: data) { effects.append(effect) }
      reading.raw = raw
    }
    if let place = popups.lastIndex(where: { if case .form = $0 { true } else { false } }),
      case .form(var form) = popups[place]
    {
      if let effect = form.fill(from: query, variables) { effects.append(effect) }
      popups[place] = .form(form)
    }
    if let run, let next = reading.events?.nextToFilter() {
      effects.append(
        .filterEvents(reading.events?.filter ?? "", next.lines, run: run.id, version: next.version))
    }
    if let effect = reading.table?.orderEffect() { effects.append(effect) }
    return effects
  }

  /// The whole response; of a filtered one what the filter made of it.
  var wholeResponse: SharedJSON {
    guard let shown = shownData else { return SharedJSON(.null) }
    guard reading.filter.result == nil else { return shown }
    let data = shown.value
    var members = [("data", data)]
    if let errors = run?.errors, !errors.isEmpty { members.append(("errors", .array(errors.map(\.json)))) }
    if let extensions = run?.extensions { members.append(("extensions", extensions)) }
    return SharedJSON(.object(members), without: shown.hidden.map { HiddenFields(children: ["data": $0]) })
  }

  mutating func toggleRaw() -> [Effect] {
    if let raw = reading.raw {
      reading.raw = nil
      let effects = reading.search.isActive ? searchEffects() : []
      return effects + (raw.text.map { [.findPlace($0, line: raw.list.selected, copies: false)] } ?? [])
    }
    let tree = shownTree
    let path = tree.path(ofRow: tree.list.selected)
    reading.table = nil
    // Text and matches of the tree go together: they are found anew once the text is there.
    reading.search.matches = []
    reading.raw = RawReading(
      at: reading.filter.result == nil ? ResponsePath([.key("data")] + path.components) : path)
    return []
  }

  mutating func scrollText(columns: Int) -> [Effect] {
    reading.raw?.scroll(columns: columns)
    return []
  }

  mutating func receiveRaw(_ action: Action) -> [Effect] {
    switch action {
    case .laidOut(let text, let line, let version):
      guard reading.raw?.version == version else { return [] }
      reading.raw?.laidOut(text, line: line)
      return reading.search.isActive ? searchEffects() : []
    case .linesFound(let lines, let isCut, let version):
      guard version == reading.search.version, reading.raw != nil else { return [] }
      reading.search.isSearching = false
      reading.search.lines = lines
      reading.search.isCut = isCut
      let count = reading.raw?.lineCount ?? 0
      if let first = lines.first { reading.raw?.list.select(first, count: count) }
    case .placeFound(var path, let copies):
      // What is shown is the response; what is walked is its data.
      if reading.filter.result == nil, path.components.first == .key("data") {
        path = ResponsePath(Array(path.components.dropFirst()))
      }
      if copies { return copy(path.description) }
      guard reading.raw == nil, reading.table == nil else { return [] }
      shownTree.reveal(path)
    default: break
    }
    return []
  }
}
