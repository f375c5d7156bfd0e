import ApusClientOperation
import ApusJSON
import ApusTestSupport
import Testing

@testable import ApusClientCache

/// A response is normalized from its tape if it is one text, and from values if it was assembled in memory. The records are
/// the same.
@Suite(.timeLimit(.minutes(1))) struct NormalizerTests {
  private func request(_ text: String) throws -> RecordRequest {
    RecordRequest(
      plan: SelectionPlan(operation: try operation(text), variables: .object([])), policies: CachePolicies(),
      resolver: CacheKeyResolver())
  }

  private func records(of data: JSONValue, _ request: RecordRequest) -> JSONValue {
    CacheExport.json(CacheSnapshot(Normalizer.records(of: data, request), number: 1))
  }

  @Test func `a response is normalized equally from its tape and in memory`() throws {
    let seed = UInt64.random(in: 0 ... .max)
    print("NormalizerTests: seed \(seed)")
    var random = SplitMix(seed: seed)
    let request = try request(
      """
      { bird(id: 1) { id name again: name age mate { id name } nest { material again: material eggs } tracks { eggs }
          ... @defer { photo(size: 2) } }
        flock { name mate { name } } search { ... on Bird { id name } ... on Station { id name visitors { id } } }
        settings version node(id: 2) { id ... on Bird { age } } }
      """)
    for _ in 0..<1000 {
      let data = try json(random.object(depth: 5))
      guard records(of: data, request) != records(of: inMemory(data), request) else { continue }
      Issue.record("\(data), seed \(seed)")
      break
    }
  }

  /// Two members of one field require each member to be written separately.
  @Test(arguments: ["{}", #"{"nest":{}}"#, #"{"unknown":1}"#])
  func `an object without selected fields is a record`(_ bird: String) throws {
    let request = try request("{ bird(id: 1) { name again: name nest { material again: material } } }")
    let data = try json(#"{"bird":\#(bird)}"#)
    #expect(records(of: data, request) == records(of: inMemory(data), request))
    #expect(!records(of: data, request).description.contains(#"{"$embedded":null}"#))
  }

  @Test(arguments: CacheKind.allCases)
  func `an object that a response has twice keeps its lists of lists`(kind: CacheKind) async throws {
    let folder = try TemporaryFolder()
    let store = CacheStore(cache: try kind.cache(in: folder))
    let query = try operation("{ flock { __typename id tracks { __typename eggs } } }")
    func nest(_ eggs: Int) -> String { #"{"__typename":"Nest","eggs":\#(eggs)}"# }
    func bird(_ tracks: String) -> String { #"{"__typename":"Bird","id":"2","tracks":\#(tracks)}"# }
    let last = "[[\(nest(5)),\(nest(6))],[\(nest(7))],[]]"
    let first = "[[\(nest(1)),\(nest(2)),null],[\(nest(3))],null]"
    try await store.write(#"{"flock":[\#(bird(first)),\#(bird(last))]}"#, query)
    #expect(try await store.look(query).data?.description == #"{"flock":[\#(bird(last)),\#(bird(last))]}"#)
  }

  @Test(arguments: [20, 200])
  func `members of wide objects are written in any order, and twice`(count: Int) async throws {
    let fields = (0..<count).map { #"f\#($0): photo(size: \#($0)) g\#($0): photo(size: \#($0))"# }
    let query = try operation(#"{ bird(id: "1") { __typename id \#(fields.joined(separator: " ")) } }"#)
    let store = CacheStore()
    for (round, name) in ["a", "b", "c"].enumerated() {
      var members = (0..<count).flatMap { [#""f\#($0)":"\#(name)\#($0)""#, #""g\#($0)":"\#(name)\#($0)""#] }
      if round == 1 { members.reverse() }
      if round == 2 { members = members.map { $0.replacing("\"c", with: "\"old") }.reversed() + members }
      try await store.write(
        #"{"bird":{"__typename":"Bird","id":"1",\#(members.joined(separator: ","))}}"#, query)
      let read = try await store.look(query)
      #expect(read.isComplete)
      for index in 0..<count {
        #expect(read.data?["bird"]?["f\(index)"]?.string == "\(name)\(index)")
        #expect(read.data?["bird"]?["g\(index)"]?.string == "\(name)\(index)")
      }
      #expect(try await store.record("Bird:1")?.fields.count == count + 2)
    }
  }

  @Test func `coverage markers are written equally from tape and in memory`() throws {
    let operation = try operation("{ a { __typename id ... on I { x } ... on B { y } } }", schema: nil)
    let request = RecordRequest(
      plan: SelectionPlan(operation: operation, variables: .object([])), policies: CachePolicies(),
      resolver: CacheKeyResolver())
    let data = try json(#"{"a":{"__typename":"A","id":"1","x":5}}"#)
    let record = try #require(records(of: data, request)["records"]?["A:1"])
    #expect(record["... on I"]?.description == "true" && record["... on B"]?.description == "false")
    #expect(records(of: data, request) == records(of: inMemory(data), request))
  }

  /// Returns the value in memory, with only scalars on a tape.
  private func inMemory(_ value: JSONValue) -> JSONValue {
    switch value.kind {
    case .object: .object(value.members.map { ($0.key, inMemory($0.value)) })
    case .array: .array(value.elements.map(inMemory))
    default: value
    }
  }
}

extension SplitMix {
  /// Returns an object with some of the names that the query selects, in any order and with values of any kind.
  fileprivate mutating func object(depth: Int) -> String {
    let names = [
      "__typename", "id", "name", "again", "age", "mate", "nest", "material", "eggs", "tracks", "photo", "bird",
      "flock", "search", "visitors", "settings", #"vers\u0069on"#, "node", "unknown",
    ]
    let count = Int.random(in: 0...8, using: &self)
    let members = names.shuffled(using: &self).prefix(count).map { name in
      let value = name == "__typename" ? typename() : name == "id" ? key() : value(depth: depth - 1)
      return #""\#(name)":\#(value)"#
    }
    return "{\(members.joined(separator: ","))}"
  }

  private mutating func typename() -> String {
    let names = ["\"Bird\"", "\"Bird\"", "\"Station\"", "\"Nest\"", "\"B\\u0069rd\"", "\"Fish\"", "null", "1"]
    return names[Int.random(in: names.indices, using: &self)]
  }

  private mutating func key() -> String {
    let keys = ["\"1\"", "\"2\"", "1", "1.0", "-7", "null", "\"\\u0031\"", "\"\"", "[1]", "{}", "\"a.b\\n\"", "true"]
    return keys[Int.random(in: keys.indices, using: &self)]
  }

  private mutating func value(depth: Int) -> String {
    switch Int.random(in: 0..<(depth > 0 ? 10 : 4), using: &self) {
    case 0: return key()
    case 1: return #""text \u00e9 \" \n""#
    case 2: return "99999999999999999999"
    case 3: return "null"
    case 4, 5:
      let count = Int.random(in: 0...3, using: &self)
      return "[\((0..<count).map { _ in value(depth: depth - 1) }.joined(separator: ","))]"
    default: return object(depth: depth)
    }
  }
}
