import ApusFormatting
import ApusJSON

/// Converts headers typed as a JSON object, the format of other explorers.
enum HeadersInJSON {
  /// Returns one line per member, `Authorization: Bearer x` for `{"Authorization": "Bearer x"}`; nil if the text is not
  /// an object of plain values.
  static func lines(of text: String) -> [String]? {
    guard text.contains("{"), let root = try? JSONDocument(parsingRelaxed: text).root, root.kind == .object else {
      return nil
    }
    var lines: [String] = []
    for (name, value) in root.members {
      guard let text = value.string ?? value.numberText ?? value.bool.map(String.init),
        !text.contains(where: \.isNewline), HeaderLine("\(name): \(text)") != nil
      else { return nil }
      lines.append("\(name): \(text)")
    }
    return lines
  }
}

extension ExplorerState {
  /// Converts headers typed as a JSON object and shows a notice.
  mutating func convertHeadersFromJSON() -> [Effect] {
    guard let lines = HeadersInJSON.lines(of: tab.editors.headers.text) else { return [] }
    showNotice("The JSON was converted to \(DisplayFormat.plural(lines.count, "header line"))")
    return tab.editors.edit(.headers) { editor in
      editor.replace(.start..<editor.buffer.end, with: lines.joined(separator: "\n"))
    }
  }
}
