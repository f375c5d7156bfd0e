// Text without a distinctive header: the ending of the file or the content determines its format, such as `curl …` for
// a shell script.
extension ImportFormat {
  /// The ending of files whose content alone determines the format.
  static let plainTextEnding = "txt"

  static func ofText(_ text: String, named name: String) -> ImportFormat {
    guard let format = all.first(where: { $0.isText && $0.hasEnding(of: name) }) else {
      // A text of unknown form is read as an HTTP file, which needs a request line.
      return all.last { $0.recognizes(text: text) } ?? http
    }
    // Scripts for Windows are also saved with the ending of a shell script.
    if format.endings == shell.endings {
      return [commandPrompt, powerShell].first { $0.recognizes(text: text) } ?? shell
    }
    // A script for PowerShell is refused if it sends something, also with curl.
    if format.isPowerShell, !powerShell.recognizes(text: text), !shell.recognizes(text: text) { return http }
    return format
  }

  var isPowerShell: Bool { endings == Self.powerShell.endings }

  /// Returns whether a file of this name is not JSON, even if it starts with a brace or bracket.
  static func isText(named name: String) -> Bool {
    ending(of: name) == plainTextEnding || all.contains { $0.isText && $0.hasEnding(of: name) }
  }

  /// Returns whether text has the form of requests.
  func isCertain(of text: String, named name: String) -> Bool { hasEnding(of: name) || recognizes(text: text) }

  func read(_ text: String, _ files: AdjacentFiles, into collection: inout ImportedCollection) {
    if case .text(_, let read) = form { read(&collection, text, files) }
  }

  private var isText: Bool { if case .text = form { true } else { false } }

  private func recognizes(text: String) -> Bool { if case .text(let isOne, _) = form { isOne(text) } else { false } }

  private func hasEnding(of name: String) -> Bool { endings.contains(Self.ending(of: name)) }

  private static func ending(of name: String) -> String {
    name.lowercased().split(separator: ".").last.map { String($0) } ?? ""
  }
}

extension ImportedCollection {
  /// Reads the code blocks that contain requests. A GraphQL document alone has no endpoint and is ignored.
  mutating func readMarkdown(_ text: String, _ files: AdjacentFiles) {
    var block: [Substring] = []
    var fence: Substring = ""
    func finish(_ collection: inout ImportedCollection) {
      let code = block.joined(separator: "\n")
      let format = ImportFormat.ofText(code, named: "")
      if format.isCertain(of: code, named: "") { format.read(code, files, into: &collection) }
      block = []
      fence = ""
    }
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      let start = line.drop { $0 == " " || $0 == "\t" || $0 == ">" }
      let mark = start.prefix { $0 == start.first && ($0 == "`" || $0 == "~") }
      if fence.isEmpty {
        if mark.count >= 3 { fence = mark }
      } else if mark.first == fence.first, mark.count >= fence.count,
        start.dropFirst(mark.count).allSatisfy(\.isWhitespace)
      {
        finish(&self)
      } else {
        block.append(line)
      }
    }
    // A block without an end reaches to the end of the text.
    if !fence.isEmpty { finish(&self) }
  }
}
