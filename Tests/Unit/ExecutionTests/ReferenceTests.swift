import ApusGraphQLExecution
import ApusGraphQLLanguage
import ApusGraphQLMediaTypes
import ApusGraphQLSchema
import ApusJSON
import ApusTestSupport
import Testing

/// Executes random documents with deferred fragments and streams with graphql-core and with this executor on the same
/// data. The merged payloads and the failures must be equal. Announcements are not compared, because that of a fragment
/// whose fields others deliver depends on the order of completion.
@Suite(.timeLimit(.minutes(30))) struct ReferenceTests {
  enum Way: CaseIterable {
    case atOnce, asynchronous, early
  }

  @Test(arguments: Way.allCases) func `merged responses match GraphQL core`(way: Way) async throws {
    let (cases, seed) = (120, 31)
    let process = try ChildProcess(
      "\(Checkout.root)/.test-servers/current/bin/python",
      ["-u", "\(Checkout.servers)/incremental_cases.py", "\(cases)", "\(seed)"])
    var count = 0
    while let line = await process.nextLine() {
      try await check(JSONDocument(parsing: Array(line.utf8)).root, way, "seed \(seed), case \(count)")
      count += 1
    }
    #expect(count == cases)
  }

  private func check(_ testCase: JSONValue, _ way: Way, _ name: String) async throws {
    let text = try #require(testCase["document"]?.string)
    let comment = Comment(rawValue: "\(name): \(text)")
    let failed = (testCase["failed"]?.elements.map { $0 } ?? []).compactMap { entry in
      entry[0].flatMap { ResponsePath($0) }.map { "\(entry[1]?.string ?? "")@\($0)" }
    }

    var newer = PlainMerge()
    for payload in await ReferenceData.payloads(text, .incrementalV02, way) { newer.receive(payload) }
    #expect(newer.data == testCase["merged"].map(Plain.init), comment)
    #expect(newer.unsettled.isEmpty, comment)
    #expect(newer.failed == Set(failed), comment)
    #expect(newer.hasEnded, comment)

    var older = PlainMerge()
    for payload in await ReferenceData.payloads(text, .defer20220824, way) { older.receive(payload) }
    #expect(older.hasEnded, comment)
    if let reference = testCase["reference"], !reference.isNull, older.failed.isEmpty {
      #expect(older.data == Plain(reference), comment)
    }
  }
}

/// The data of `Tests/Support/Servers/incremental_cases.py`, determined by the key of each object.
private struct ReferenceData: Sendable {
  let kind: String
  let key: String

  private func pick(_ field: String, _ bound: UInt64) -> Int {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in "\(key)/\(field)".utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return Int((hash >> 20) % bound)
  }

  private func make(_ field: String, _ index: Int = 0) -> ResolvedValue {
    let kinds = [
      "leaf": "Leaf", "tree": "Tree", "child": "Tree", "firm": "Tree", "kids": "Tree", "many": "Tree",
    ]
    let kind = kinds[field] ?? (pick("\(field)\(index)", 2) != 0 ? "Tree" : "Leaf")
    return .object(ReferenceData(kind: kind, key: "\(key).\(field)\(index)"), type: kind)
  }

  func resolve(_ field: String) throws -> ResolvedValue {
    switch field {
    case "id": return .string(key)
    case "name": return pick("name", 5) == 0 ? .null : .string("name of \(key)")
    case "value", "size": return .int(pick(field, 1000))
    case "tags": return .list((0..<pick("tags", 4)).map { .string("tag\($0)") })
    case "grid": return .list((0..<pick("grid", 3)).map { .list([.int($0), .null]) })
    case "broken", "fatal":
      if pick(field, 3) == 0 { return .string("whole") }
      throw ExecutionError("\(field) at \(key)")
    case "kids", "many", "kin":
      return .list(
        (0..<pick(field, 4)).map { index in
          field != "many" && pick("\(field)\(index)null", 6) == 0 ? .null : make(field, index)
        })
    default: return field != "firm" && pick(field, 6) == 0 ? .null : make(field)
    }
  }

  /// Yields to other tasks a number of times.
  func wait(_ field: String) async { for _ in 0..<pick(field + "wait", 4) { await Task.yield() } }

  static let schema = Schema.load(
    sdl: """
      interface Node { id: ID! name: String }
      type Tree implements Node {
        id: ID! name: String value: Int child: Tree firm: Tree! kids: [Tree] many: [Tree!]! leaf: Leaf tags: [String!]
        node: Node kin: [Node] broken: String fatal: String! grid: [[Int]]
      }
      type Leaf implements Node { id: ID! name: String size: Int tree: Tree broken: String fatal: String! }
      type Query { tree: Tree leaf: Leaf node: Node kin: [Node] many: [Tree!]! }
      """)

  private static func resolvers(_ way: ReferenceTests.Way) -> Resolvers {
    var resolvers = Resolvers()
    for type in ["Query", "Tree", "Leaf"] {
      for field in schema.type(named: type)?.fields ?? [] {
        if way == .atOnce {
          resolvers.field(type, field.name) { try $0.source(as: ReferenceData.self).resolve($0.fieldName) }
        } else {
          resolvers.asyncField(type, field.name) { context in
            let source = try context.source(as: ReferenceData.self)
            await source.wait(context.fieldName)
            return try source.resolve(context.fieldName)
          }
        }
      }
    }
    return resolvers
  }

  static func payloads(_ text: String, _ format: IncrementalFormat, _ way: ReferenceTests.Way) async -> [JSONValue] {
    let executor = Executor(schema: schema, resolvers: resolvers(way))
    let request = ExecutionRequest(Document(parsing: text), incremental: format, executesEarly: way == .early)
    switch await executor.execute(request, on: ReferenceData(kind: "Query", key: "r")) {
    case .refused(let errors): return [errors.response]
    case .single(let response): return [response]
    case .incremental(let initial, let rest):
      var payloads = [initial]
      for await payload in rest { payloads.append(payload) }
      return payloads
    }
  }
}

/// A mutable JSON tree.
private indirect enum Plain: Equatable {
  case object([String: Plain])
  case array([Plain])
  case leaf(JSONValue)

  init(_ value: JSONValue) {
    switch value.kind {
    case .object:
      self = .object(Dictionary(value.members.map { ($0.0, Plain($0.1)) }, uniquingKeysWith: { $1 }))
    case .array: self = .array(value.elements.map(Plain.init))
    default: self = .leaf(value)
    }
  }

  mutating func edit(_ path: ArraySlice<PathComponent>, _ body: (inout Plain) -> Void) {
    guard let first = path.first else { return body(&self) }
    switch (first, self) {
    case (.key(let key), .object(var members)):
      members[key]?.edit(path.dropFirst(), body)
      self = .object(members)
    case (.index(let index), .array(var items)) where index < items.count:
      items[index].edit(path.dropFirst(), body)
      self = .array(items)
    default: Issue.record("nothing at \(first) in \(self)")
    }
  }

  mutating func merge(_ other: Plain) {
    switch (self, other) {
    case (.object(var members), .object(let news)):
      for (key, value) in news {
        if members[key] != nil { members[key]?.merge(value) } else { members[key] = value }
      }
      self = .object(members)
    case (.array(var items), .array(let news)):
      for (index, value) in news.enumerated() {
        if index < items.count { items[index].merge(value) } else { items.append(value) }
      }
      self = .array(items)
    // In the 2022 format each fragment has its own copy of an object, and one may be null while another is not.
    case (.object, .leaf(let value)) where value.isNull: break
    default: self = other
    }
  }

  func isList(at path: ArraySlice<PathComponent>) -> Bool {
    guard let first = path.first else { if case .array = self { return true } else { return false } }
    switch (first, self) {
    case (.key(let key), .object(let members)): return members[key]?.isList(at: path.dropFirst()) ?? false
    case (.index(let index), .array(let items)) where index < items.count:
      return items[index].isList(at: path.dropFirst())
    default: return false
    }
  }
}

/// Merges the payloads of both formats in a simple way.
private struct PlainMerge {
  private(set) var data = Plain.leaf(.null)
  /// The ids of pending items, and the `label@path` of failed ones.
  private(set) var unsettled: Set<String> = []
  private(set) var failed: Set<String> = []
  private(set) var hasEnded = false
  private var pending: [String: (path: [PathComponent], label: String)] = [:]

  mutating func receive(_ payload: JSONValue) {
    if let value = payload["data"] { data = Plain(value) }
    for entry in list(payload, "pending") {
      let notice = (path: path(entry["path"]), label: entry["label"]?.string ?? "")
      pending[entry["id"]?.string ?? ""] = notice
      unsettled.insert(entry["id"]?.string ?? "")
    }
    for entry in list(payload, "incremental") {
      let announced = entry["id"]?.string.flatMap { pending[$0] }
      let place = announced.map { $0.path + path(entry["subPath"]) } ?? path(entry["path"])
      if let items = entry["items"] {
        // In the 2022 format the path ends with the index of the first item.
        let list = announced == nil ? place.dropLast() : place[...]
        if items.isNull {
          failed.insert("\(entry["label"]?.string ?? "")@\(ResponsePath(place))")
        } else {
          data.edit(list) { node in
            if case .array(let before) = node { node = .array(before + items.elements.map(Plain.init)) }
          }
        }
      } else if let value = entry["data"], !value.isNull {
        data.edit(place[...]) { $0.merge(Plain(value)) }
      } else {
        failed.insert("\(entry["label"]?.string ?? "")@\(ResponsePath(place))")
      }
    }
    for entry in list(payload, "completed") {
      if unsettled.remove(entry["id"]?.string ?? "") == nil {
        Issue.record("\(entry) was not announced, or ended twice")
      }
      guard let announced = pending[entry["id"]?.string ?? ""], entry["errors"] != nil else { continue }
      if !data.isList(at: announced.path[...]) { failed.insert("\(announced.label)@\(ResponsePath(announced.path))") }
    }
    hasEnded = payload["hasNext"]?.bool != true
  }

  private func list(_ payload: JSONValue, _ key: String) -> [JSONValue] { payload[key]?.elements.map { $0 } ?? [] }
  private func path(_ value: JSONValue?) -> [PathComponent] { value.flatMap { ResponsePath($0) }?.components ?? [] }
}
