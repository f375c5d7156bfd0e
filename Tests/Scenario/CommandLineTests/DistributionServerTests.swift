import ApusJSON
import ApusTestSupport
import Testing

/// `apus` with servers in three other languages, each with its own GraphQL library.
@Suite(.timeLimit(.minutes(3))) struct DistributionServerTests {
  @Test(
    .enabled(if: DistributionServer.Kind.graphQLJS.isHere, Comment(rawValue: DistributionServer.Kind.graphQLJS.absence))
  )
  func `graphql-js on Node answers queries, inputs and errors`() async throws { try await check(.graphQLJS) }

  @Test(
    .enabled(
      if: DistributionServer.Kind.graphQLRuby.isHere, Comment(rawValue: DistributionServer.Kind.graphQLRuby.absence)))
  func `graphql-ruby answers queries, inputs and errors`() async throws { try await check(.graphQLRuby) }

  @Test(
    .enabled(
      if: DistributionServer.Kind.graphGophers.isHere, Comment(rawValue: DistributionServer.Kind.graphGophers.absence)))
  func `graph-gophers in Go answers queries, inputs and errors`() async throws { try await check(.graphGophers) }

  /// Checks the same requests on each server, except for differences between the servers.
  private func check(_ kind: DistributionServer.Kind) async throws {
    let server = try await DistributionServer.start(kind)
    func query(_ words: String...) async throws -> ChildProcess.Outcome {
      try await ChildProcess.run(Checkout.apus, ["query", server.url] + words)
    }

    // Introspection returns the original schema.
    let changes = try await ChildProcess.apus(
      "schema", "diff", DistributionServer.schema, server.url, "--output", "json")
    let found = try JSONDocument(parsing: changes.output).root["changes"]?.elements.compactMap {
      $0["coordinate"]?.string
    }
    // This library adds a federation type to every schema.
    #expect(found == (kind == .graphGophers ? ["_Service"] : []), "\(changes.output)")

    let interfaces =
      "{ bird: node(id: \"b2\") { ...Any } place: node(id: \"p1\") { ...Any } none: node(id: \"x\") { id } }"
    let fragment = " fragment Any on Node { __typename id ... on Bird { name habitat } ... on Place { title } }"
    #expect(
      try await query("-q", interfaces + fragment).output
        == "{\"data\":{\"bird\":{\"__typename\":\"Bird\",\"id\":\"b2\",\"name\":\"Apus melba\",\"habitat\":\"CLIFF\"},"
        + "\"place\":{\"__typename\":\"Place\",\"id\":\"p1\",\"title\":\"Apus Street\"},\"none\":null}}\n")
    #expect(
      try await query("-q", "{ search(text: \"S\") { ... on Bird { name } ... on Place { title } } }").output
        == "{\"data\":{\"search\":[{\"title\":\"Apus Street\"}]}}\n")

    // An input object with an enum, by POST and by GET.
    let filtered = "query Towns($filter: BirdFilter) { birds(filter: $filter, first: 5) { edges { node { id } } } }"
    for way in [[], ["--get"]] {
      let outcome = try await ChildProcess.run(
        Checkout.apus,
        [
          "query", server.url, "-q", filtered, "--variables",
          "{\"filter\":{\"habitat\":\"TOWN\",\"nameBegins\":\"Apus\"}}",
        ] + way)
      #expect(
        outcome.output
          == "{\"data\":{\"birds\":{\"edges\":[{\"node\":{\"id\":\"b1\"}},{\"node\":{\"id\":\"b3\"}}]}}}\n",
        "\(way): \(outcome.errors)")
    }

    // A field error comes with data and status 200, a request error with the status of the server.
    let broken = try await query("-q", "{ broken bird: node(id: \"b1\") { id } }")
    let answer = try JSONDocument(parsing: broken.output).root
    #expect(broken.exitCode == 1 && answer["errors"]?[0]?["message"] == "It is broken.")
    #expect(answer["errors"]?[0]?["path"] == ["broken"] && answer["data"]?["bird"]?["id"] == "b1")
    let wrong = try await query("-q", "{ nope }", "--include")
    #expect(wrong.exitCode == 1 && wrong.output.contains(kind == .graphQLJS ? " 400" : " 200"), "\(wrong.output)")
    #expect(wrong.output.contains("\"errors\":[{\"message\":"))

    let renamed = "mutation { rename(id: \"b3\", name: \"S. L.\") { name } }"
    #expect(try await query("-q", renamed).output == "{\"data\":{\"rename\":{\"name\":\"S. L.\"}}}\n")
    #expect(
      try await query("-q", "{ node(id: \"b3\") { ... on Bird { name } } }").output
        == "{\"data\":{\"node\":{\"name\":\"S. L.\"}}}\n")

    let pages =
      "query Pages($after: String) { birds(first: 2, after: $after) { edges { node { id } } pageInfo { endCursor hasNextPage } } }"
    #expect(
      try await query("-q", pages, "--all-pages").output
        == "{\"data\":{\"birds\":{\"edges\":[{\"node\":{\"id\":\"b1\"}},{\"node\":{\"id\":\"b2\"}},{\"node\":{\"id\":\"b3\"}}],"
        + "\"pageInfo\":{\"endCursor\":\"b3\",\"hasNextPage\":false}}}}\n")
  }
}
