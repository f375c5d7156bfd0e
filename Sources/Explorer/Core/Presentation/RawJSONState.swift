import ApusClientAPI
import ApusJSON

/// The state of the raw JSON presentation: the formatted text and the scroll position.
package struct RawJSONState: Equatable, Sendable {
  package internal(set) var text: RawJSONText?
  package var list = ListCursor()
  /// The first visible column.
  package internal(set) var firstColumn = 0
  /// The response that the text is, or will be, generated from.
  private var source: Source?
  private(set) var version = 0
  /// The path to show when the text is ready; nil after that.
  private(set) var requested: ResponsePath?

  /// The parts of the formatted response, compared without a comparison of large values.
  struct Source: Equatable, Sendable {
    var data: JSONValue?
    var errors: [GraphQLError]
    var extensions: JSONValue?

    static func == (left: Source, right: Source) -> Bool {
      isSame(left.data, right.data) && isSame(left.extensions, right.extensions) && left.errors == right.errors
    }

    private static func isSame(_ left: JSONValue?, _ right: JSONValue?) -> Bool {
      guard let left, let right else { return left == nil && right == nil }
      return left.isSame(as: right)
    }
  }

  init(at path: ResponsePath) { requested = path }

  package var lineCount: Int { text?.lineCount ?? 0 }

  /// The selected line without its indentation and its trailing comma.
  var selectedLine: String? {
    guard let text else { return nil }
    var line = text.line(list.selected)[...].drop { $0 == " " }
    if line.hasSuffix(",") { line = line.dropLast() }
    return String(line)
  }

  /// Returns the effect that formats the current response; `nil` if that has been done or is in progress.
  mutating func layOut(_ value: VisibleJSON, from shown: Source) -> Effect? {
    guard source != shown else { return nil }
    source = shown
    version += 1
    return .reading(.formatJSON(value, at: requested ?? [], version: version))
  }

  mutating func laidOut(_ text: RawJSONText, line: Int) {
    self.text = text
    if requested != nil { list.scroll = max(0, line - 2) }
    list.select(requested == nil ? list.selected : line, count: text.lineCount)
    requested = nil
  }

  mutating func scroll(columns: Int) { firstColumn = max(0, firstColumn + columns) }
}

extension ResponseFeature {
  mutating func toggleRaw() -> [FollowUp] {
    if let raw = reading.raw {
      reading.view = .tree
      let followUps = reading.search.isActive ? search() : []
      return followUps
        + (raw.text.map { [.effect(.reading(.findPath($0, line: raw.list.selected, copies: false)))] } ?? [])
    }
    if view == .events {
      let followUps = openEvent()
      guard view == .tree else { return followUps }
    }
    let path = shownTree.path(ofRow: shownTree.list.selected)
    // The matches of the tree do not apply to the text; the search is repeated when the text is ready.
    reading.search.matches = []
    reading.view = .text(
      RawJSONState(at: reading.filter.result == nil ? ResponsePath([.key("data")] + path.components) : path))
    return []
  }

  mutating func laidOut(_ text: RawJSONText, line: Int, _ version: Int) -> [FollowUp] {
    guard reading.raw?.version == version else { return [] }
    reading.changeRaw { $0.laidOut(text, line: line) }
    return reading.search.isActive ? search() : []
  }

  mutating func linesFound(_ lines: [Int], isCut: Bool, _ version: Int) {
    guard version == reading.search.version, case .text = view else { return }
    reading.search.isSearching = false
    reading.search.lines = lines
    reading.search.isCut = isCut
    reading.search.isToBeShown = !lines.isEmpty
    if let first = lines.first { list.select(first, count: rowCount) }
  }

  mutating func pathFound(_ found: ResponsePath, copies: Bool) -> [FollowUp] {
    var path = found
    // The text shows the complete response, but tree paths start at its data.
    if reading.filter.result == nil, path.components.first == .key("data") {
      path = ResponsePath(Array(path.components.dropFirst()))
    }
    if copies { return [.copy(path.description)] }
    if view == .tree { shownTree.reveal(path) }
    return []
  }
}
