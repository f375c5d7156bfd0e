import ApusExplorerCore
import ApusJSON
import Testing

/// The order of table rows.
struct ResponseTableTests {
  @Test func `rows without a value sort last in both directions`() throws {
    let data = BirdStation.json(#"{"birds":[{"ring":"c","km":2},{"ring":"b"},{"ring":null,"km":10},{"ring":"b"}]}"#)
    var table = try #require(ResponseTable(of: VisibleJSON(data), at: ["birds"]))
    #expect(table.sortedItems() == [0, 1, 2, 3])
    table.cycleSorting()
    #expect(table.sortedItems() == [1, 3, 0, 2])
    table.cycleSorting()
    #expect(table.sortedItems() == [0, 1, 3, 2])
    table.cycleSorting()
    #expect(table.sortedItems() == [0, 1, 2, 3])
    table.moveColumn(by: 1)
    table.cycleSorting()
    #expect(table.sortedItems() == [0, 2, 1, 3], "numbers sort by value")
  }
}
