import ApusJSON
import ApusTestSupport
import Testing

/// `apus import`: files of other programs, imported as files for this one.
@Suite(.timeLimit(.minutes(3))) struct ImportCommandTests {
  private func apus(
    _ folder: TemporaryFolder, _ words: String..., environment: [String: String] = [:]
  ) async throws -> ChildProcess.Outcome {
    try await ChildProcess.run(
      "/usr/bin/env", ["-C", folder.root, Checkout.apus] + words,
      environment: folder.asHome.merging(environment) { $1 })
  }

  private static let http = """
    @host = {{server}}

    ### Total
    POST {{host}}
    Authorization: Bearer {{token}}
    X-REQUEST-TYPE: GraphQL

    query Total { birds { totalCount } }

    ### Script
    POST {{host}}
    X-REQUEST-TYPE: GraphQL

    { __typename }

    > {% client.log("x") %}

    """

  /// The endpoints take the server and the token from the environment, after the user trusts the folder.
  @Test func `an imported request runs on its endpoint`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("birds.http", Self.http)
    let outcome = try await apus(folder, "import", "birds.http", "--to", "birds")
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    #expect(outcome.output == "birds/.graphqlrc.yml\nbirds/Total.graphql\nbirds/Script.graphql\n")
    #expect(outcome.errors.contains("apus: Script: a script\n"), "\(outcome.errors)")
    #expect(outcome.errors.contains("not written; set SERVER, TOKEN in"), "\(outcome.errors)")

    let demo = try ChildProcess(Checkout.apus, ["serve", "--delay-scale", "0"], environment: folder.asHome)
    let url = try #require(await demo.nextLine())
    #expect(try await apus(folder, "trust", "--yes", "birds/.graphqlrc.yml").exitCode == 0)
    let answer = try await ChildProcess.run(
      "/usr/bin/env", ["-C", folder.path("birds"), Checkout.apus, "query", "default", "-f", "Total.graphql"],
      environment: folder.asHome.merging(["SERVER": url, "TOKEN": "t"]) { $1 })
    #expect(answer.output == "{\"data\":{\"birds\":{\"totalCount\":1248}}}\n", "\(answer.errors)")
  }

  @Test func `existing files are not overwritten`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("birds.http", Self.http)
    try folder.write("to/Total.graphql", "mine")
    let outcome = try await apus(folder, "import", "birds.http", "--to", "to")
    #expect(outcome.exitCode == 5)
    #expect(outcome.errors.contains("because the contents differ: to/Total.graphql"), "\(outcome.errors)")
    #expect(try folder.read("to/Total.graphql") == "mine")
    #expect(try folder.read("to/Script.graphql") == "# endpoint: default-2\n{ __typename }\n")
    // An existing file with the same contents is not an error.
    try folder.write("to/Total.graphql", "# endpoint: default\nquery Total { birds { totalCount } }\n")
    #expect(try await apus(folder, "import", "birds.http", "--to", "to").exitCode == 0)
  }

  @Test func `a Bruno folder is imported with its environments`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("b/bruno.json", "{\"version\": \"1\", \"name\": \"b\", \"type\": \"collection\"}")
    try folder.write("b/collection.bru", "headers {\n  X-A: b\n}\n")
    try folder.write("b/environments/local.bru", "vars {\n  host: http://127.0.0.1:1\n}\n")
    try folder.write("b/In/One.bru", "post {\n  url: {{host}}/graphql\n}\n\nbody:graphql {\n  { a }\n}\n")
    #expect(try await apus(folder, "import", "b", "--to", "to").output == "to/.graphqlrc.yml\nto/In/One.graphql\n")
    let configuration = try folder.read("to/.graphqlrc.yml")
    #expect(
      configuration.contains("local:\n      url: \"http://127.0.0.1:1/graphql\"\n      headers:\n        X-A: b\n"))
  }

  @Test func `a file without requests is reported`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("a.json", "{\"openapi\": \"3.0.0\"}")
    let unknown = try await apus(folder, "import", "a.json", "--to", "to")
    #expect(unknown.exitCode == 5 && unknown.errors.contains("a.json has no supported format: curl"))
    try folder.write("a.http", "GET https://a.example/birds\n")
    let none = try await apus(folder, "import", "a.http", "--to", "to")
    #expect(none.exitCode == 5 && none.errors.contains("request 1: it is not a GraphQL request\n"))
    #expect(try await apus(folder, "import", "a.http").exitCode == 2)
    #expect(try folder.files(in: "to").isEmpty)
  }

  @Test func `skipped requests are listed and exit with 1`() async throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "a.http",
      "POST https://a.example/g\n\n{\"query\":\"{ a }\"}\n\n### REST\nPOST https://a.example/b\n\n{\n  \"a\": {}\n}\n")
    let some = try await apus(folder, "import", "a.http", "--to", "to")
    #expect(some.exitCode == 1 && some.output == "to/.graphqlrc.yml\nto/request 1.graphql\n", "\(some.output)")
    #expect(some.errors.contains("REST: it is not a GraphQL request\n"), "\(some.errors)")
    try folder.write("README.md", "# A\n\n```js\nconst a = { b: 1 }\n```\n")
    let none = try await apus(folder, "import", "README.md", "--to", "none")
    #expect(none.exitCode == 5, "\(none.output)")
    #expect(try folder.files(in: "none").isEmpty)
  }

  /// A script names files of its folder. Others are not read, whatever they contain.
  @Test func `a script reads only files of its folder`() async throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "s/all.sh",
      ["body.json", "../outside.json", folder.path("outside.json"), "link.json"].map {
        "curl https://a.example/g -d @\($0)\n"
      }.joined())
    try folder.write("s/body.json", "{\"query\":\"query Inside { a }\"}")
    try folder.write("outside.json", "{\"query\":\"query Outside { a }\"}")
    let made = try await ChildProcess.run("/bin/ln", ["-s", "../outside.json", folder.path("s/link.json")])
    #expect(made.exitCode == 0)
    let outcome = try await apus(folder, "import", "s/all.sh", "--to", "to")
    #expect(outcome.exitCode == 1, "\(outcome.errors)")
    #expect(outcome.output == "to/.graphqlrc.yml\nto/Inside.graphql\n", "\(outcome.output)")
    #expect(outcome.errors.contains("curl option -d @../outside.json was not imported: "), "\(outcome.errors)")
  }

  /// Files with other endings may contain tokens.
  @Test func `documents and JSON that a script prints with cat are read`() async throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "s/all.sh",
      """
      Q=$(cat a.graphql)
      curl https://a.example/g -d "{\\"query\\": \\"$Q\\"}"
      curl https://a.example/g -d "$(< in/b.json)" -H "X-T: $(cat token.txt)"
      curl https://a.example/g -d "$(cat ../c.json)"

      """)
    try folder.write("s/a.graphql", "query A {\n  a(b: \"c\")\n}\n")
    try folder.write("s/in/b.json", "{\"query\":\"query B { b }\"}\n")
    try folder.write("s/token.txt", "hush")
    try folder.write("c.json", "{\"query\":\"query C { c }\"}")
    let outcome = try await apus(folder, "import", "s/all.sh", "--to", "to")
    #expect(outcome.exitCode == 1, "\(outcome.errors)")
    #expect(outcome.output == "to/.graphqlrc.yml\nto/A.graphql\nto/B.graphql\n", "\(outcome.errors)")
    #expect(try folder.read("to/A.graphql").hasSuffix("query A {\n  a(b: \"c\")\n}\n"))
    #expect(try folder.read("to/B.graphql").hasSuffix("query B { b }\n"))
    #expect(outcome.errors.contains("the file ../c.json was not read: "), "\(outcome.errors)")
    let configuration = try folder.read("to/.graphqlrc.yml")
    #expect(!outcome.errors.contains("hush") && !configuration.contains("hush"), "\(configuration)")
  }

  @Test func `a shell variable keeps its name`() async throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "a.sh",
      "curl https://a.example/g -H \"Authorization: Bearer $TOKEN\" -d '{\"query\":\"{ a }\"}'\n"
        + "curl https://b.example/g -u \"$USER_NAME:$WORD\" -d '{\"query\":\"{ b }\"}'\n")
    let outcome = try await apus(folder, "import", "a.sh", "--to", "to")
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    let configuration = try folder.read("to/.graphqlrc.yml")
    #expect(configuration.contains("Authorization: \"Bearer ${TOKEN}\""), "\(configuration)")
    #expect(configuration.contains("Authorization: \"Basic ${BASIC_CREDENTIALS}\""), "\(configuration)")
    #expect(outcome.errors.contains("set BASIC_CREDENTIALS to the Base64 of USER_NAME:WORD\n"), "\(outcome.errors)")
  }

  @Test func `an OpenCollection folder is imported`() async throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "b/opencollection.yml",
      "opencollection: 1.0.0\ninfo:\n  name: b\nrequest:\n  headers:\n    - name: X-A\n      value: b\n")
    try folder.write(
      "b/environments/local.yml", "name: local\nvariables:\n  - name: host\n    value: http://127.0.0.1:1\n")
    try folder.write(
      "b/In/One.yml",
      "info:\n  name: One\n  type: graphql\ngraphql:\n  url: \"{{host}}/g\"\n  body:\n    query: \"{ a }\"\n")
    let outcome = try await apus(folder, "import", "b", "--to", "to")
    #expect(outcome.exitCode == 0 && outcome.output == "to/.graphqlrc.yml\nto/In/One.graphql\n", "\(outcome.errors)")
    let configuration = try folder.read("to/.graphqlrc.yml")
    #expect(
      configuration.contains("local:\n      url: \"http://127.0.0.1:1/g\"\n      headers:\n        X-A: b\n"),
      "\(configuration)")
  }

  @Test func `a folder of HTTP files is read`() async throws {
    let folder = try TemporaryFolder()
    for name in ["a", "b"] {
      try folder.write("s/\(name)/\(name).http", "POST https://a.example/g\n\n{\"query\":\"{ \(name) }\"}\n")
    }
    try folder.write("s/notes.txt", "{ c }\n")
    let outcome = try await apus(folder, "import", "s", "--to", "to")
    #expect(outcome.output == "to/.graphqlrc.yml\nto/request 1.graphql\nto/request 1 2.graphql\n", "\(outcome.errors)")
    let empty = try await apus(folder, "import", "to", "--to", "other")
    #expect(empty.exitCode == 5 && empty.errors.contains("a folder without files that can be imported"))
  }

  private static let curl = "curl https://a.example/g -d '{\"query\":\"query NAME { a }\"}'\n"

  private func writeCommand(_ name: String, to path: String, in folder: TemporaryFolder) throws {
    try folder.write(path, Self.curl.replacing("NAME", with: name))
  }

  /// Files of other programs in the folder are listed, and do not prevent the import.
  @Test func `a folder is imported with all files that have requests`() async throws {
    let folder = try TemporaryFolder()
    for (name, path) in [("Sh", "s/a.sh"), ("Txt", "s/in/b.txt"), ("Bash", "s/c.bash")] {
      try writeCommand(name, to: path, in: folder)
    }
    try folder.write("s/d.md", "# D\n\n```sh\n\(Self.curl.replacing("NAME", with: "Md"))```\n")
    try folder.write("s/e.http", "POST https://a.example/g\n\n{\"query\":\"query Http { a }\"}\n")
    try folder.write(
      "s/f.har",
      "{\"log\":{\"entries\":[{\"request\":{\"url\":\"https://a.example/g\",\"postData\":{\"text\":\"{\\\"query\\\":\\\"query Har { a }\\\"}\"}}}]}}"
    )
    try folder.write(
      "s/g.json", "{\"type\":\"window\",\"windowName\":\"Json\",\"apiUrl\":\"https://a.example/g\",\"query\":\"{ a }\"}"
    )
    try folder.write(
      "s/h.yaml",
      "type: collection.insomnia.rest/5.0\ncollection:\n  - name: Yaml\n    url: https://a.example/g\n    body:\n      text: '{\"query\":\"{ a }\"}'\n"
    )
    try folder.write("s/package.json", "{\"name\": \"x\"}")
    try folder.write("s/compose.yml", "services: {}\n")
    try folder.write("s/notes.txt", "Buy { milk }\n")
    try folder.write("s/build.sh", "TOKEN=hush\nmake all\n")
    try folder.write("s/empty.sh", "")
    try folder.write("s/x.graphql", "{ a }")
    let outcome = try await apus(folder, "import", "s", "--to", "to")
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    let names = ["Sh", "Bash", "Md", "request 1", "Har", "Json", "Yaml", "Txt"]
    #expect(
      outcome.output == "to/.graphqlrc.yml\n" + names.map { "to/\($0).graphql\n" }.joined(), "\(outcome.output)")
    for name in ["package.json", "compose.yml", "notes.txt", "build.sh", "empty.sh"] {
      #expect(outcome.errors.contains("apus: \(name) "), "\(name): \(outcome.errors)")
    }
    #expect(!outcome.errors.contains("x.graphql") && !outcome.errors.contains("hush"), "\(outcome.errors)")
  }

  @Test func `skipped files of a folder are listed and exit with 1`() async throws {
    let folder = try TemporaryFolder()
    try writeCommand("A", to: "s/a.sh", in: folder)
    try writeCommand("Outside", to: "outside/b.sh", in: folder)
    try folder.write("s/broken.json", "{\"info\": {}, \"item\": [{\"request\": ")
    try folder.write("s/rest.sh", "curl https://a.example/birds\n")
    for words in [
      ["/bin/ln", "-s", "../outside/b.sh", folder.path("s/link.sh")],
      ["/bin/ln", "-s", "../outside", folder.path("s/in")],
      ["/usr/bin/truncate", "-s", "1G", folder.path("s/large.har")], ["/usr/bin/mkfifo", folder.path("s/pipe.sh")],
    ] {
      #expect(try await ChildProcess.run(words[0], Array(words.dropFirst())).exitCode == 0)
    }
    let outcome = try await apus(folder, "import", "s", "--to", "to")
    #expect(outcome.exitCode == 1 && outcome.output == "to/.graphqlrc.yml\nto/A.graphql\n", "\(outcome.output)")
    for text in [
      "broken.json is not valid JSON", "rest.sh: request 1: it is not a GraphQL request", "link.sh: it is outside",
      "in: links to folders are not followed", "large.har: it is larger than 32 MiB",
    ] {
      #expect(outcome.errors.contains("apus: \(text)"), "\(text): \(outcome.errors)")
    }
    #expect(try await ChildProcess.run("/bin/rm", [folder.path("s/a.sh")]).exitCode == 0)
    let none = try await apus(folder, "import", "s", "--to", "none")
    #expect(none.exitCode == 5 && none.errors.contains("there is no GraphQL request in s"), "\(none.errors)")
    #expect(try folder.files(in: "none").isEmpty)
  }

  @Test func `one of several files without requests does not prevent the import`() async throws {
    let folder = try TemporaryFolder()
    try writeCommand("A", to: "a.sh", in: folder)
    try folder.write("b.json", "{\"openapi\": \"3.0.0\"}")
    let outcome = try await apus(folder, "import", "b.json", "a.sh", "--to", "to")
    #expect(outcome.exitCode == 1 && outcome.output == "to/.graphqlrc.yml\nto/A.graphql\n", "\(outcome.output)")
    #expect(outcome.errors.contains("apus: b.json has no supported format"), "\(outcome.errors)")
    #expect(try await apus(folder, "import", "b.json", "b.json", "--to", "none").exitCode == 5)
  }

  /// The variables of a script apply only in it.
  @Test func `scripts in a folder keep their own variables`() async throws {
    let folder = try TemporaryFolder()
    for name in ["a", "b"] {
      try folder.write(
        "s/\(name).sh", "API=https://\(name).example/g\ncurl $API -d '{\"query\":\"query \(name) { a }\"}'\n")
    }
    let outcome = try await apus(folder, "import", "s", "--to", "to")
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    let configuration = try folder.read("to/.graphqlrc.yml")
    #expect(configuration.contains("https://a.example/g") && configuration.contains("https://b.example/g"))
  }

  @Test func `planted secrets are in no output`() async throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "a.sh",
      """
      API_PASS=hush-1
      curl https://a.example/g -u "ada:$PASS" -H "X-Key: ${KEY:-hush-2}" -H "X-Pass: $API_PASS" --made-up=hush-3 \\
        --proxy http://u:hush-4@p -b 'sid=hush-5' -d '{"query":"{ a }","variables":{"password":"hush-6"}}'
      curl https://u:hush-7@a.example/g?token=hush-8 -H "X: $(id --token=hush-9-0123456789abcdef)" -d '{"query":"{ b }"}'

      """)
    let outcome = try await apus(folder, "import", "a.sh", "--to", "to")
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    #expect(outcome.errors.contains("set BASIC_CREDENTIALS to the Base64 of ada:PASS\n"), "\(outcome.errors)")
    var texts = [outcome.output, outcome.errors]
    for name in try folder.files(in: "to") { texts.append(try folder.read("to/\(name)")) }
    #expect(texts.count > 4 && !texts.contains { $0.contains("hush") }, "\(texts)")
  }

  @Test func `an imported operation does not run without its secrets`() async throws {
    let folder = try TemporaryFolder()
    let body =
      #"{"query":"query A($in: In) { a(in: $in, password: \"hush1\") }","variables":{"in":{"pin":"hush2","n":1}}}"#
    try folder.write("a.sh", "curl http://127.0.0.1:1/graphql -d '\(body)'\n")
    #expect(try await apus(folder, "import", "a.sh", "--to", "to").exitCode == 0)
    #expect(
      try folder.read("to/A.graphql").hasPrefix("# secrets: password, in.pin\nquery A($in: In, $password: String!)"))
    func run(_ variables: String, _ words: String) async throws -> ChildProcess.Outcome {
      try await apus(
        folder, "query", "http://127.0.0.1:1/graphql", "-f", "to/A.graphql", "--variables", variables, "--var", words)
    }
    for (variables, word, name) in [
      ("{}", "in=null", "password"), ("{}", "password=x", "in.pin"), ("@to/A.variables.json", "password=x", "in.pin"),
    ] {
      let outcome = try await run(variables, word)
      #expect(outcome.exitCode == 2 && outcome.errors.contains("the secret '\(name)'"), "\(outcome.errors)")
    }
    // With its secrets it is sent; no server answers.
    let sent = try await run(#"{"in":{"pin":1}}"#, "password=x")
    #expect(sent.exitCode == 3, "\(sent.errors)")
  }

  /// Programs of Windows write UTF-16 with a byte order mark.
  @Test func `a UTF-16 file is imported`() async throws {
    let folder = try TemporaryFolder()
    let text = "curl https://a.example/g -d '{\"query\":\"query É { a }\"}'".replacing("É", with: "E")
    var bytes: [UInt8] = [0xFF, 0xFE]
    for unit in text.utf16 { bytes += [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
    let octal = bytes.map { "\\" + String(Int($0) | 0o1000, radix: 8).dropFirst() }.joined()
    let made = try await ChildProcess.run("/bin/sh", ["-c", "printf '\(octal)' >\(folder.path("a.sh"))"])
    #expect(made.exitCode == 0)
    let outcome = try await apus(folder, "import", "a.sh", "--to", "to")
    #expect(outcome.output == "to/.graphqlrc.yml\nto/E.graphql\n", "\(outcome.errors)")
  }

  /// A downloaded folder may contain links in place of the files.
  @Test(arguments: ["to/.graphqlrc.yml", "to/Total.graphql"])
  func `import does not write through symbolic links`(link: String) async throws {
    let folder = try TemporaryFolder()
    try folder.write("birds.http", Self.http)
    try folder.write("outside/kept", "")
    try folder.write("to/other", "")
    let made = try await ChildProcess.run("/bin/ln", ["-s", folder.path("outside/new"), folder.path(link)])
    #expect(made.exitCode == 0)
    let outcome = try await apus(folder, "import", "birds.http", "--to", "to")
    #expect(outcome.exitCode == 5, "\(outcome.output)")
    #expect(outcome.errors.contains("\(link) is a symbolic link"), "\(outcome.errors)")
    #expect(try folder.files(in: "outside") == ["kept"])
  }
}
