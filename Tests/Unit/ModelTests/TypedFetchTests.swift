import Apus
import ApusTestSupport
import Testing

/// Typed operations from the bytes of the server to models and their fragments' states.
@Suite(.timeLimit(.minutes(1))) struct TypedFetchTests {
  /// Returns a run as lines such as `partial Ada friends=pending profile=pending`, with errors.
  private func run(
    _ answers: [ScriptedAnswer], _ query: PersonQuery = PersonQuery(personId: "1"), store: CacheStore? = nil,
    policy: CachePolicy = .networkOnly
  ) async throws -> [String] {
    let server = try ScriptedServer(answers)
    var lines: [String] = []
    do {
      for try await result in GraphQLClient(url: server.url, store: store).fetch(query: query, cachePolicy: policy) {
        lines.append(line(result))
      }
    } catch {
      lines.append("\(error)")
    }
    return lines
  }

  private func line(_ result: GraphQLResult<PersonQuery.Data>) -> String {
    var words = [result.completeness.rawValue]
    if result.source == .cache { words.append("cached") }
    if let person = result.data?.person {
      words.append(person.firstName)
      if let fragments = person.asUser?.fragments {
        words.append("friends=\(state(fragments.$deferredFriends) { "\($0.friends.map(\.firstName))" })")
        words.append("profile=\(state(fragments.$profile) { $0.address?.city ?? "nowhere" })")
      }
    } else {
      words.append("no data")
    }
    return (words + result.errors.map { "(\($0.message))" }).joined(separator: " ")
  }

  private func state<Part>(_ state: Deferred<Part>.State, _ value: (Part) -> String) -> String {
    switch state {
    case .pending: "pending"
    case .fulfilled(let part): value(part)
    case .failed(let errors): "failed: \(errors.map(\.message).joined(separator: ", "))"
    case .notExecuted: "notExecuted"
    }
  }

  private let base = """
    "person":{"__typename":"User","id":"1","firstName":"Ada","lastName":null,"avatar":null,"email":"a@b.c"}
    """
  private let friends = #"{"friends":[{"__typename":"Bot","id":"2","firstName":"R2"}]}"#
  private let profile = #"{"__typename":"User","birthday":"1815-12-10","address":{"city":"London"}}"#

  @Test func `fragments of the 2022 format are delivered in order`() async throws {
    let lines = try await run([
      .multipart([
        .text(#"{"data":{\#(base)},"hasNext":true}"#),
        .text(
          #"{"incremental":[{"path":["person"],"label":"deferredFriends","data":\#(friends)}],"hasNext":true}"#),
        .text(#"{"incremental":[{"path":["person"],"label":"profile","data":\#(profile)}],"hasNext":false}"#),
      ])
    ])
    #expect(
      lines == [
        "partial Ada friends=pending profile=pending", #"partial Ada friends=["R2"] profile=pending"#,
        #"complete Ada friends=["R2"] profile=London"#,
      ])
  }

  @Test func `fragments of the v0.2 format are delivered or fail`() async throws {
    let lines = try await run([
      .multipart(
        specification: "incrementalSpec=v0.2",
        [
          .text(
            """
            {"data":{\(base)},"hasNext":true,"pending":[{"id":"0","path":["person"],"label":"deferredFriends"},\
            {"id":"1","path":["person"],"label":"profile"}]}
            """),
          .text(#"{"incremental":[{"id":"1","data":\#(profile)}],"completed":[{"id":"1"}],"hasNext":true}"#),
          .text(#"{"completed":[{"id":"0","errors":[{"message":"no friends"}]}],"hasNext":false}"#),
        ])
    ])
    #expect(
      lines == [
        "partial Ada friends=pending profile=pending", "partial Ada friends=pending profile=London",
        "complete Ada friends=failed: no friends profile=London (no friends)",
      ])
  }

  @Test func `a fragment in the initial result is fulfilled`() async throws {
    let answer = ScriptedAnswer.json(#"{"data":{\#(base.dropLast()),"friends":[],"birthday":null,"address":null}}}"#)
    #expect(
      try await run([answer], PersonQuery(personId: "1", later: false)) == ["complete Ada friends=[] profile=nowhere"])
    #expect(try await run([answer]) == ["complete Ada friends=[] profile=nowhere"])
  }

  @Test func `a lost connection fails pending fragments`() async throws {
    let lines = try await run([
      .multipart(framing: .untilClose, [.text(#"{"data":{\#(base)},"hasNext":true}"#), .close, .text("{}")])
    ])
    #expect(lines.count == 3)
    #expect(lines.first == "partial Ada friends=pending profile=pending")
    #expect(
      lines.dropFirst().first?.hasPrefix(
        "partial Ada friends=failed: the response broke off before this part arrived profile=failed") == true)
  }

  @Test func `null in a non null field propagates and is reported with its path`() async throws {
    let lines = try await run([
      .json(#"{"data":{"person":{"__typename":"Bot","id":"2","firstName":null,"lastName":null,"avatar":null}}}"#)
    ])
    #expect(lines == [#"complete no data ("person.firstName" is null, although its type String! has no null)"#])
  }

  @Test func `a wrong type in a deferred fragment fails only that fragment`() async throws {
    let broken = #"{"friends":[{"__typename":"Bot","id":"2","firstName":7}]}"#
    let lines = try await run([
      .multipart([
        .text(#"{"data":{\#(base)},"hasNext":true}"#),
        .text(
          """
          {"incremental":[{"path":["person"],"label":"deferredFriends","data":\(broken)},\
          {"path":["person"],"label":"profile","data":\(profile)}],"hasNext":false}
          """),
      ])
    ])
    let error = #""person.friends[0].firstName" is a number, although its type is String!"#
    #expect(lines.last == "complete Ada friends=failed: \(error) profile=London (\(error))")
  }

  @Test func `a deferred fragment without one of its fields fails`() async throws {
    let lines = try await run([
      .multipart([
        .text(#"{"data":{\#(base)},"hasNext":true}"#),
        .text(
          """
          {"incremental":[{"path":["person"],"label":"deferredFriends","data":{"friends":[{"id":"2"}]}},\
          {"path":["person"],"label":"profile","data":\(profile)}],"hasNext":false}
          """),
      ])
    ])
    #expect(lines.last?.contains("friends=failed: \"person.friends[0].__typename\" is missing") == true)
  }

  @Test func `custom scalars are checked on arrival`() async throws {
    let answer = ScriptedAnswer.json(
      #"{"data":{\#(base.dropLast()),"friends":[],"birthday":"soon","address":{"city":"Rome"}}}}"#)
    #expect(
      try await run([answer]) == [
        #"complete Ada friends=[] profile=Rome ("person.birthday" is a string, although its type is Birthday)"#
      ])
  }

  @Test func `an unknown object type is reported and kept`() async throws {
    let lines = try await run([
      .json(#"{"data":{"person":{"__typename":"Alien","id":"3","firstName":"E.","lastName":"T.","avatar":null}}}"#)
    ])
    #expect(lines == [#"complete E. ("person" is of type Alien, which is not Bot, User)"#])
  }

  @Test func `the first result of the cache contains all fragments`() async throws {
    let store = CacheStore(resolver: CacheKeyResolver(schema: PeopleAPI.Metadata.self))
    let complete = ScriptedAnswer.multipart([
      .text(#"{"data":{\#(base)},"hasNext":true}"#),
      .text(
        """
        {"incremental":[{"path":["person"],"label":"deferredFriends","data":\(friends)},\
        {"path":["person"],"label":"profile","data":\(profile)}],"hasNext":false}
        """),
    ])
    _ = try await run([complete], store: store)
    #expect(
      try await run([.never], store: store, policy: .cacheFirst)
        == [#"complete cached Ada friends=["R2"] profile=London"#])
    #expect(try await store.record("User:1") != nil)
  }

  @Test func `a cached initial result without fragments is partial`() async throws {
    let store = CacheStore()
    let query = PersonQuery(personId: "1")
    try await store.write(
      try JSONValue(parsing: "{\(base)}"), operation: query.compiled, variables: query.variables,
      options: CacheWriteOptions(isPartial: true))
    #expect(
      try await run([.never], store: store, policy: .cacheOnly)
        == ["partial cached Ada friends=pending profile=pending"])
  }

  @Test func `canceling the reader closes the connection`() async throws {
    let server = try ScriptedServer([
      .multipart([.text(#"{"data":{\#(base)},"hasNext":true}"#), .hold(Gate())])
    ])
    for try await _ in GraphQLClient(url: server.url).fetch(query: PersonQuery(personId: "1")) { break }
    try await server.clientClosed()
  }
}
