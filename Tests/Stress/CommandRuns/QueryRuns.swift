import ApusTestSupport

/// `apus query`, with queries that determine their expected output.
enum QueryRuns {
  private static func bird(_ random: inout SplitMix) -> Int { .random(in: 1...800, using: &random) }

  /// Options that do not affect the result.
  private static func format(_ random: inout SplitMix) -> [String] {
    ["--incremental", ["auto", "20220824", "v0.2", "off"].randomElement(using: &random) ?? "auto"]
  }

  static func plain(_ fixtures: RunFixtures, _ random: inout SplitMix) -> Run {
    let birds = (0..<Int.random(in: 1...60, using: &random)).map { _ in bird(&random) }
    let query = birds.enumerated().map { #"a\#($0): bird(id: "b\#($1)") { id }"# }.joined(separator: " ")
    let data = birds.enumerated().map { #""a\#($0)":{"id":"b\#($1)"}"# }.joined(separator: ",")
    let form = Form.allCases.randomElement(using: &random) ?? .json
    return Run(
      "query",
      Step(
        words: ["query", fixtures.demo, "-q", "{ \(query) }", "--output", form.rawValue],
        output: form.output("{\(data)}")))
  }

  /// Queries with one to a hundred fragments.
  static func deferred(_ fixtures: RunFixtures, _ random: inout SplitMix) -> Run {
    let number = bird(&random)
    let most = Int.random(in: 0..<4, using: &random) == 0 ? 100 : 8
    let names = (1...Int.random(in: 1...most, using: &random)).map { "f\($0)" }
    let fragments = names.map { #"... @defer(label: "\#($0)") { \#($0): id }"# }.joined(separator: " ")
    let data = names.map { #","\#($0)":"b\#(number)""# }.joined()
    let form = Form.allCases.randomElement(using: &random) ?? .json
    return Run(
      "query with @defer",
      Step(
        words: [
          "query", fixtures.demo, "-q", "{ bird(id: \"b\(number)\") { id \(fragments) } }", "--output", form.rawValue,
        ]
          + format(&random),
        output: form.output(#"{"bird":{"id":"b\#(number)"\#(data)}}"#)))
  }

  static func library(_ fixtures: RunFixtures, _ random: inout SplitMix) -> Run {
    let form = Form.allCases.randomElement(using: &random) ?? .json
    let query = """
      query A($id: ID!) { author(id: $id) { id ... @defer(label: "name") { name } books { id
      ... @defer(label: "r") { reviews } } ... @defer(label: "life") { biography } } }
      """
    // The server determines the order of the fragments, so members are compared sorted.
    let requested =
      #"{"author":{"biography":"The life of Selma Lagerlöf.","books":[{"id":"10","reviews":["bold","restless"]},"#
      + #"{"id":"11","reviews":["geese!"]},{"id":"12","reviews":[]}],"id":"1","name":"Selma Lagerlöf"}}"#
    let filter = form == .ndjson ? #"select(.response == "complete").data"# : ".data"
    return Run(
      "query of a foreign server",
      Step(
        words: [
          "query", fixtures.library.randomElement(using: &random) ?? "", "-q", query, "--variables", #"{"id":"1"}"#,
          "--output", form == .pretty ? "json" : form.rawValue, "--jq",
          "\(filter) | .author |= (to_entries | sort_by(.key) | from_entries)",
        ],
        output: .text(requested + "\n"), startsChildren: true, length: 1.5))
  }

  static func streamed(_ fixtures: RunFixtures, _ random: inout SplitMix) -> Run {
    let number = bird(&random)
    let form = Form.allCases.randomElement(using: &random) ?? .json
    let initial = Int.random(in: 0...3, using: &random)
    // The demo API numbers a bird's flights.
    let query =
      #"{ bird(id: "b\#(number)") { id flights(first: 1) { id } station { id } "#
      + #"migrationHistory { years @stream(initialCount: \#(initial)) { __typename } } } }"#
    let filter = #".data.bird | [.id, (.migrationHistory.years | map(.__typename) | unique | join(","))]"#
    return Run(
      "query with @stream",
      Step(
        words: [
          "query", fixtures.demo, "-q", query, "--output", form == .ndjson ? "json" : form.rawValue, "--jq",
          filter + " | join(\" \")",
        ] + format(&random),
        output: .text("\"b\(number) MigrationYear\"\n"), startsChildren: true))
  }

  static func manyParts(_ fixtures: RunFixtures, _ random: inout SplitMix) -> Run {
    let count = Int.random(in: 0..<3, using: &random) == 0 ? 100 : Int.random(in: 1...20, using: &random)
    let fragments = (1...count).map { #"... @defer(label: "f\#($0)") { f\#($0) }"# }.joined(separator: " ")
    let data = (1...count).map { #","f\#($0)":\#($0)"# }.joined()
    let form = Form.allCases.randomElement(using: &random) ?? .json
    let kind = Bool.random(using: &random) ? "legacy" : "current"
    return Run(
      "query of many parts",
      Step(
        words: [
          "query", "http://127.0.0.1:\(fixtures.scripted.port)/\(kind)/\(count)", "-q", "{ a \(fragments) }",
          "--output",
          form.rawValue,
        ],
        output: form.output(#"{"a":1\#(data)}"#)))
  }

  static func failing(_ fixtures: RunFixtures, _ random: inout SplitMix) -> Run {
    let message = ["no", "Ωmega ☃", "two words"].randomElement(using: &random) ?? ""
    let error =
      #"{"message":"\#(message)","locations":[{"line":1,"column":3}],"path":["fail"],"#
      + #""extensions":{"code":"ASKED_FOR"}}"#
    return Run(
      "query with an error",
      Step(
        words: ["query", fixtures.demo, "-q", "{ fail(message: \"\(message)\") }"], exitCode: 1,
        output: .text(#"{"data":{"fail":null},"errors":[\#(error)]}"# + "\n")))
  }

  static func filtered(_ fixtures: RunFixtures, _ random: inout SplitMix) -> Run {
    let number = bird(&random)
    let query = "{ bird(id: \"b\(number)\") { id } }"
    var step = Step(words: ["query", fixtures.demo, "-q", query, "--jq", ".data.bird.id, 1 + 1"], startsChildren: true)
    step.output = .text("\"b\(number)\"\n2\n")
    if Int.random(in: 0..<4, using: &random) == 0 {
      step = Step(
        words: ["query", fixtures.demo, "-q", query, "--jq", ".data | error(\"no\")"], exitCode: 1, errors: "--jq",
        startsChildren: true)
    }
    return Run("query with --jq", step)
  }

  static func paged(_ fixtures: RunFixtures, _ random: inout SplitMix) -> Run {
    let (size, pages) = (Int.random(in: 1...5, using: &random), Int.random(in: 1...4, using: &random))
    let texts = (1...pages).map { page in
      let nodes = (1...size * page).map { #"{"id":"b\#($0)"}"# }.joined(separator: ",")
      let info = #""pageInfo":{"hasNextPage":true,"endCursor":"at-b\#(size * page)"}"#
      return #"{"data":{"birds":{"nodes":[\#(nodes)],\#(info)}}}"# + "\n"
    }
    return Run(
      "query of pages",
      Step(
        words: [
          "query", fixtures.demo, "-q", "{ birds(first: \(size)) { nodes { id } pageInfo { hasNextPage endCursor } } }",
          "--all-pages", "--page-limit", "\(pages)",
        ],
        output: .growing(texts), errorsAreFree: true, length: 1.5))
  }

  static func recorded(_ fixtures: RunFixtures, _ random: inout SplitMix) -> Run {
    let number = bird(&random)
    let text = #"{"data":{"bird":{"id":"b\#(number)","late":"b\#(number)"}}}"# + "\n"
    let query = "{ bird(id: \"b\(number)\") { id ... @defer(label: \"l\") { late: id } } }"
    return Run(
      "query --record and replay",
      Step(words: ["query", fixtures.demo, "-q", query, "--record", "session"], output: .text(text)),
      Step(words: ["replay", "session", "--speed", "1000", "--output", "json"], output: .text(text)),
      leaves: ["session"])
  }

  static func firstResults(_ fixtures: RunFixtures, _ random: inout SplitMix) -> Run {
    let number = bird(&random)
    return Run(
      "query --max-results",
      Step(
        words: [
          "query", fixtures.demo, "-q", "{ bird(id: \"b\(number)\") { id ... @defer { late: id } } }", "--output",
          "ndjson",
          "--max-results", "1", "--incremental", "v0.2",
        ],
        output: .checked { text in
          let isOne = text.hasSuffix("\n") && text.split(separator: "\n").count == 1
          return isOne && text.contains(#""data":{"bird":{"id":"b\#(number)""#) ? nil : "it is not the first result"
        }))
  }

  static func table(_ fixtures: RunFixtures, _ random: inout SplitMix) -> Run {
    let count = Int.random(in: 1...9, using: &random)
    return Run(
      "query --output table",
      Step(
        words: ["query", fixtures.demo, "-q", "{ birds(first: \(count)) { nodes { id } } }", "--output", "table"],
        output: .text("id\n──\n" + (1...count).map { "b\($0)\n" }.joined())))
  }

  static func mutation(_ fixtures: RunFixtures, _ random: inout SplitMix) -> Run {
    let number = Int.random(in: 900...1200, using: &random)
    return Run(
      "mutation",
      Step(
        words: [
          "query", fixtures.demo, "-q",
          "mutation($n: String!) { renameBird(id: \"b\(number)\", name: $n) { bird { id name } } }",
          "--variables", #"{"n":"Zoë 鶴"}"#,
        ],
        output: .text(#"{"data":{"renameBird":{"bird":{"id":"b\#(number)","name":"Zoë 鶴"}}}}"# + "\n")))
  }

  static func badServer(_ fixtures: RunFixtures, _ random: inout SplitMix) -> Run {
    func step(_ target: String, _ code: Int32, _ text: String, output: Step.Output = .nothing) -> Step {
      let url = "http://127.0.0.1:\(fixtures.scripted.port)/\(target)"
      return Step(
        words: ["query", url, "-q", "{ a ... @defer { b } }"], exitCode: code, output: output, errors: text)
    }
    var silent = step("silent", 3, "did not complete within 30 ms")
    silent.words += ["--timeout", "0.03"]
    var refused = step("", 3, "refused the connection")
    refused.words[1] = fixtures.closed.url
    var steps = [
      step("html", 4, "text/html"), step("broken", 4, "sent invalid JSON"), silent, refused,
      step("cut", 3, "the response is incomplete", output: .text(#"{"data":{"a":1}}"# + "\n")),
    ]
    var status = step(
      "status/\([400, 422, 500, 503].randomElement(using: &random) ?? 400)", 1, "",
      output: .text(#"{"errors":[{"message":"no"}]}"# + "\n"))
    status.errorsAreFree = true
    var preamble = step("preamble", 0, "", output: .text(#"{"data":{"a":1,"b":2}}"# + "\n"))
    preamble.errors = nil
    steps += [status, preamble]
    return Run("query of a bad server", steps.randomElement(using: &random) ?? refused)
  }
}
