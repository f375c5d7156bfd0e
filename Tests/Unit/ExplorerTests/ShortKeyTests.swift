import ApusExplorerScreen
import Testing

/// A key of the cache in little room still tells two pages of one list apart.
@Suite struct ShortKeyTests {
  private static let key = #"QUERY_ROOT.birds({"after":"at-b5","first":5,"sort":null}).edges.3"#

  @Test(arguments: [
    (80, key), (50, #"QUERY_ROOT.birds(after:"at-b5",first:5).edges.3"#),
    (40, #"QUERY_ROOT.birds(after:"at-b5"…).edges.3"#), (28, "QUERY_ROOT.birds(…).edges.3"), (12, "…(…).edges.3"),
  ])
  func argumentsAreTheLastToGo(width: Int, text: String) {
    #expect(ShortKey(Self.key).text(in: width, ellipsis: "…") == text)
  }

  @Test func parenthesesInAStringAreNoEnd() {
    let key = #"QUERY_ROOT.find({"text":"a) (b\")","limit":null}).hits"#
    #expect(ShortKey(key).text(in: 45, ellipsis: "…") == #"QUERY_ROOT.find(text:"a) (b\")").hits"#)
  }
}
