import ApusExplorerScreen
import Testing

/// Shortened cache keys still distinguish two pages of one list.
@Suite struct ShortKeyTests {
  private static let key = #"QUERY_ROOT.birds({"after":"at-b5","first":5,"sort":null}).edges.3"#

  @Test(arguments: [
    (80, key), (50, #"QUERY_ROOT.birds(after:"at-b5",first:5).edges.3"#),
    (40, #"QUERY_ROOT.birds(after:"at-b5"…).edges.3"#), (28, "QUERY_ROOT.birds(…).edges.3"), (12, "…(…).edges.3"),
  ])
  func `arguments are abbreviated then truncated then omitted`(width: Int, text: String) {
    #expect(AbbreviatedKey(Self.key).text(in: width, ellipsis: "…") == text)
  }

  @Test func `parentheses in a string do not end the arguments`() {
    let key = #"QUERY_ROOT.find({"text":"a) (b\")","limit":null}).hits"#
    #expect(AbbreviatedKey(key).text(in: 45, ellipsis: "…") == #"QUERY_ROOT.find(text:"a) (b\")").hits"#)
  }
}
