import ApusClientOperation
import ApusJSON
import ApusTestSupport
import Testing

@testable import ApusClientCache

/// Local changes to connections that were read from several pages: the change has the same effect as if the connection had
/// been received in one page.
@Suite(.timeLimit(.minutes(1))) struct AssembledConnectionTests {
  /// The position of the connection.
  enum Place: CaseIterable {
    case root, belowKey, inElement
  }

  private static let policies = CachePolicies(fields: [
    "Query.tasks": FieldPolicy(merge: .connection), "Org.tasks": FieldPolicy(merge: .connection),
    "Group.tasks": FieldPolicy(merge: .connection),
  ])

  private static let operations = OperationMemo()

  private func query(_ place: Place, _ arguments: String, _ fields: String) throws -> CompiledOperation {
    let tasks = "tasks(\(arguments)) { __typename \(fields) }"
    return switch place {
    case .root: try Self.operations.operation("{ \(tasks) }")
    case .belowKey: try Self.operations.operation("{ org { __typename id \(tasks) } }")
    case .inElement: try Self.operations.operation("{ groups { __typename owner { __typename id } \(tasks) } }")
    }
  }

  private func data(_ place: Place, _ connection: String) -> String {
    switch place {
    case .root: #"{"tasks":\#(connection)}"#
    case .belowKey: #"{"org":{"__typename":"Org","id":"1","tasks":\#(connection)}}"#
    case .inElement:
      #"{"groups":[{"__typename":"Group","owner":{"__typename":"User","id":"1"},"tasks":\#(connection)}]}"#
    }
  }

  private func connection(_ edges: [String], isFull: Bool, cursors: [String] = [], next: Bool = false) -> String {
    let list = #""edges":[\#(edges.joined(separator: ","))]"#
    guard isFull else { return #"{"__typename":"Tasks",\#(list)}"# }
    let info =
      #"{"__typename":"PageInfo","hasNextPage":\#(next),"hasPreviousPage":false,"#
      + #""startCursor":"\#(cursors.first ?? "")","endCursor":"\#(cursors.last ?? "")"}"#
    return #"{"__typename":"Tasks","totalCount":9,\#(list),"pageInfo":\#(info)}"#
  }

  private static let allFields =
    "totalCount edges { __typename cursor name note node { __typename id } } pageInfo "
    + "{ __typename hasNextPage hasPreviousPage startCursor endCursor }"
  private static let lightFields = "edges { __typename name node { __typename id } }"

  /// An edge: a name, and the id of its node or null.
  private func edge(_ text: String, isFull: Bool) -> String {
    let parts = text.split(separator: "-").map(String.init)
    let node = parts.count > 1 ? #"{"__typename":"Task","id":"\#(parts[1])"}"# : "null"
    let rest = isFull ? #""cursor":"c\#(text)","name":"\#(parts[0])","note":"n\#(text)""# : #""name":"\#(parts[0])""#
    return #"{"__typename":"Edge",\#(rest),"node":\#(node)}"#
  }

  /// Writes the pages of a list, of which each begins at a split.
  private func writePages(_ edges: [String], splits: [Int], _ place: Place, to store: CacheStore) async throws {
    let bounds = [0] + splits + [edges.count]
    var after: String?
    for (start, end) in zip(bounds, bounds.dropFirst()) {
      let page = Array(edges[start..<end])
      let cursors = page.map { "c\($0)" }
      let arguments = "first: \(page.count)" + (after.map { #", after: "\#($0)""# } ?? "")
      try await store.write(
        data(
          place,
          connection(page.map { edge($0, isFull: true) }, isFull: true, cursors: cursors, next: end < edges.count)),
        try query(place, arguments, Self.allFields))
      after = cursors.last
    }
  }

  /// The results of a local change to the first elements of a list: all fields afterwards, and the missing ones.
  private func result(
    of change: [String], to edges: [String], splits: [Int], _ place: Place, kind: CacheKind = .memory
  ) async throws -> String {
    let folder = try TemporaryFolder()
    let store = CacheStore(cache: try kind.cache(in: folder), policies: Self.policies)
    try await writePages(edges, splits: splits, place, to: store)
    let light = try query(place, "first: \(edges.count)", Self.lightFields)
    let all = try query(place, "first: \(edges.count)", Self.allFields)
    #expect(try await store.look(all).isComplete)
    let next = try json(data(place, connection(change.map { edge($0, isFull: false) }, isFull: false)))
    try await store.update(light) { $0 = next }
    let removed = try await store.collectGarbage(onlyRetained: false).descriptions
    #expect(removed.allSatisfy { $0.hasPrefix("Task:") }, "no embedded record is left over")
    return try await store.look(all, partial: true).text
  }

  private static let lists: [[String]] = {
    let items = ["a-1", "a-2", "b-1", "b", "a"]
    var lists: [[String]] = []
    for first in items {
      for second in items where second != first {
        lists.append([first, second])
        for third in items where third != first && third != second { lists.append([first, second, third]) }
      }
    }
    return lists
  }()

  @Test func `every change of every assembled list has the result of a single page`() async throws {
    var count = 0
    let changes = [[], ["a-1"], ["x"]] + Self.lists.filter { $0.count == 2 }
    for (number, edges) in Self.lists.enumerated() {
      for change in changes {
        let place = Place.allCases[(number + count) % 3]
        let expected = try await result(of: change, to: edges, splits: [], place)
        for split in 1..<edges.count {
          let found = try await result(of: change, to: edges, splits: [split], place)
          #expect(found == expected, "\(edges) split at \(split), changed to \(change) at \(place)")
          count += 1
        }
      }
    }
    print("assembled connections: \(count) comparisons")
    #expect(count > 3000)
  }

  @Test(arguments: CacheKind.allCases, Place.allCases)
  func `elements keep their fields in each cache`(kind: CacheKind, place: Place) async throws {
    let edges = ["a-1", "b-2", "c-3", "d"]
    for change in [
      ["d", "c-3", "b-2", "a-1"], ["b-2", "d"], ["x-3", "a-1"], ["new", "a-1", "b-2", "c-3", "d"], edges,
    ] {
      let expected = try await result(of: change, to: edges, splits: [], place, kind: kind)
      let found = try await result(of: change, to: edges, splits: [1, 3], place, kind: kind)
      #expect(found == expected, "\(change)")
      if change.allSatisfy({ $0 != "new" }) { #expect(!found.contains("missing")) }
    }
  }

  @Test(arguments: CacheKind.allCases)
  func `a changed count keeps the edges of all pages`(kind: CacheKind) async throws {
    let folder = try TemporaryFolder()
    let store = CacheStore(cache: try kind.cache(in: folder), policies: Self.policies)
    try await writePages(["a-1", "b-2", "c-3"], splits: [2], .root, to: store)
    let all = try query(.root, "first: 3", Self.allFields)
    let before = try #require(try await store.look(all).data?.description)
    try await store.update(try query(.root, "first: 3", "totalCount")) {
      $0 = try $0.replacing(at: ["tasks", "totalCount"], with: 8)
    }
    #expect(try await store.look(all).text == before.replacing(":9", with: ":8"))
    #expect(before.contains(#""startCursor":"ca-1","endCursor":"cc-3""#))
    let count = try json(#"{"tasks":{"__typename":"Tasks","totalCount":7}}"#)
    try await store.transaction { [self] in
      $0.write(count, operation: try query(.root, "first: 2", "totalCount"))
      $0.write(count, operation: try query(.root, "last: 2, before: \"cc-3\"", "totalCount"))
    }
    let backward = try await store.look(try query(.root, "last: 2, before: \"cc-3\"", Self.allFields))
    #expect(backward.data?["tasks"]?["edges"]?.elements.compactMap { $0["name"]?.string } == ["a", "b"])
    #expect(backward.isComplete && backward.data?["tasks"]?["pageInfo"]?["hasNextPage"] == true)
  }

  @Test(arguments: CacheKind.allCases)
  func `an expired page is not the one that was read`(kind: CacheKind) async throws {
    let folder = try TemporaryFolder()
    let clock = CacheClock()
    let store = CacheStore(
      cache: try kind.cache(in: folder),
      policies: CachePolicies(fields: ["Query.tasks": FieldPolicy(timeToLive: 10, merge: .connection)]),
      clock: clock.now)
    try await writePages(["old-1", "old-2"], splits: [], .root, to: store)
    clock.pass(11)
    try await writePages(["a-1", "b-2"], splits: [1], .root, to: store)
    let all = try query(.root, "first: 2", Self.allFields)
    #expect(try await store.look(all).text.contains("na-1"))
    let swapped = try json(
      data(.root, connection(["b-2", "a-1"].map { edge($0, isFull: false) }, isFull: false)))
    try await store.update(try query(.root, "first: 2", Self.lightFields)) { $0 = swapped }
    let edges = try await store.look(all).data?["tasks"]?["edges"]
    #expect(edges?.elements.compactMap { $0["note"]?.string } == ["nb-2", "na-1"])
  }
}
