import ApusExplorerCore
import ApusJSON
import Testing

/// The raw text of a response: lines, their paths, and matches.
@Suite struct RawTextTests {
  private static let value = BirdStation.json(
    #"{"a":{"b":[{"c":1,"\"q\"":"x: {"},[],{"c":2}],"e":{}},"d":"Über}"}"#)

  @Test func `lines match the pretty printed JSON`() {
    let raw = RawJSONText(VisibleJSON(Self.value))
    #expect(raw.text == JSONWriter.pretty(Self.value))
    #expect((0..<raw.lineCount).map { raw.line($0) }.joined(separator: "\n") == raw.text)
  }

  @Test func `fields added by the explorer are omitted`() {
    let value = BirdStation.json(#"{"data":{"a":[{"__typename":"A","b":1},{"__typename":"A"}],"__typename":"Query"}}"#)
    let hidden = HiddenFields(children: [
      "data": HiddenFields(names: ["__typename"], children: ["a": HiddenFields(names: ["__typename"])])
    ])
    let requested = BirdStation.json(#"{"data":{"a":[{"b":1},{}]}}"#)
    #expect(RawJSONText(VisibleJSON(value, without: hidden)).text == JSONWriter.pretty(requested))
  }

  @Test func `paths and lines map to each other`() {
    let raw = RawJSONText(VisibleJSON(Self.value))
    let paths: [(ResponsePath, String)] = [
      ([], "{"), (["a"], #""a": {"#), (["a", "b"], #""b": ["#), (["a", "b", 0], "{"),
      (["a", "b", 0, "c"], #""c": 1,"#),
      (["a", "b", 0, "\"q\""], #""\"q\"": "x: {""#), (["a", "b", 1], "[],"), (["a", "b", 2], "{"),
      (["a", "b", 2, "c"], #""c": 2"#), (["a", "e"], #""e": {}"#), (["d"], #""d": "Über}""#),
    ]
    for (path, text) in paths {
      let line = raw.line(of: path)
      #expect(raw.line(line).drop { $0 == " " } == text, "\(path)")
      #expect(raw.path(ofLine: line) == path, "\(text)")
    }
    #expect(raw.path(ofLine: raw.lineCount - 1) == [])
  }

  @Test func `the closing line of a value has its path`() {
    let raw = RawJSONText(VisibleJSON(Self.value))
    let close = (0..<raw.lineCount).first { raw.line($0).hasPrefix("    ]") }
    #expect(close.map { raw.path(ofLine: $0) } == ["a", "b"])
  }

  @Test func `a missing path maps to its nearest ancestor`() {
    let raw = RawJSONText(VisibleJSON(Self.value))
    #expect(raw.line(of: ["a", "nothing"]) == raw.line(of: ["a"]))
    #expect(raw.line(of: ["a", "b", 7]) == raw.line(of: ["a", "b"]))
  }

  @Test func `a long line is truncated between characters`() {
    let raw = RawJSONText(VisibleJSON(BirdStation.json(#"["éééé"]"#)))
    #expect(raw.line(1, limit: 4) == "  \"")
    #expect(raw.line(1, limit: 5) == #"  "é"#)
  }

  @Test func `search is case sensitive if the pattern has uppercase`() {
    let raw = RawJSONText(VisibleJSON(Self.value))
    #expect(raw.lines(with: "über").lines.isEmpty == true)
    #expect(raw.lines(with: "ber}").lines == [raw.line(of: ["d"])])
    #expect(raw.lines(with: "C").lines.isEmpty)
    #expect(raw.lines(with: "c").lines == [raw.line(of: ["a", "b", 0, "c"]), raw.line(of: ["a", "b", 2, "c"])])
  }

  @Test func `a line is split into its parts`() {
    func parts(_ line: String) -> [String] { RawLine(line).parts.map { "\($0.kind)|\($0.text)" } }
    #expect(
      parts(#"  "a": "b: c","#) == [
        "punctuation|  ", #"key|"a""#, "punctuation|: ", #"string|"b: c""#, "punctuation|,",
      ])
    #expect(parts("    -1.50e3,") == ["punctuation|    ", "number|-1.50e3", "punctuation|,"])
    #expect(parts(#""cut off"#) == [#"string|"cut off"#])
    #expect(parts("  },") == ["punctuation|  ", "punctuation|}", "punctuation|,"])
  }

  @Test func `links are found within text`() {
    #expect(Link.first(in: "see https://a.example/b?c=1&d=2.") == "https://a.example/b?c=1&d=2")
    #expect(Link.first(in: #""homepage": "http://x.example","#) == "http://x.example")
    #expect(Link.first(in: "(https://en.example/wiki/Apus_(bird))") == "https://en.example/wiki/Apus_(bird)")
    #expect(Link.first(in: "javascript:alert(1) ftp://x https://") == nil)
  }
}
