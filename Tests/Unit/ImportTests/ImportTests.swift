import ApusClientRequests
import ApusSecrets
import Testing

@testable import ApusClientImports

/// Files of other programs, by their documentation, and the imported result.
struct ImportTests {
  private func imported(_ files: (name: String, text: String)...) throws -> ImportedFolder {
    var collection = ImportedCollection()
    for file in files { try collection.add(UntrustedText(file.text), named: file.name) }
    return ImportedFolder(collection, from: "them")
  }

  private func file(_ path: String, of folder: ImportedFolder) -> String? {
    folder.files.first { $0.path == path }?.text
  }

  @Test func `a Postman collection with folders and variables is imported`() throws {
    let folder = try imported(
      ("birds.postman_collection.json", Self.postman), ("local.postman_environment.json", Self.postmanEnvironment))
    #expect(
      folder.files.map(\.path) == [
        ".graphqlrc.yml", "Reading/One bird.graphql", "Reading/One bird.variables.json", "Add.graphql",
      ])
    #expect(
      file(".graphqlrc.yml", of: folder) == """
        # Imported from them.
        documents: "**/*.graphql"
        extensions:
          endpoints:
            local:
              url: "http://localhost:4000/graphql"
              headers:
                X-Trace: "on"
                Authorization: "Bearer ${TOKEN}"
            local-localhost-4000:
              url: "http://localhost:4000/graphql"
              headers:
                X-Api-Key: "${X_API_KEY}"

        """)
    #expect(
      file("Reading/One bird.graphql", of: folder)
        == "# Asks for one with •••\n# endpoint: local\nquery One($id: ID!) { bird(id: $id) { name } }\n")
    #expect(file("Reading/One bird.variables.json", of: folder) == "{\"id\": \"bird-7\"}\n")
    #expect(file("Add.graphql", of: folder)?.hasSuffix("mutation { add(name: \"Apus\") { id } }\n") == true)
    #expect(
      folder.notes == [
        "Birds: a script (prerequest)", "Reading / One bird: 1 saved response", "List: it is not a GraphQL request",
        "File: a body of the kind 'formdata'",
        "secrets were not written; set TOKEN, X_API_KEY in the environment, then run 'apus trust' in the folder",
      ])
    #expect(!folder.files.contains { $0.text.contains("s3cret") })
  }

  /// The file declares it as authentication, whatever the header is named.
  @Test(arguments: [
    (
      "a.postman_collection.json",
      #"""
      {"info": {"schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},
       "item": [{"name": "One", "request": {"method": "POST", "url": "https://a.example/graphql",
        "auth": {"type": "apikey", "apikey": [
          {"key": "key", "value": "Station"}, {"key": "value", "value": "planted-key"}, {"key": "in", "value": "header"}]},
        "body": {"mode": "graphql", "graphql": {"query": "{ a(of: \"planted-key\") }"}}}}]}
      """#
    ),
    (
      "insomnia.json",
      #"""
      {"_type": "export", "__export_format": 4, "resources": [
        {"_id": "req_1", "_type": "request", "parentId": "wrk_1", "name": "One", "method": "POST",
         "url": "https://a.example/graphql",
         "authentication": {"type": "apikey", "key": "Station", "value": "planted-key", "addTo": "header"},
         "body": {"mimeType": "application/graphql", "text": "{\"query\": \"{ a(of: \\\"planted-key\\\") }\"}"}},
        {"_id": "wrk_1", "_type": "workspace", "name": "Birds"}]}
      """#
    ),
    (
      "One.bru",
      """
      meta {
        name: One
        type: graphql
      }

      post {
        url: https://a.example/graphql
        body: graphql
        auth: apikey
      }

      auth:apikey {
        key: Station
        value: planted-key
        placement: header
      }

      body:graphql {
        { a(of: "planted-key") }
      }
      """
    ),
  ])
  func `an API key is a secret under any name`(name: String, text: String) throws {
    let folder = try imported((name, text))
    #expect(file(".graphqlrc.yml", of: folder)?.contains("Station: \"${STATION}\"") == true, "\(folder.files)")
    #expect(!folder.files.contains { $0.text.contains("planted") })
    #expect(!folder.notes.contains { $0.contains("planted") })
    #expect(folder.files.count > 1)
    var collection = ImportedCollection()
    try collection.add(UntrustedText(text), named: name)
    let header = try #require(ImportedRequests(collection).requests.first?.draft.headers.first)
    #expect(header.isAuthentication && header.name == "Station")
  }

  /// With the values of the file and its first environment, which are in no text.
  @Test func `requests of a collection are listed one by one`() throws {
    var collection = ImportedCollection()
    try collection.add(UntrustedText(Self.postman), named: "birds.postman_collection.json")
    try collection.add(UntrustedText(Self.postmanEnvironment), named: "local.postman_environment.json")
    let requests = ImportedRequests(collection)
    #expect(requests.requests.map(\.title) == ["Reading / One bird", "Add"])
    #expect(requests.requests.map(\.draft.url) == ["{{base_url}}/graphql", "{{base_url}}/graphql"])
    let bird = try #require(requests.requests.first?.draft)
    #expect(bird.variables == "{\"id\": \"{{birdId}}\"}" && bird.query.text.contains("bird(id: $id)"))
    #expect(bird.headers.map(\.name) == ["X-Trace", "Authorization"])
    #expect(!requests.leftOut.contains { $0.contains("{{token}}") }, "\(requests.leftOut)")
    #expect(
      bird.options.references == [
        .init(name: "base_url", value: "localhost:4000", source: .file),
        .init(name: "birdId", value: "bird-7", source: .file),
        .init(name: "token", value: "s3cret", source: .secretOfFile),
      ])
    #expect(requests.leftOut.contains("List: it is not a GraphQL request"))
    #expect(bird.headers.last?.value.source == "Bearer {{token}}")
  }

  @Test func `an Insomnia export is imported`() throws {
    let folder = try imported(("insomnia.json", Self.insomnia))
    #expect(
      folder.files.map(\.path) == [".graphqlrc.yml", "Birds/All.graphql", "Birds/All.variables.json"])
    #expect(
      file(".graphqlrc.yml", of: folder) == """
        # Imported from them.
        documents: "**/*.graphql"
        extensions:
          endpoints:
            Staging:
              url: "https://staging.example/graphql?v=2"
              headers:
                X-Client: apus
                Authorization: "Bearer ${AUTH_TOKEN}"
            Production:
              url: "https://birds.example/graphql?v=2"
              headers:
                X-Client: apus
                Authorization: "Bearer ${AUTH_TOKEN}"

        """)
    #expect(
      file("Birds/All.graphql", of: folder) == "# operation: All\nquery All($n: Int) { birds(first: $n) { id } }\n")
    #expect(
      folder.notes.prefix(3) == [
        "Birds: the folder's own environment", "Live: a resource of the type 'websocket_request'",
        "REST: it is not a GraphQL request",
      ])
  }

  /// To Swift, a `=`, a colon or a space and a following combining mark are one character.
  @Test func `a value may start with a combining mark`() throws {
    let http = try imported(
      (
        "birds.http",
        "@mark=\u{301}1\n@more = \u{301}2\n\nGRAPHQL http://birds.example/\nX-A: {{mark}}{{more}}\n\n{ a }\n"
      ))
    #expect(file(".graphqlrc.yml", of: http)?.contains("X-A: \"\u{301}1\u{301}2\"") == true, "\(http.files[0].text)")
    let bruno = try imported(
      ("collection.bru", "headers {\n  X-A:\u{301}1\n}\n"), ("One bird.bru", Self.brunoRequest),
      ("environments/local.bru", "vars {\n  host: http://localhost:4000\n}\n"))
    #expect(file(".graphqlrc.yml", of: bruno)?.contains("\u{301}1") == true, "\(bruno.files[0].text)")
  }

  @Test func `a Bruno collection with folder settings is imported`() throws {
    let folder = try imported(
      ("collection.bru", Self.brunoCollection), ("Birds/One bird.bru", Self.brunoRequest),
      ("environments/local.bru", "vars {\n  host: http://localhost:4000\n}\nvars:secret [\n  jwt\n]\n"))
    #expect(folder.files.map(\.path) == [".graphqlrc.yml", "Birds/One.graphql", "Birds/One.variables.json"])
    #expect(
      file(".graphqlrc.yml", of: folder)?.hasSuffix(
        """
            local:
              url: "http://localhost:4000/graphql"
              headers:
                X-Client: apus
                Authorization: "Bearer ${JWT}"

        """) == true, "\(folder.files[0].text)")
    #expect(
      file("Birds/One.graphql", of: folder)
        == "query One($id: ID!) {\n  bird(id: $id) {\n    name\n  }\n}\n")
    #expect(file("Birds/One.variables.json", of: folder) == "{\n  \"id\": \"7\"\n}\n")
    #expect(folder.notes.prefix(2) == ["Birds / One: a script (script:pre-request)", "Birds / One: a block (assert)"])
  }

  @Test func `an Altair collection with its environment is imported`() throws {
    let folder = try imported(("birds.agc", Self.altair), ("local.agx", Self.altairEnvironment))
    #expect(
      folder.files.map(\.path) == [".graphqlrc.yml", "All.graphql", "All.variables.json", "Seldom/Watch.graphql"])
    #expect(file("All.variables.json", of: folder) == "{ \"first\": 3 }\n")
    #expect(
      file(".graphqlrc.yml", of: folder)?.contains(
        "url: \"http://localhost:4000/graphql\"\n      headers:\n        X-A: b\n")
        == true, "\(folder.files[0].text)")
    #expect(
      folder.files[0].text.contains("subscription:\n        url: \"ws://localhost:4000/other\"\n"),
      "\(folder.files[0].text)")
    #expect(
      folder.notes == [
        "All: a script (preRequest)",
        "Seldom / Watch: the connection payload of subscriptions (--connection-payload)",
      ])
  }

  @Test func `GraphQL requests of an HTTP archive are imported once`() throws {
    let folder = try imported(("site.har", Self.har))
    #expect(
      folder.files.map(\.path) == [
        ".graphqlrc.yml", "Birds.graphql", "Birds.variables.json", "A.graphql", "request 3.graphql",
      ])
    #expect(
      file(".graphqlrc.yml", of: folder)?.hasSuffix(
        """
            default:
              url: "https://birds.example/graphql"
              headers:
                authorization: "Bearer ${AUTHORIZATION}"
                cookie: "${COOKIE}"
                x-price: "$$5"

        """) == true, "\(folder.files[0].text)")
    #expect(
      folder.notes == [
        "https://birds.example/graphql: a persisted query of which only the hash was sent",
        "1 request: not GraphQL", "headers that browsers add automatically: sec-fetch-mode, user-agent",
        "secrets were not written; set AUTHORIZATION, COOKIE in the environment, then run 'apus trust' in the folder",
      ])
    #expect(!folder.files.contains { $0.text.contains("s3cret") })
  }

  @Test func `an HTTP file with variables and environments is imported`() throws {
    let folder = try imported(
      ("birds.http", Self.http), ("http-client.env.json", Self.httpEnvironments),
      ("http-client.private.env.json", "{\"dev\": {\"token\": \"s3cret\"}}"))
    #expect(
      folder.files.map(\.path) == [".graphqlrc.yml", "all.graphql", "One bird.graphql", "One bird.variables.json"])
    #expect(
      file(".graphqlrc.yml", of: folder) == """
        # Imported from them.
        documents: "**/*.graphql"
        extensions:
          endpoints:
            dev:
              url: "http://localhost:4000/graphql"
              headers:
                Authorization: "Bearer ${TOKEN}"
            prod:
              url: "https://birds.example/graphql"
              headers:
                Authorization: "Bearer ${TOKEN}"

        """)
    #expect(file("all.graphql", of: folder) == "query {\n  birds { id }\n}\n")
    #expect(file("One bird.variables.json", of: folder) == "{\"id\": \"7\"}\n")
    #expect(
      folder.notes.prefix(3) == [
        "all: a script", "One bird: '# @no-redirect'", "request 3: it is not a GraphQL request",
      ])
  }

  @Test func `several curl commands in one file are imported`() throws {
    let folder = try imported(
      (
        "all.txt",
        "curl https://a.example/graphql \\\n  -H 'X-A: b' -d '{\"query\":\"{ a }\"}'\n$ curl 'https://a.example/graphql' -k "
          + "-H 'X-A: b' --data-raw '{\"query\":\"query B { b }\",\"operationName\":\"B\"}'\n"
      ))
    #expect(folder.files.map(\.path) == [".graphqlrc.yml", "request 1.graphql", "B.graphql"])
    #expect(folder.notes == ["request 2: curl option -k was not imported: pass --insecure to Apus"])
  }

  /// Otherwise a value set for one would be sent to both.
  @Test func `different secrets have different names`() throws {
    func folder(_ tokens: [String]) throws -> ImportedFolder {
      let commands = tokens.enumerated().map { number, token in
        "curl https://h\(number).example/graphql -H 'Authorization: Bearer \(token)' -d '{\"query\":\"{ a }\"}'\n"
      }
      return try imported(("all.txt", commands.joined()))
    }
    let two = try folder(["s3cret-one", "s3cret-two"])
    let text = try #require(file(".graphqlrc.yml", of: two))
    #expect(text.contains("Authorization: \"Bearer ${AUTHORIZATION}\""), "\(text)")
    #expect(text.contains("Authorization: \"Bearer ${AUTHORIZATION_2}\""), "\(text)")
    #expect(!two.files.contains { $0.text.contains("s3cret") })
    let reported = "secrets were not written; set "
    let advice = " in the environment, then run 'apus trust' in the folder"
    #expect(two.notes == [reported + "AUTHORIZATION, AUTHORIZATION_2" + advice])
    let one = try folder(["s3cret-one", "s3cret-one"])
    #expect(one.notes == [reported + "AUTHORIZATION" + advice])
  }

  @Test func `imported names cannot escape the folder`() throws {
    let windows = ["../../etc/x", "-rf", ".git/config", "CON:\u{1B}[31m", "a", "A", ""].map {
      "{\"type\":\"window\",\"windowName\":\"\($0.replacing("\u{1B}", with: "\\u001b"))\",\"apiUrl\":\"https://a.example/\","
        + "\"query\":\"{ a }\",\"headers\":[{\"key\":\"X-Cost\",\"value\":\"$(rm -rf /) $HOME\"},"
        + "{\"key\":\"a b\",\"value\":\"\"}]}"
    }
    let folder = try imported(("x.agc", "{\"type\":\"collection\",\"queries\":[\(windows.joined(separator: ","))]}"))
    #expect(
      folder.files.map(\.path) == [
        ".graphqlrc.yml", "etc-x.graphql", "rf.graphql", "git-config.graphql", "CON--[31m.graphql", "a.graphql",
        "A 2.graphql", "request.graphql",
      ])
    #expect(folder.files[0].text.contains("X-Cost: \"$$(rm -rf /) $$HOME\"\n"), "\(folder.files[0].text)")
    #expect(folder.notes.contains("a: a header with an invalid name or value"))
  }

  @Test func `secrets in URLs and variables are not written`() throws {
    let folder = try imported(
      (
        "x.http",
        "POST https://me:s3cret@a.example/graphql?api_key=s3cret&v=1&q=ghp_0123456789abcdefABCDEF\n\n"
          + "{\"query\": \"{ a }\", \"variables\": {\"password\": \"s3cret\"}}\n"
      ))
    #expect(!folder.files.contains { $0.text.contains("s3cret") || $0.text.contains("ghp_") }, "\(folder.files)")
    #expect(folder.files[0].text.contains("?api_key=${API_KEY}&v=1&q=${Q}"), "\(folder.files[0].text)")
    #expect(
      folder.notes.contains("request 1: the value of password was not written; pass it with --var or --variables"))
  }

  @Test func `unsupported files are reported`() {
    let cases: [(name: String, text: String, failure: ImportError)] = [
      ("a.json", " \n", .empty("a.json")), ("a.json", "{\"a\":", .brokenJSON("a.json")),
      ("a.json", "{\"openapi\": \"3.0.0\"}", .unknown("a.json")),
      ("a.json", "{\"a\": 1}", .unknown("a.json")),
    ]
    for (name, text, failure) in cases {
      #expect(throws: failure) { try imported((name, text)) }
    }
  }
}
