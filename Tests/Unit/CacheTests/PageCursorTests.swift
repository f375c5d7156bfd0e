import ApusClientOperation
import ApusGraphQLSchema
import ApusJSON
import Testing

@testable import ApusClientCache

/// The cursors by which pages of a connection are joined: that of the page info, otherwise that of the last edge.
@Suite(.timeLimit(.minutes(1))) struct PageCursorTests {
  /// The items of a page: edges with or without cursors, or nodes.
  enum Items: CaseIterable { case edges, edgesWithoutCursors, nodes }

  /// The cursor in the page info: none, that of the edge, or another one.
  enum InfoCursor: CaseIterable { case none, same, other }

  private static let schema = Schema.load(
    sdl: """
      type Query { birds(first: Int, after: String, last: Int, before: String): Birds }
      type Birds { edges: [Edge] nodes: [Bird] pageInfo: PageInfo }
      type Edge { cursor: String node: Bird }
      type PageInfo { hasNextPage: Boolean hasPreviousPage: Boolean startCursor: String endCursor: String }
      type Bird { id: ID! }
      """)

  private static func compiled(_ document: String) throws -> CompiledOperation {
    try operation(document, schema: schema)
  }

  private struct Case {
    let items: Items
    let info: InfoCursor
    let isForward: Bool

    var flag: String { isForward ? "hasNextPage" : "hasPreviousPage" }
    var cursor: String { isForward ? "endCursor" : "startCursor" }
    /// The cursor that leads from the first page to the second one; `nil` if a client cannot know it.
    var joint: String? {
      switch info {
      case .same: "c2"
      case .other: "page-2"
      case .none: items == .edges ? "c2" : nil
      }
    }

    func operation(_ arguments: String) throws -> CompiledOperation {
      let bird = "{ __typename id }"
      let list =
        switch items {
        case .edges: "edges { __typename cursor node \(bird) }"
        case .edgesWithoutCursors: "edges { __typename node \(bird) }"
        case .nodes: "nodes \(bird)"
        }
      let info = info == .none ? flag : "\(flag) \(cursor)"
      return try PageCursorTests.compiled(
        "{ birds(\(arguments)) { __typename \(list) pageInfo { __typename \(info) } } }")
    }

    /// A page with items in the order of the list.
    func page(_ ids: [Int], last: Int, hasMore: Bool) -> String {
      let objects = ids.map { id -> String in
        let bird = #"{"__typename":"Bird","id":"\#(id)"}"#
        return switch items {
        case .edges: #"{"__typename":"Edge","cursor":"c\#(id)","node":\#(bird)}"#
        case .edgesWithoutCursors: #"{"__typename":"Edge","node":\#(bird)}"#
        case .nodes: bird
        }
      }
      let end = info == .none ? "" : #","\#(cursor)":"\#(info == .same ? "c" : "page-")\#(last)""#
      let name = items == .nodes ? "nodes" : "edges"
      return #"{"birds":{"__typename":"Birds","\#(name)":[\#(objects.joined(separator: ","))],"#
        + #""pageInfo":{"__typename":"PageInfo","\#(flag)":\#(hasMore)\#(end)}}}"#
    }
  }

  @Test(arguments: Items.allCases, InfoCursor.allCases)
  func `pages are joined by the cursor that a client can know`(items: Items, info: InfoCursor) async throws {
    for isForward in [true, false] {
      let one = Case(items: items, info: info, isForward: isForward)
      let (limit, begin) = isForward ? ("first", "after") : ("last", "before")
      let store = CacheStore(policies: CachePolicies(fields: ["Query.birds": FieldPolicy(merge: .connection)]))
      // Forward 1 2, 3 4; backward 3 2 before 2 1: `2` is the item at which the pages meet.
      let (near, far) = isForward ? ([1, 2], [3, 4]) : ([2, 3], [0, 1])
      try await store.write(one.page(near, last: 2, hasMore: true), try one.operation("\(limit): 2"))
      try await store.write(
        one.page(far, last: isForward ? 4 : 0, hasMore: false),
        try one.operation(#"\#(limit): 2, \#(begin): "\#(one.joint ?? "c2")""#))
      let all = try await store.look(try one.operation("\(limit): 4"), partial: true)
      #expect(all.isComplete == (one.joint != nil), "\(items) \(info) \(isForward)")
      let birds = all.data?["birds"]
      let ids =
        (birds?["nodes"]?.elements.map { $0["id"] } ?? birds?["edges"]?.elements.map { $0["node"]?["id"] } ?? [])
        .compactMap { $0?.string }
      if one.joint != nil { #expect(ids == (isForward ? ["1", "2", "3", "4"] : ["0", "1", "2", "3"])) }
    }
  }
}
