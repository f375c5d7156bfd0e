import Configuration
import Testing

/// The endpoints of a graphql-config file, one a line: name, URL, headers, schema.
private func endpoints(_ text: String, environment: [String: String] = [:]) throws -> [String] {
  let root = try YAMLParser.parse(Array(text.utf8), file: "/p/.graphqlrc.yml")
  return try GraphQLConfig(root, folder: "/p", environment: environment).profiles.map { profile in
    let headers = try profile.headers.map { "\($0.name)=\(try $0.value.resolved(environment: environment))" }
    return ([profile.name, profile.url] + headers + [profile.schema].compactMap { $0 }).joined(separator: " ")
  }
}

@Suite struct GraphQLConfigTests {
  @Test func aSchemaThatIsAURLIsAnEndpoint() throws {
    #expect(try endpoints("schema: https://a.example/graphql\n") == ["default https://a.example/graphql"])
  }

  @Test func endpointsWithHeadersAndASchemaFile() throws {
    let text = """
      schema: ./schema.graphql
      documents: src/**/*.graphql
      extensions:
        endpoints:
          dev: http://localhost:4000/graphql
          live:
            url: https://live.example/graphql
            headers: { Authorization: "Bearer ${TOKEN}", X-Mode: "${MODE:slow}" }
      """
    #expect(
      try endpoints(text, environment: ["TOKEN": "t"]) == [
        "dev http://localhost:4000/graphql /p/schema.graphql",
        "live https://live.example/graphql Authorization=Bearer t X-Mode=slow /p/schema.graphql",
      ])
  }

  @Test func severalProjectsPutTheirNamesBeforeTheirEndpoints() throws {
    let text = """
      {"projects": {"shop": {"schema": [{"${URL}": {"headers": {"K": "v"}}}]}, "blog": {"schema": "https://b.example"}}}
      """
    #expect(
      try endpoints(text, environment: ["URL": "https://s.example"]) == [
        "shop https://s.example K=v", "blog https://b.example",
      ])
  }

  @Test func whatIsWrongIsSaidWithItsPlace() {
    #expect(throws: ConfigurationError.self) { try endpoints("extensions:\n  endpoints:\n    dev: {headers: {}}\n") }
  }
}
