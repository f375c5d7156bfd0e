import ApusAlgorithms
import ApusExplorerText
import ApusSecrets

/// The servers that each header line of a tab is for.
///
/// 1. A line that is typed, pasted or edited in an editor is for the server that is open at that time. An imported line
///    is for the server that the import names.
/// 2. An edited line that keeps part of its value keeps its servers. So does a value that reappears in one step, by
///    undo or from a register.
/// 3. A header is withheld from any other server until the user agrees to send it there.
package struct HeaderOrigins: Equatable, Sendable {
  /// A line and its servers. `nil` among them means the server that is opened next, because none is open yet. An empty
  /// set means that the server is unknown.
  private struct Line: Equatable {
    var text: String
    var origins: Set<Origin?>
    /// The servers that the user declined to send the line to.
    var declined: Set<Origin?> = []
    /// The server to which another program sent the line; `nil` for a line of the user.
    var sentTo: Origin?
  }

  /// A header that is withheld.
  package struct Withheld: Equatable, Sendable {
    package let header: HeaderLine
    /// The servers that it is for, sorted.
    package let origins: [Origin]
    /// The server to which another program sent it; `nil` for a header of the user.
    let sentTo: Origin?
    /// Whether the user was asked and did not want to send it.
    let isDeclined: Bool
  }

  private var lines: [Line] = []
  /// The servers of recently written values, newest last. A value that reappears gets the same servers.
  private var seen: [(header: HeaderLine, origins: Set<Origin?>)] = []
  private static let seenLimit = 512

  package init() {}

  /// Creates the lines of imported headers, which are for one server; `nil` if the import does not name one.
  init(importing text: String, for origin: Origin?) {
    let origins: Set<Origin?> = origin.map { [$0] } ?? []
    replaceLines(Self.lines(of: TextBuffer(text)).map { Line(text: $0, origins: origins) })
  }

  /// Notes that another program sent the lines to a server. They are still withheld from it.
  mutating func note(sentTo origin: Origin?) {
    for index in lines.indices { lines[index].sentTo = origin }
  }

  package static func == (left: HeaderOrigins, right: HeaderOrigins) -> Bool { left.lines == right.lines }

  private static func lines(of text: TextBuffer) -> [String] { text.isEmpty ? [] : text.lines }

  // MARK: Sending and withholding

  /// Returns the headers for a server, except those on some lines.
  func headers(for origin: Origin?, except omitted: Set<Int> = []) -> TabHeaders {
    let sent = lines.enumerated().filter { $1.origins.contains(origin) && !omitted.contains($0) }
    return TabHeaders(sent.compactMap { HeaderLine($1.text) }, for: origin)
  }

  /// Returns the headers that are withheld from a server.
  package func withheld(from origin: Origin?) -> [Withheld] {
    lines.filter { !$0.origins.contains(origin) }.compactMap { line in
      HeaderLine(line.text).map {
        Withheld(
          header: $0, origins: line.origins.compactMap { $0 }.sorted { $0.description < $1.description },
          sentTo: line.sentTo, isDeclined: line.declined.contains(origin))
      }
    }
  }

  /// Whether the header on a line is withheld from a server.
  package func isWithheld(line: Int, from origin: Origin?) -> Bool {
    lines.indices.contains(line) && !lines[line].origins.contains(origin) && HeaderLine(lines[line].text) != nil
  }

  /// Applies the user's answer to all headers that are withheld from a server.
  mutating func answer(sends: Bool, to origin: Origin?) {
    replaceLines(
      lines.map { line in
        guard !line.origins.contains(origin), HeaderLine(line.text) != nil else { return line }
        var line = line
        if sends { line.origins.insert(origin) } else { line.declined.insert(origin) }
        return line
      })
  }

  /// Binds the lines that were written before any server was open.
  mutating func opened(_ origin: Origin?) {
    replaceLines(
      lines.map { line in
        var line = line
        if line.origins.contains(nil) {
          line.origins.remove(nil)
          line.origins.insert(origin)
        }
        return line
      })
  }

  // MARK: Saved sessions

  /// The servers of each line; `nil` for a line of the server that is opened next.
  package var saved: [[Origin]?] {
    lines.map { line in
      line.origins.contains(nil) ? nil : line.origins.compactMap { $0 }.sorted { $0.description < $1.description }
    }
  }

  /// Restores the lines with their saved servers. Without servers, the lines are for the server that is open or is opened
  /// next.
  init(restoring text: TextBuffer, _ saved: [[Origin]?]?) {
    let texts = Self.lines(of: text)
    replaceLines(
      texts.enumerated().map { index, text in
        guard let saved else { return Line(text: text, origins: [nil]) }
        // A file that was edited by hand may have too few entries.
        let origins = saved.indices.contains(index) ? saved[index] : []
        return Line(text: text, origins: origins.map { Set($0.map(Optional.some)) } ?? [nil])
      })
  }

  // MARK: Editing

  /// Updates the lines after an edit made while a server is open.
  mutating func update(from text: TextBuffer, at origin: Origin?) {
    let texts = Self.lines(of: text)
    if texts.elementsEqual(lines, by: { $0.utf8.elementsEqual($1.text.utf8) }) { return }
    let start = zip(texts, lines).prefix { $0.utf8.elementsEqual($1.text.utf8) }.count
    let end = zip(texts[start...].reversed(), lines[start...].reversed())
      .prefix { $0.utf8.elementsEqual($1.text.utf8) }.count
    let before = Array(lines[start..<(lines.count - end)])
    let after = texts[start..<(texts.count - end)]
    let changed = after.enumerated().map { index, text in
      line(text, from: before.count == after.count ? [before[index]] : before, moved: before, at: origin)
    }
    lines = Array(lines[..<start]) + changed + lines[(lines.count - end)...]
  }

  /// Returns a changed line. It keeps the servers of the previous line if any of the value is left.
  private mutating func line(_ text: String, from before: [Line], moved: [Line], at origin: Origin?) -> Line {
    if let same = moved.first(where: { $0.text.utf8.elementsEqual(text.utf8) }) { return same }
    let edits = before.map { LineEdit(from: $0.text, to: text) }
    if edits.allSatisfy({ $0.insertedCount > 1 }), let header = HeaderLine(anywhereIn: text),
      let entry = seen.last(where: { $0.header.isSame(as: header) })
    {
      return Line(text: text, origins: entry.origins)
    }
    let unchanged = zip(before, edits).filter { $0.1.keepsValue }.map(\.0)
    let sentTo = unchanged.first?.sentTo
    let origins = unchanged.dropFirst().reduce(unchanged.first?.origins ?? [origin]) { $0.intersection($1.origins) }
    if let header = HeaderLine(anywhereIn: text), !header.value.isEmpty {
      // A value that is being typed is stored once.
      let typed = unchanged.compactMap { HeaderLine(anywhereIn: $0.text) }.filter { header.value.hasPrefix($0.value) }
      seen.removeAll { entry in entry.header.isSame(as: header) || typed.contains { $0.isSame(as: entry.header) } }
      seen = seen.suffix(Self.seenLimit - 1) + [(header, origins)]
    }
    return Line(text: text, origins: origins, sentTo: sentTo)
  }

  private mutating func replaceLines(_ new: [Line]) {
    lines = new
    for line in new {
      guard let header = HeaderLine(anywhereIn: line.text), !header.value.isEmpty else { continue }
      if let index = seen.lastIndex(where: { $0.header.isSame(as: header) }) {
        seen[index].origins = line.origins
      } else {
        seen = seen.suffix(Self.seenLimit - 1) + [(header, line.origins)]
      }
    }
  }
}

/// A change of one line.
private struct LineEdit {
  /// The number of inserted bytes.
  let insertedCount: Int
  /// Whether part of the old line's value is kept.
  let keepsValue: Bool

  init(from old: String, to new: String) {
    let (before, after) = (Self.bytes(of: old), Self.bytes(of: new))
    let head = zip(before, after).prefix { $0 == $1 }.count
    let tail = zip(before[head...].reversed(), after[head...].reversed()).prefix { $0 == $1 }.count
    insertedCount = after.count - head - tail
    let (oldStart, newStart) = (Self.valueStart(old), Self.valueStart(new))
    keepsValue =
      before.count > oldStart && after.count > newStart && (head > max(oldStart, newStart) || tail > 0)
  }

  /// White space at the end is not part of a value.
  private static func bytes(of line: String) -> ArraySlice<UInt8> { Array(line.utf8).trimmingSuffix { $0 <= 0x20 } }

  /// Returns the offset of the value, or 0 if the line has no header, because it may become one.
  private static func valueStart(_ line: String) -> Int { HeaderLine(anywhereIn: line)?.valueColumn ?? 0 }
}

extension HeaderLine {
  /// Parses a header, commented out or not.
  fileprivate init?(anywhereIn line: String) {
    guard let header = HeaderLine(line) ?? HeaderLine(commentedOut: line) else { return nil }
    self = header
  }

  /// Whether the name and the bytes of the value are equal.
  fileprivate func isSame(as other: HeaderLine) -> Bool {
    name.lowercased() == other.name.lowercased() && value.utf8.elementsEqual(other.value.utf8)
  }
}
