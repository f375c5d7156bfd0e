import ApusClientAPI
import ApusClientOperation
import ApusGraphQLSchema
import ApusJSON
import ApusTestSupport
import Testing

@testable import ApusClientCache

/// Objects without keys. Fields of one object are never read as those of another.
@Suite(.timeLimit(.minutes(1))) struct KeylessObjectTests {
  private static let schema = Schema.load(
    sdl: """
      type Query { org: Org me: Me tags: [Tag] grid: [[Tag]] pages(page: Int): [Tag] window(offset: Int, limit: Int): [Tag] }
      type Org { id: ID! name: String members(first: Int, after: String): Members pet: Pet boss: Edge }
      type Members { total: Int edges: [Edge] pageInfo: PageInfo }
      type PageInfo { hasNextPage: Boolean endCursor: String }
      type Edge { cursor: String role: String since: Int note: String node: User info: Info }
      type Info { level: Int color: String }
      type User { id: ID! login: String }
      type Me { name: String city: String info: Info tags: [Tag] }
      type Tag { name: String color: String owner: User }
      union Pet = Dog | Cat
      type Dog { name: String barks: Int }
      type Cat { name: String lives: Int }
      type Mutation { touch: Org }
      type Subscription { org: Org }
      """)

  private static let full = "{ org { id members { edges { role node { id login } } } } }"
  private static let light = "{ org { id members { edges { node { id login } } } } }"

  private func query(_ text: String) throws -> CompiledOperation { try operation(text, schema: Self.schema) }

  private func edge(_ user: Int, _ rest: String = "") -> String {
    #"{"__typename":"Edge"\#(rest),"node":{"__typename":"User","id":"\#(user)","login":"u\#(user)"}}"#
  }

  private func org(_ edges: String...) -> String {
    let list = edges.joined(separator: ",")
    return #"{"org":{"__typename":"Org","id":"1","members":{"__typename":"Members","edges":[\#(list)]}}}"#
  }

  private let admin = #","role":"ADMIN""#
  private let member = #","role":"MEMBER""#

  private func stored(_ kind: CacheKind, _ body: (CacheStore) async throws -> Void) async throws {
    let folder = try TemporaryFolder()
    try await body(CacheStore(cache: try kind.cache(in: folder)))
  }

  private func missing(_ text: String, _ store: CacheStore) async throws -> [String] {
    try await store.look(try query(text), partial: true).missing.map {
      "\($0)".replacing("[", with: ".").replacing("]", with: "")
    }
  }

  private func data(_ text: String, _ store: CacheStore) async throws -> String? {
    try await store.look(try query(text)).data?.description
  }

  // MARK: Lists

  @Test(arguments: CacheKind.allCases)
  func `a shorter list of another operation keeps no fields of replaced objects`(kind: CacheKind) async throws {
    try await stored(kind) { store in
      try await store.write(org(edge(1, admin), edge(2, member)), try query(Self.full))
      try await store.write(org(edge(2)), try query(Self.light))
      #expect(try await missing(Self.full, store) == ["org.members.edges.0.role"])
      #expect(try await data(Self.light, store) == org(edge(2)))
    }
  }

  @Test(arguments: CacheKind.allCases)
  func `an object that references the same record is merged`(kind: CacheKind) async throws {
    try await stored(kind) { store in
      try await store.write(org(edge(1, admin), edge(2, member)), try query(Self.full))
      // One more at the end: the edges before it are the same objects.
      try await store.write(org(edge(1), edge(2), edge(3)), try query(Self.light))
      #expect(try await missing(Self.full, store) == ["org.members.edges.2.role"])
      try await store.write(
        org(edge(1, #","since":1"#), edge(2, #","since":2"#)),
        try query("{ org { id members { edges { since node { id login } } } } }"))
      #expect(try await data(Self.full, store) == org(edge(1, admin), edge(2, member)))
    }
  }

  @Test(arguments: CacheKind.allCases)
  func `an object that references the same record and differs in a shared field is replaced`(kind: CacheKind)
    async throws
  {
    try await stored(kind) { store in
      let all = "{ org { id members { edges { role since node { id login } } } } }"
      try await store.write(org(edge(1, admin + #","since":1"#)), try query(all))
      try await store.write(org(edge(1, member)), try query(Self.full))
      #expect(try await missing(all, store) == ["org.members.edges.0.since"])
    }
  }

  @Test(arguments: CacheKind.allCases)
  func `an object inside an element is the same if the element is`(kind: CacheKind) async throws {
    try await stored(kind) { store in
      let nested = "{ org { id members { edges { note info { level color } node { id login } } } } }"
      func info(_ level: Int, _ rest: String = "", _ color: String = "") -> String {
        #"\#(rest),"info":{"__typename":"Info","level":\#(level)\#(color)}"#
      }
      let first = org(edge(1, info(1, #","note":"n""#, #","color":"red""#)))
      let light = try query("{ org { id members { edges { info { level } node { id login } } } } }")
      try await store.write(first, try query(nested))
      try await store.write(org(edge(1, info(2))), light)
      #expect(try await data(nested, store) == first.replacing(#""level":1"#, with: #""level":2"#))
      try await store.write(org(edge(2, info(2))), light)
      #expect(
        try await missing(nested, store) == ["org.members.edges.0.note", "org.members.edges.0.info.color"])
    }
  }

  @Test(arguments: CacheKind.allCases)
  func `an object in a list that references no record is replaced`(kind: CacheKind) async throws {
    try await stored(kind) { store in
      let (tag, named) = (#"{"__typename":"Tag","name":"a","color":"red"}"#, #"{"__typename":"Tag","name":"a"}"#)
      try await store.write(#"{"tags":[\#(tag)]}"#, try query("{ tags { name color } }"))
      try await store.write(#"{"tags":[\#(named)]}"#, try query("{ tags { name } }"))
      #expect(try await missing("{ tags { name color } }", store) == ["tags.0.color"])
      try await store.write(#"{"grid":[[\#(tag)],[]]}"#, try query("{ grid { name color } }"))
      try await store.write(#"{"grid":[[\#(named)],[\#(named)]]}"#, try query("{ grid { name } }"))
      #expect(try await missing("{ grid { name color } }", store) == ["grid.0.0.color", "grid.1.0.color"])
    }
  }

  @Test(arguments: CacheKind.allCases)
  func `the same query with a failed field keeps no values of replaced objects`(kind: CacheKind) async throws {
    try await stored(kind) { store in
      try await store.write(org(edge(1, admin), edge(2, member)), try query(Self.full))
      var options = CacheWriteOptions.complete
      options.errors = [GraphQLError(message: "no role", path: ["org", "members", "edges", 0, "role"])]
      try await store.write(org(edge(2, #","role":null"#)), try query(Self.full), options: options)
      let read = try await store.look(try query(Self.full), partial: true)
      #expect(read.data?.description == org(edge(2, #","role":null"#)))
      #expect(read.errors.map(\.message) == ["no role"])
      #expect(!read.isComplete)
    }
  }

  // MARK: Single objects

  @Test(arguments: CacheKind.allCases)
  func `a single object is merged until a shared field or its type differs`(kind: CacheKind) async throws {
    try await stored(kind) { store in
      let all = "{ me { name city info { level color } } }"
      func me(_ name: String, _ rest: String) -> String { #"{"me":{"__typename":"Me","name":"\#(name)"\#(rest)}}"# }
      let info = #","info":{"__typename":"Info","level":1,"color":"red"}"#
      try await store.write(me("a", #","city":"Rome"\#(info)"#), try query(all))
      try await store.write(me("a", ""), try query("{ me { name } }"))
      #expect(try await store.look(try query(all)).isComplete)
      try await store.write(
        me("a", #","info":{"__typename":"Info","level":2}"#), try query("{ me { name info { level } } }"))
      #expect(try await missing(all, store) == ["me.city", "me.info.color"])
      try await store.write(me("a", #","city":"Rome"\#(info)"#), try query(all))
      try await store.write(me("b", ""), try query("{ me { name } }"))
      #expect(try await missing(all, store) == ["me.city", "me.info"])
    }
  }

  @Test(arguments: CacheKind.allCases)
  func `an object of another type replaces the cached object`(kind: CacheKind) async throws {
    try await stored(kind) { store in
      let pets = "{ org { id pet { __typename ... on Dog { name barks } ... on Cat { name lives } } } }"
      func pet(_ pet: String) -> String { #"{"org":{"__typename":"Org","id":"1","pet":\#(pet)}}"# }
      try await store.write(pet(#"{"__typename":"Dog","name":"Rex","barks":3}"#), try query(pets))
      try await store.write(pet(#"{"__typename":"Cat"}"#), try query("{ org { id pet { __typename } } }"))
      #expect(try await missing(pets, store) == ["org.pet.name", "org.pet.lives"])
      try await store.write(pet(#"{"__typename":"Dog"}"#), try query("{ org { id pet { __typename } } }"))
      #expect(try await missing(pets, store) == ["org.pet.name", "org.pet.barks"])
    }
  }

  @Test(arguments: CacheKind.allCases)
  func `replacing an object removes its embedded objects`(kind: CacheKind) async throws {
    try await stored(kind) { store in
      let all = "{ org { id members { edges { info { level color } node { id login } } } } }"
      let info = #","info":{"__typename":"Info","level":1,"color":"red"}"#
      try await store.write(org(edge(1, info), edge(2, info)), try query(all))
      try await store.write(org(edge(2), edge(1)), try query(Self.light))
      #expect(try await store.keys().filter { $0.hasSuffix("info") } == [])
      try await store.write(
        org(edge(2, #","info":{"__typename":"Info","level":1}"#)),
        try query("{ org { id members { edges { info { level } node { id login } } } } }"))
      #expect(try await missing(all, store) == ["org.members.edges.0.info.color"])
    }
  }

  // MARK: Other writers

  @Test(arguments: CacheKind.allCases)
  func `mutations and subscription events replace objects`(kind: CacheKind) async throws {
    for (type, field) in [("mutation", "touch"), ("subscription", "org")] {
      try await stored(kind) { store in
        try await store.write(org(edge(1, admin), edge(2, member)), try query(Self.full))
        let text = "\(type) { \(field) { id members { edges { node { id login } } } } }"
        try await store.write(org(edge(2)).replacing("\"org\":", with: "\"\(field)\":"), try query(text))
        #expect(try await missing(Self.full, store) == ["org.members.edges.0.role"])
      }
    }
  }

  @Test(arguments: CacheKind.allCases)
  func `a local update keeps the fields of elements that it moved`(kind: CacheKind) async throws {
    try await stored(kind) { store in
      try await store.write(org(edge(1, admin), edge(2, member)), try query(Self.full))
      let shorter = try json(#"[\#(edge(2))]"#)
      try await store.update(try query(Self.light)) {
        $0 = try $0.replacing(at: ["org", "members", "edges"], with: shorter)
      }
      #expect(try await data(Self.full, store) == org(edge(2, member)))
      try await store.write(org(edge(1, admin), edge(2, member)), try query(Self.full))
      let swapped = try json(#"[\#(edge(2)),\#(edge(1))]"#)
      try await store.update(try query(Self.light)) {
        $0 = try $0.replacing(at: ["org", "members", "edges"], with: swapped)
      }
      #expect(try await data(Self.full, store) == org(edge(2, member), edge(1, admin)))
      let longer = try json(#"[\#(edge(3)),\#(edge(1)),\#(edge(2))]"#)
      try await store.update(try query(Self.light)) {
        $0 = try $0.replacing(at: ["org", "members", "edges"], with: longer)
      }
      #expect(try await missing(Self.full, store) == ["org.members.edges.0.role"])
    }
  }

  @Test(arguments: CacheKind.allCases)
  func `an optimistic layer replaces objects until it is rolled back`(kind: CacheKind) async throws {
    try await stored(kind) { store in
      try await store.write(org(edge(1, admin), edge(2, member)), try query(Self.full))
      let layer = try await store.writeOptimistically(try json(org(edge(2))), operation: try query(Self.light))
      #expect(try await missing(Self.full, store) == ["org.members.edges.0.role"])
      await store.rollBack(layer)
      #expect(try await data(Self.full, store) == org(edge(1, admin), edge(2, member)))
    }
  }

  @Test(arguments: CacheKind.allCases)
  func `an import replaces objects`(kind: CacheKind) async throws {
    let source = CacheStore()
    try await source.write(org(edge(2)), try query(Self.light))
    let export = CacheExport.json(try await source.snapshot())
    try await stored(kind) { store in
      try await store.write(org(edge(1, admin), edge(2, member)), try query(Self.full))
      try await store.importRecords(export)
      #expect(try await missing(Self.full, store) == ["org.members.edges.0.role"])
    }
  }

  @Test(arguments: CacheKind.allCases)
  func `a record that is modified by its key is not replaced`(kind: CacheKind) async throws {
    try await stored(kind) { store in
      let boss = "{ org { id boss { role since node { id login } } } }"
      let answer =
        #"{"org":{"__typename":"Org","id":"1","boss":{"__typename":"Edge","role":"ADMIN","since":1,"node":null}}}"#
      try await store.write(answer, try query(boss))
      try await store.modify("Org:1.boss") { $0["role"] = .scalar("MEMBER") }
      #expect(try await data(boss, store) == answer.replacing("ADMIN", with: "MEMBER"))
    }
  }

  // MARK: Pages

  @Test(arguments: CacheKind.allCases)
  func `pages of a list replace only their own objects`(kind: CacheKind) async throws {
    let folder = try TemporaryFolder()
    let store = CacheStore(
      cache: try kind.cache(in: folder),
      policies: CachePolicies(fields: [
        "Query.pages": FieldPolicy(merge: .append(arguments: ["page"])),
        "Query.window": FieldPolicy(merge: .offset()),
        "Org.members": FieldPolicy(merge: .connection),
      ]))
    func tags(_ names: [String], _ rest: String = "") -> String {
      names.map { #"{"__typename":"Tag","name":"\#($0)"\#(rest)}"# }.joined(separator: ",")
    }
    for (field, first, second) in [
      ("pages", "page: 1", "page: 2"), ("window", "offset: 0, limit: 2", "offset: 2, limit: 2"),
    ] {
      let color = #","color":"red""#
      for (arguments, names) in [(first, ["a", "b"]), (second, ["c", "d"])] {
        try await store.write(
          #"{"\#(field)":[\#(tags(names, color))]}"#, try query("{ \(field)(\(arguments)) { name color } }"))
      }
      try await store.write(#"{"\#(field)":[\#(tags(["b", "x"]))]}"#, try query("{ \(field)(\(first)) { name } }"))
      let places = try await missing("{ \(field)(\(first)) { name color } }", store)
      #expect(places == ["\(field).0.color", "\(field).1.color"])
      #expect(
        try await store.look(try query("{ \(field)(\(second)) { name color } }"), partial: true).data?.description
          .contains(tags(["c", "d"], color)) == true)
    }
    func page(_ edges: String...) -> String {
      org(edges.joined(separator: ",")).replacing(
        "\"edges\"", with: #""pageInfo":{"__typename":"PageInfo","hasNextPage":false,"endCursor":"2"},"edges""#)
    }
    let text =
      "{ org { id members(first: 2) { pageInfo { hasNextPage endCursor } edges { cursor role node { id login } } } } }"
    try await store.write(
      page(edge(1, #","cursor":"1"\#(admin)"#), edge(2, #","cursor":"2"\#(member)"#)), try query(text))
    try await store.write(
      page(edge(2, #","cursor":"2""#)), try query(text.replacing(" role", with: "")))
    #expect(
      try await missing("{ org { id members(first: 1) { edges { cursor role node { id login } } } } }", store)
        .contains("org.members.edges.0.role"))
  }

  // MARK: Payloads of one response

  @Test(arguments: CacheKind.allCases)
  func `payloads of one response update the same object`(kind: CacheKind) async throws {
    try await stored(kind) { store in
      let text = #"{ tags { name ... @defer(label: "d") { color } } }"#
      func tag(_ name: String, _ rest: String = "") -> String { #"{"__typename":"Tag","name":"\#(name)"\#(rest)}"# }
      try await store.write(
        #"{"tags":[\#(tag("a")),\#(tag("b"))]}"#, try query(text), options: CacheWriteOptions(isPartial: true))
      let second = #"{"tags":[\#(tag("a", #","color":"red""#)),\#(tag("b"))]}"#
      try await store.write(
        second, try query(text),
        options: CacheWriteOptions(isPartial: true, paths: [["tags", 0, "color"]], payloadIndex: 1))
      #expect(
        try await store.look(try query(text), partial: true).text
          == "\(second)\nd at 'tags[0]' fulfilled\nd at 'tags[1]' pending")
      // Another response between two payloads: the rest of the first response is not part of its objects.
      try await store.write(#"{"tags":[\#(tag("b")),\#(tag("c"))]}"#, try query("{ tags { name } }"))
      let third = #"{"tags":[\#(tag("a", #","color":"red""#)),\#(tag("b", #","color":"blue""#))]}"#
      try await store.write(
        third, try query(text), options: CacheWriteOptions(paths: [["tags", 1, "color"]], payloadIndex: 2))
      #expect(try await data(text, store) == third)
    }
  }

  @Test(arguments: CacheKind.allCases)
  func `an interrupted deferred fragment is not read from another object`(kind: CacheKind) async throws {
    try await stored(kind) { store in
      let text = #"{ org { id members { edges { node { id login } ... @defer(label: "d") { role } } } } }"#
      try await store.write(org(edge(1, admin), edge(2, member)), try query(Self.full))
      try await store.write(org(edge(2)), try query(text), options: CacheWriteOptions(isPartial: true))
      #expect(
        try await store.look(try query(text), partial: true).fragments.map(\.state.name) == ["pending"])
    }
  }

  @Test(arguments: CacheKind.allCases)
  func `items of a streamed list replace those of another response`(kind: CacheKind) async throws {
    try await stored(kind) { store in
      let tag = #"{"__typename":"Tag","name":"a","color":"red"}"#
      try await store.write(#"{"tags":[\#(tag),\#(tag)]}"#, try query("{ tags { name color } }"))
      let text = "{ tags @stream(initialCount: 1) { name } }"
      let first = #"{"__typename":"Tag","name":"b"}"#
      try await store.write(
        #"{"tags":[\#(first)]}"#, try query(text), options: CacheWriteOptions(isPartial: true))
      try await store.write(
        #"{"tags":[\#(first),\#(first)]}"#, try query(text),
        options: CacheWriteOptions(isPartial: true, paths: [["tags", 1]], payloadIndex: 1))
      #expect(try await missing("{ tags { name color } }", store) == ["tags.0.color", "tags.1.color"])
      let read = try await store.look(try query(text), partial: true)
      #expect(read.openLists == [["tags"]])
      #expect(!read.isComplete)
    }
  }

  /// A stream that was left open has any number of items, so a longer or shorter list does not show that its parent is
  /// another object. Between complete lists, another number does.
  @Test(arguments: CacheKind.allCases)
  func `only complete lists of another length make an object another one`(kind: CacheKind) async throws {
    let tag = #"{"__typename":"Tag","name":"a"}"#
    for (isOpen, isNewOpen, count, keepsCity) in [
      (true, false, 2, true), (true, false, 1, true), (false, false, 1, true), (false, false, 2, false),
      (false, true, 2, true), (true, true, 2, true),
    ] {
      try await stored(kind) { store in
        try await store.write(
          #"{"me":{"__typename":"Me","name":"n","city":"c","tags":[\#(tag)]}}"#,
          try query("{ me { name city tags @stream(initialCount: 1) { name } } }"),
          options: CacheWriteOptions(isPartial: isOpen))
        let tags = Array(repeating: tag, count: count).joined(separator: ",")
        let text = "{ me { name tags \(isNewOpen ? "@stream(initialCount: 1) " : ""){ name } } }"
        let later = #"{"me":{"__typename":"Me","name":"n","tags":[\#(tags)]}}"#
        try await store.write(later, try query(text), options: CacheWriteOptions(isPartial: isNewOpen))
        if !isNewOpen { #expect(try await data(text, store) == later) }
        #expect(
          try await missing("{ me { city } }", store) == (keepsCity ? [] : ["me.city"]),
          "open: \(isOpen), then \(isNewOpen), \(count)")
      }
    }
  }

  @Test(arguments: CacheKind.allCases)
  func `two aliases of a field are one object if only one has its key`(kind: CacheKind) async throws {
    try await stored(kind) { store in
      let nest = #""nest":{"__typename":"Nest","eggs":1}"#
      let keyed = #"{"__typename":"Bird","id":"1","name":"A"}"#
      let bare = #"{"__typename":"Bird","age":3,\#(nest)}"#
      for (fields, data) in [
        (
          "a: bird { __typename id name } b: bird { __typename age nest { __typename eggs } }",
          #"{"a":\#(keyed),"b":\#(bare)}"#
        ),
        (
          "b: bird { __typename age nest { __typename eggs } } a: bird { __typename id name }",
          #"{"b":\#(bare),"a":\#(keyed)}"#
        ),
        (
          "a: flock { __typename id name } b: flock { __typename age nest { __typename eggs } }",
          #"{"a":[\#(keyed)],"b":[\#(bare)]}"#
        ),
      ] {
        let query = try operation("{ \(fields) }", schema: nil)
        try await store.write(data, query)
        #expect(try await store.look(query).data?.description == data)
        try await store.write(data, query)
        #expect(try await store.look(query).data?.description == data)
      }
      #expect(try await store.record("Bird:1")?[field: "age"] == .scalar(3))
      #expect(try await store.keys().filter { $0.contains("nest") } == ["Bird:1.nest"])
    }
  }
}
