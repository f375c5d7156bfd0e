import ApusClientOperation
import ApusGraphQLLanguage
import ApusJSON
import ApusTestSupport
import Testing

@testable import ApusClientCache

/// Local changes write changed fields only, and elements keep their fields.
@Suite(.timeLimit(.minutes(1))) struct LocalChangeTests {
  private func query(_ text: String) throws -> CompiledOperation { try operation(text, schema: nil) }

  private func tag(_ name: String, _ rest: String = "") -> String { #"{"__typename":"Tag","name":"\#(name)"\#(rest)}"# }

  private func color(_ name: String) -> String { tag(name, #","color":"c-\#(name)""#) }

  private func list(_ field: String, _ items: [String]) -> String {
    "{\"\(field)\":[\(items.joined(separator: ","))]}"
  }

  @Test(arguments: CacheKind.allCases)
  func `a changed count keeps the edges of a connection`(kind: CacheKind) async throws {
    let folder = try TemporaryFolder()
    let store = CacheStore(cache: try kind.cache(in: folder))
    let all = try query(
      "{ tasks { __typename totalCount edges { __typename cursor } pageInfo { __typename hasNextPage } } }")
    let data = """
      {"tasks":{"__typename":"Tasks","totalCount":1,"edges":[{"__typename":"Edge","cursor":"a"}],\
      "pageInfo":{"__typename":"PageInfo","hasNextPage":true}}}
      """
    try await store.write(data, all)
    let changed = try await store.update(try query("{ tasks { __typename totalCount } }")) {
      $0 = try $0.replacing(at: ["tasks", "totalCount"], with: 2)
    }
    #expect(changed.descriptions == ["QUERY_ROOT.tasks.totalCount"])
    #expect(try await store.look(all).data?.description == data.replacing(":1", with: ":2"))
  }

  @Test(arguments: CacheKind.allCases)
  func `a changed object below the query root keeps its other fields`(kind: CacheKind) async throws {
    let folder = try TemporaryFolder()
    let store = CacheStore(cache: try kind.cache(in: folder))
    let all = try query("{ viewer { __typename name city } }")
    try await store.write(#"{"viewer":{"__typename":"V","name":"a","city":"Rome"}}"#, all)
    let light = try query("{ viewer { __typename name } }")
    try await store.update(light) { $0 = try $0.replacing(at: ["viewer", "name"], with: "b") }
    #expect(try await store.look(all).data?["viewer"]?["city"] == "Rome")
    try await store.transaction { $0.write(try json(#"{"viewer":{"__typename":"V","name":"c"}}"#), operation: light) }
    try await store.write(
      try json(#"{"viewer":{"__typename":"V","name":"d"}}"#), operation: light, options: .localChange)
    #expect(try await store.look(all).text == #"{"viewer":{"__typename":"V","name":"d","city":"Rome"}}"#)
  }

  /// In nested lists, an equal element is the same one; the others are at the same index of a list of unchanged length.
  @Test(arguments: [
    ("a|b", "x|z", "c-a|c-b"), ("a|b", "b|a", "c-b|c-a"), ("a|b", "x y|z", "- -|c-b"), ("a|b", "|z", "|c-b"),
    ("a|b", "x|z b", "c-a|- c-b"), ("a|b", "z", "-"), ("a|b", "a|b|z", "c-a|c-b|-"), ("a b|d", "x y|d", "c-a c-b|c-d"),
    ("a b|d", "b x|z", "c-b -|c-d"), ("a|b|d", "x y||z", "- -||c-d"),
  ])
  func `elements of nested lists keep their fields`(before: String, after: String, colors: String) async throws {
    func nested(_ text: String, _ element: (String) -> String) -> String {
      let lists = text.split(separator: "|", omittingEmptySubsequences: false).map { list in
        "[\(list.split(separator: " ").map { element(String($0)) }.joined(separator: ","))]"
      }
      return list("tags", lists)
    }
    let store = CacheStore()
    let all = try query("{ tags { __typename name color } }")
    try await store.write(nested(before) { color($0) }, all)
    let next = try json(nested(after) { tag($0) })
    try await store.update(try query("{ tags { __typename name } }")) { $0 = next }
    let found = try await store.look(all, partial: true).data?["tags"]?.elements.map { list in
      list.elements.map { $0["color"]?.string ?? "-" }.joined(separator: " ")
    }
    #expect(found?.joined(separator: "|") == colors)
  }

  @Test(arguments: CacheKind.allCases)
  func `elements keep their fields after they moved`(kind: CacheKind) async throws {
    for field in ["tags", "k"] {
      let folder = try TemporaryFolder()
      let store = CacheStore(cache: try kind.cache(in: folder))
      let selected = { (rest: String) in
        field == "tags"
          ? "{ tags { __typename name \(rest) } }" : "{ k { __typename id tags { __typename name \(rest) } } }"
      }
      func data(_ items: [String]) -> String {
        let tags = list("tags", items)
        return field == "tags" ? tags : #"{"k":{"__typename":"K","id":"1",\#(tags.dropFirst())}"#
      }
      let (all, light) = (try query(selected("color in { __typename x }")), try query(selected("")))
      func full(_ name: String) -> String {
        tag(name, #","color":"c-\#(name)","in":{"__typename":"In","x":"\#(name)"}"#)
      }
      try await store.write(data(["a", "b", "c"].map(full)), all)
      for names in [["c", "a", "b"], ["a", "b"], ["b", "a"], ["b"]] {
        let next = try json(data(names.map { tag($0) }))
        try await store.update(light) { $0 = next }
        #expect(try await store.look(all).text == data(names.map(full)), "\(names) of \(field)")
      }
    }
  }

  @Test func `a changed element keeps its other fields if the length stays`() async throws {
    let store = CacheStore()
    let (all, light) = (try query("{ tags { __typename name color } }"), try query("{ tags { __typename name } }"))
    try await store.write(list("tags", [color("a"), color("b")]), all)
    let renamed = try json(list("tags", [tag("a"), tag("x")]))
    try await store.update(light) { $0 = renamed }
    #expect(try await store.look(all).text == list("tags", [color("a"), tag("x", #","color":"c-b""#)]))
    let longer = try json(list("tags", [tag("y"), tag("a"), tag("x")]))
    try await store.update(light) { $0 = longer }
    #expect(try await store.look(all, partial: true).missing == [["tags", 0, "color"]])
  }

  @Test func `equal elements pair in order`() async throws {
    let store = CacheStore()
    let (all, light) = (try query("{ tags { __typename name color } }"), try query("{ tags { __typename name } }"))
    let (first, second) = (tag("a", #","color":"1""#), tag("a", #","color":"2""#))
    try await store.write(list("tags", [color("z"), first, second]), all)
    let shorter = try json(list("tags", [tag("a"), tag("a")]))
    try await store.update(light) { $0 = shorter }
    #expect(try await store.look(all).text == list("tags", [first, second]))
  }

  @Test func `rows of a grid keep the fields of their elements`() async throws {
    let store = CacheStore()
    let (all, light) = (try query("{ grid { __typename name color } }"), try query("{ grid { __typename name } }"))
    func grid(_ rows: [[String]]) -> String {
      list("grid", rows.map { "[\($0.joined(separator: ","))]" })
    }
    try await store.write(grid([[color("a"), color("b")], [color("c")]]), all)
    let turned = try json(grid([[tag("c")], [tag("b"), tag("a")]]))
    try await store.update(light) { $0 = turned }
    #expect(try await store.look(all).text == grid([[color("c")], [color("b"), color("a")]]))
  }

  @Test(arguments: CacheKind.allCases)
  func `elements of a page keep their fields`(kind: CacheKind) async throws {
    let folder = try TemporaryFolder()
    let store = CacheStore(
      cache: try kind.cache(in: folder),
      policies: CachePolicies(fields: [
        "Query.window": FieldPolicy(merge: .offset()), "Query.feed": FieldPolicy(merge: .append(arguments: ["page"])),
      ]))
    func page(_ offset: Int, _ fields: String) throws -> CompiledOperation {
      try query("{ window(offset: \(offset), limit: 2) { __typename \(fields) } }")
    }
    try await store.write(list("window", ["a", "b"].map(color)), try page(0, "name color"))
    try await store.write(list("window", ["c", "d"].map(color)), try page(2, "name color"))
    let swapped = try json(list("window", ["d", "c"].map { tag($0) }))
    try await store.update(try page(2, "name")) { $0 = swapped }
    #expect(try await store.look(try page(2, "name color")).text == list("window", ["d", "c"].map(color)))
    let shorter = try json(list("window", [tag("b")]))
    try await store.update(try page(0, "name")) { $0 = shorter }
    #expect(try await store.look(try page(0, "name color")).text == list("window", ["b", "d"].map(color)))
    #expect(try await store.look(try page(1, "name color")).text == list("window", ["d", "c"].map(color)))

    let feed = { (page: Int, fields: String) in "{ feed(page: \(page)) { __typename \(fields) } }" }
    try await store.write(list("feed", ["a", "b"].map(color)), try query(feed(1, "name color")))
    try await store.write(list("feed", ["c"].map(color)), try query(feed(2, "name color")))
    let moved = try json(list("feed", ["c", "a"].map { tag($0) }))
    try await store.update(try query(feed(1, "name"))) { $0 = moved }
    #expect(try await store.look(try query(feed(1, "name color"))).text == list("feed", ["c", "a"].map(color)))
  }

  @Test func `a fragment of the parent changes only its fields`() async throws {
    let store = CacheStore()
    let all = try query("{ k { __typename id price { __typename amount currency } tags { __typename name color } } }")
    try await store.write(
      #"{"k":{"__typename":"K","id":"1","price":{"__typename":"P","amount":1,"currency":"EUR"},"tags":[\#(color("a"))]}}"#,
      all)
    let text = "fragment F on K { __typename id price { __typename amount } tags { __typename name } }"
    let fragment = try CompiledOperation.compile(fragment: nil, of: Document(parsing: text), schema: nil)
    try await store.transaction { cache in
      try cache.update(fragment, on: "K:1", variables: .object([])) { read in
        guard let data = read.data else { return nil }
        return (data, try data.replacing(at: ["price", "amount"], with: 2))
      }
      try cache.write(
        try json(
          #"{"__typename":"K","id":"1","price":{"__typename":"P","amount":3},"tags":[\#(tag("b")),\#(tag("a"))]}"#),
        fragment: fragment, on: "K:1", variables: .object([]))
    }
    #expect(
      try await store.look(all, partial: true).data?["k"]?["price"]?.description
        == #"{"__typename":"P","amount":3,"currency":"EUR"}"#)
    #expect(try await store.look(all, partial: true).missing == [["k", "tags", 0, "color"]])
  }

  @Test func `an object of another type replaces the cached object`() async throws {
    let store = CacheStore()
    let all = try query("{ k { __typename id pet { __typename name barks } } }")
    try await store.write(
      #"{"k":{"__typename":"K","id":"1","pet":{"__typename":"Dog","name":"Rex","barks":1}}}"#, all)
    let light = try query("{ k { __typename id pet { __typename barks } } }")
    let cat = try json(#"{"k":{"__typename":"K","id":"1","pet":{"__typename":"Cat","barks":0}}}"#)
    try await store.update(light) { $0 = cat }
    #expect(try await store.look(all, partial: true).missing == [["k", "pet", "name"]])
  }
}
