import ApusDemo
import ApusGraphQLExecution
import ApusGraphQLLanguage
import ApusGraphQLSchema
import ApusGraphQLValidation
import ApusJSON
import Testing

/// Typical requests to the demo API.
@Suite(.timeLimit(.minutes(1)))
struct DemoWorldTests {
  let api = DemoAPI(delayScale: 0)

  func run(_ query: String, variables: JSONValue? = nil) async throws -> JSONValue {
    switch await api.executor.execute(ExecutionRequest(Document(parsing: query), variables: variables)) {
    case .refused(let errors): return errors.response
    case .single(let response): return response
    case .incremental(let initial, _): return initial
    }
  }

  func data(_ query: String, variables: JSONValue? = nil) async throws -> JSONValue {
    let response = try await run(query, variables: variables)
    #expect(response["errors"] == nil, "\(response)")
    return try #require(response["data"])
  }

  @Test func `The schema is valid and completely documented`() throws {
    let schema = api.executor.schema
    #expect(Validator.validate(schema: schema) == [])
    for type in schema.types where !type.isBuiltIn {
      #expect(type.description != nil, "\(type.name)")
      for field in type.fields {
        #expect(field.description != nil, "\(type.name).\(field.name)")
        for argument in field.arguments { #expect(argument.description != nil, "\(field.name)(\(argument.name):)") }
      }
      for value in type.enumValues { #expect(value.description != nil, "\(type.name).\(value.name)") }
      for field in type.inputFields { #expect(field.description != nil, "\(type.name).\(field.name)") }
    }
  }

  @Test func `Introspection returns the server's schema`() async throws {
    let response = try await data(Schema.introspectionQuery(options: IntrospectionOptions(directiveDeprecation: true)))
    #expect(response == api.executor.schema.introspectionJSON())
    #expect(try Schema.load(introspection: response).printSDL() == api.executor.schema.printSDL())
  }

  @Test func `Every field of every type has a resolver`() async throws {
    // Each object type, with a path from the root and all its leaf fields.
    let paths = [
      "Species": "species(id: \"sp1\")", "Station": "station(id: \"st1\")", "Bird": "bird(id: \"b5\")",
      "SpeciesRange": "species(id: \"sp1\") { range", "Weather": "station(id: \"st1\") { weather",
      "MigrationHistory": "bird(id: \"b5\") { migrationHistory",
      "MigrationYear": "bird(id: \"b5\") { migrationHistory { years", "Flight": "bird(id: \"b5\") { flights",
      "Observation": "observations(limit: 3)", "PageInfo": "birds(first: 2) { pageInfo",
      "BirdConnection": "birds(first: 2)", "BirdEdge": "birds(first: 2) { edges",
    ]
    let schema = api.executor.schema
    for type in schema.types where type.kind == .object && !type.isBuiltIn {
      guard let path = paths[type.name] else { continue }
      let fields = type.fields.filter { $0.name != "faults" }.map { field in
        field.type.definition?.isLeaf == true ? field.name : "\(field.name) { __typename }"
      }
      let closing = String(repeating: "}", count: path.count { $0 == "{" } + 1)
      _ = try await data("{ \(path) { \(fields.joined(separator: " ")) } \(closing)")
    }
  }

  @Test func `The data is deterministic`() async throws {
    let query = "{ birds(first: 100) { nodes { name ring weight flights { distance } } } observations { remark } }"
    let other = DemoAPI(delayScale: 0)
    guard case .single(let again) = await other.executor.execute(ExecutionRequest(Document(parsing: query))) else {
      Issue.record("not a single response")
      return
    }
    #expect(try await run(query) == again)
  }

  @Test func `All birds can be paged in both directions`() async throws {
    var (forwards, backwards): ([String], [String]) = ([], [])
    var cursor = JSONValue.null
    repeat {
      let page = try await data(
        "query ($c: String) { birds(first: 100, after: $c) { totalCount nodes { id } pageInfo { hasNextPage endCursor } } }",
        variables: .object([("c", cursor)]))["birds"]
      #expect(page?["totalCount"] == 1248)
      forwards += try #require(page?["nodes"]).elements.compactMap { $0["id"]?.string }
      cursor = page?["pageInfo"]?["hasNextPage"]?.bool == true ? page?["pageInfo"]?["endCursor"] ?? .null : .null
    } while !cursor.isNull
    repeat {
      let page = try await data(
        "query ($c: String) { birds(last: 100, before: $c) { nodes { id } pageInfo { hasPreviousPage startCursor } } }",
        variables: .object([("c", cursor)]))["birds"]
      backwards.insert(contentsOf: try #require(page?["nodes"]).elements.compactMap { $0["id"]?.string }, at: 0)
      cursor = page?["pageInfo"]?["hasPreviousPage"]?.bool == true ? page?["pageInfo"]?["startCursor"] ?? .null : .null
    } while !cursor.isNull
    #expect(forwards.count == 1248)
    #expect(Set(forwards).count == 1248)
    #expect(forwards == backwards)
  }

  @Test func `Birds are filtered and sorted, and cursors respect the order`() async throws {
    let query = """
      query ($after: String) { birds(first: 3, after: $after, filter: {species: ["sp6"], sex: MALE},
      orderBy: {field: WEIGHT, direction: DESCENDING}) { edges { cursor node { weight sex species { id } } } } }
      """
    let first = try await data(query)["birds"]?["edges"]
    let weights = try #require(first).elements.compactMap { $0["node"]?["weight"]?.double }
    #expect(weights == weights.sorted(by: >))
    #expect(first?.elements.allSatisfy { $0["node"]?["species"]?["id"] == "sp6" } == true)
    let next = try await data(query, variables: .object([("after", first?[0]?["cursor"] ?? .null)]))["birds"]?["edges"]
    #expect(next?[0] == first?[1])
  }

  @Test func `The cursor of a deleted bird is valid`() async throws {
    _ = try await data(#"mutation { deleteBird(id: "b3") { deletedId } }"#)
    let page = try await data(#"{ birds(first: 2, after: "at-b3") { nodes { id } } }"#)
    #expect(page.description == #"{"birds":{"nodes":[{"id":"b4"},{"id":"b5"}]}}"#)
    #expect(
      try await run(#"{ birds(after: "nonsense") { totalCount } }"#)["errors"]?[0]?["message"]?.string
        == "\"nonsense\" is not a cursor of this list.")
  }

  @Test func `All objects are found by id`() async throws {
    let response = try await data(
      #"{ nodes(ids: ["b1", "sp1", "st1", "f1-1", "o1", "x9", "b99999"]) { __typename id } }"#)
    #expect(
      response.description == #"{"nodes":[{"__typename":"Bird","id":"b1"},{"__typename":"Species","id":"sp1"},"#
        + #"{"__typename":"Station","id":"st1"},{"__typename":"Flight","id":"f1-1"},"#
        + #"{"__typename":"Observation","id":"o1"},null,null]}"#)
  }

  @Test func `A search finds objects of several types`() async throws {
    let response = try await data(#"{ search(text: "ツバメ") { __typename } }"#)
    #expect(response["search"]?[0]?["__typename"] == "Species")
    let birds = try await data(#"{ search(text: "ツバメ", kinds: [BIRD], first: 3) { ... on Bird { name } } }"#)
    #expect(birds["search"]?.count == 3)
    #expect(birds["search"]?[0]?["name"]?.string?.contains("ツバメ") == true)
  }

  @Test func `Mutations change what queries return`() async throws {
    let ringed = try await data(
      """
      mutation { ringBird(input: {name: "Ñandú 🪶", species: "sp1", station: "st1", ringedAt: "2025-01-31T10:00:00+02:00"})
      { bird { id name ringedAt sex } } }
      """)
    #expect(
      ringed["ringBird"]?["bird"]?.description
        == #"{"id":"b1249","name":"Ñandú 🪶","ringedAt":"2025-01-31T08:00:00Z","sex":"UNKNOWN"}"#)
    #expect(try await data("{ birds(first: 1) { totalCount } }")["birds"]?["totalCount"] == 1249)
    _ = try await data(#"mutation { renameBird(id: "b1249", name: "Rhea") { previousName } }"#)
    #expect(try await data(#"{ bird(id: "b1249") { name } }"#)["bird"]?["name"] == "Rhea")
    _ = try await data(
      #"mutation { recordObservation(input: {bird: "b1249", station: "st2", observer: "Å", coordinates: "1.5,2"}) { observation { id } } }"#
    )
    let seen = try await data(
      #"{ observations(limit: 1) { bird { id } coordinates } bird(id: "b1249") { lastSeen { observer } } }"#)
    #expect(
      seen.description == #"{"observations":[{"bird":{"id":"b1249"},"coordinates":{"latitude":1.5,"longitude":2}}],"#
        + #""bird":{"lastSeen":{"observer":"Å"}}}"#)
    #expect(
      try await data(#"mutation { deleteBird(id: "b1249") { deletedId remainingCount } }"#).description
        == #"{"deleteBird":{"deletedId":"b1249","remainingCount":1248}}"#)
    #expect(try await data("{ observationCount }")["observationCount"] == 640)
    #expect(try await data(#"{ bird(id: "b1249") { name } }"#)["bird"]?.isNull == true)
  }

  @Test func `A mutation of an unknown object names it`() async throws {
    let response = try await run(#"mutation { deleteBird(id: "b0") { deletedId } }"#)
    #expect(response["data"]?.isNull == true)
    #expect(response["errors"]?[0]?["message"] == "There is no bird with the id \"b0\".")
    #expect(response["errors"]?[0]?["extensions"]?["code"] == "NOT_FOUND")
  }

  @Test func `A document with fragment cycles is an error`() async throws {
    let query = """
      { species(id: "sp1") { ...F } }
      fragment F on Species { birds(first: 1) { nodes { species { ...F } } } }
      """
    #expect(try await run(query)["errors"]?[0]?["message"] == "The response would be deeper than 300 levels.")
  }

  @Test func `Fields fail on request`() async throws {
    let response = try await run(
      #"{ fail(message: "on purpose") faults { optional list } bird(id: "b1") { id faults { required } } }"#)
    #expect(
      response["data"]?.description
        == #"{"fail":null,"faults":{"optional":null,"list":["first",null,"third"]},"bird":null}"#)
    #expect(
      response["errors"]?.elements.compactMap { $0["path"]?.description } == [
        #"["fail"]"#, #"["faults","optional"]"#, #"["faults","list",1]"#, #"["bird","faults","required"]"#,
      ])
  }

  @Test func `A failing deferred fragment does not affect others`() async throws {
    let query = #"{ bird(id: "b1") { id ... @defer(label: "x") { faults { required(message: "gone") } } } }"#
    let request = ExecutionRequest(Document(parsing: query), incremental: .defer20220824)
    guard case .incremental(let initial, let rest) = await api.executor.execute(request) else {
      Issue.record("not incremental")
      return
    }
    #expect(initial["data"]?.description == #"{"bird":{"id":"b1"}}"#)
    var payloads: [JSONValue] = []
    for await payload in rest { payloads.append(payload) }
    #expect(payloads.count == 1)
    #expect(payloads[0]["incremental"]?[0]?["data"]?.isNull == true)
    #expect(payloads[0]["incremental"]?[0]?["errors"]?[0]?["message"] == "gone")
  }

  @Test func `The example query runs and defers three fragments`() async throws {
    let document = Document(parsing: DemoServer.exampleQuery)
    #expect(document.diagnostics.isEmpty)
    if case .refused(let errors) = await api.respond(to: ExecutionRequest(document)) { Issue.record("\(errors)") }
    let request = ExecutionRequest(document, incremental: .defer20220824)
    guard case .incremental(let initial, let rest) = await api.executor.execute(request) else {
      Issue.record("not incremental")
      return
    }
    #expect(initial["data"]?["birds"]?["pageInfo"]?["hasNextPage"] == true)
    var labels = Set<String>()
    for await payload in rest {
      for entry in payload["incremental"]?.elements.map({ $0 }) ?? [] {
        #expect(entry["errors"] == nil)
        labels.insert(entry["label"]?.string ?? "")
      }
    }
    #expect(labels == ["station", "history", "range"])
  }

  @Test func `Recorded observations are sent to subscribers`() async throws {
    let request = ExecutionRequest(
      Document(parsing: #"subscription { observationAdded(station: "st2") { observer } }"#))
    guard case .events(let events) = await api.executor.subscribe(request) else {
      Issue.record("no events")
      return
    }
    for (station, observer) in [("st1", "elsewhere"), ("st2", "here")] {
      _ = try await data(
        #"mutation { recordObservation(input: {bird: "b1", station: "\#(station)", observer: "\#(observer)"}) { observation { id } } }"#
      )
    }
    var iterator = events.makeAsyncIterator()
    #expect(await iterator.next()?.description == #"{"data":{"observationAdded":{"observer":"here"}}}"#)
  }

  @Test func `A countdown subscription ends`() async throws {
    guard
      case .events(let events) = await api.executor.subscribe(
        ExecutionRequest(Document(parsing: "subscription { countdown(from: 2) }")))
    else {
      Issue.record("no events")
      return
    }
    var numbers: [JSONValue] = []
    for await event in events { numbers.append(event["data"]?["countdown"] ?? .null) }
    #expect(numbers == [2, 1, 0])
  }

  @Test(arguments: [
    ("2024-02-29", "2024-02-29T00:00:00Z"), ("2025-01-01T00:30:15.25+01:00", "2024-12-31T23:30:15Z"),
    ("1969-12-31T23:59:59Z", "1969-12-31T23:59:59Z"), ("2025-02-29", nil), ("2025-13-01", nil), ("yesterday", nil),
    ("2025-01-01T25:00:00Z", nil), ("2025-01-01T10:00", nil),
  ])
  func `Times are parsed as ISO 8601`(text: String, expected: String?) async throws {
    let response = try await run(
      "mutation ($t: DateTime) { ringBird(input: {name: \"T\", species: \"sp1\", station: \"st1\", ringedAt: $t}) { bird { ringedAt } } }",
      variables: .object([("t", JSONValue(text))]))
    #expect(response["data"]?["ringBird"]?["bird"]?["ringedAt"]?.string == expected)
    if expected == nil { #expect(response["errors"] != nil) }
  }
}
