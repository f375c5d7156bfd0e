import TestSupport

enum SubscriptionRuns {
  private static func transport(_ random: inout SplitMix) -> String {
    ["auto", "ws", "legacy-ws", "sse", "multipart"].randomElement(using: &random) ?? "auto"
  }

  static func countdown(_ rig: Rig, _ random: inout SplitMix) -> Run {
    let count = Int.random(in: 0...30, using: &random)
    let milliseconds = Int.random(in: 0...3, using: &random)
    let lines = (0...count).reversed().map { #"{"data":{"countdown":\#($0)}}"# }
    let query = "subscription { countdown(from: \(count), milliseconds: \(milliseconds)) }"
    return Run(
      "subscription",
      Step(
        words: ["query", rig.demo, "-q", query, "--subscription-transport", transport(&random)], output: .lines(lines),
        length: 1.5))
  }

  /// Left after some events, by the program itself.
  static func left(_ rig: Rig, _ random: inout SplitMix) -> Run {
    let count = Int.random(in: 1...5, using: &random)
    let lines = (0..<count).map { #"{"data":{"countdown":\#(1000 - $0)}}"# }
    return Run(
      "subscription --max-results",
      Step(
        words: [
          "query", rig.demo, "-q", "subscription { countdown(from: 1000, milliseconds: 1) }", "--max-results",
          "\(count)", "--subscription-transport", transport(&random),
        ],
        output: .lines(lines), length: 1.5))
  }
}

enum CacheRuns {
  /// Written by one run, and read by others under every policy.
  static func policies(_ rig: Rig, _ random: inout SplitMix) -> Run {
    let number = Int.random(in: 1...800, using: &random)
    let query = "{ bird(id: \"b\(number)\") { id ... @defer(label: \"l\") { late: id } } }"
    let data = #"{"bird":{"id":"b\#(number)","late":"b\#(number)"}}"#
    let words = ["query", rig.demo, "-q", query, "--db", "cache"]
    let policies = ["cacheFirst", "networkFirst", "networkOnly", "cacheOnly"]
    let policy = policies.randomElement(using: &random) ?? "cacheFirst"
    let form = Form.allCases.randomElement(using: &random) ?? .json
    return Run(
      "query --db",
      Step(words: words + ["--cache-policy", "cacheOnly"], exitCode: 3, errors: "the cache does not have all"),
      Step(words: words, output: .text(#"{"data":\#(data)}"# + "\n"), length: 1.5),
      Step(words: words + ["--cache-policy", policy, "--output", form.rawValue], output: form.output(data)),
      leaves: ["cache"])
  }

  static func commands(_ rig: Rig, _ random: inout SplitMix) -> Run {
    let birds = Array(1...Int.random(in: 1...40, using: &random))
    let records = birds.map { #""Bird:\#($0)":{"id":"\#($0)"}"# }.joined(separator: ",")
    let references = birds.map { #"{"$ref":"Bird:\#($0)"}"# }.joined(separator: ",")
    let export = #"{"format":"apus-cache","version":1,"records":{"QUERY_ROOT":{"b":[\#(references)]},\#(records)}}"#
    let keys = ["QUERY_ROOT"] + birds.map { "Bird:\($0)" }
    func cache(_ words: String..., lines: [String]) -> Step {
      Step(words: ["cache"] + words + ["--db", "cache"], output: .text(lines.map { $0 + "\n" }.joined()))
    }
    var run = Run(
      "cache", cache("import", "export.json", lines: ["\(birds.count + 1) records"]), files: ["export.json": export],
      leaves: ["cache"])
    run.steps.append(
      Step(
        words: ["cache", "keys", "--db", "cache"],
        output: .judged { text in
          Set(text.split(separator: "\n").map(String.init)) == Set(keys) ? nil : "these are not all keys"
        }))
    run.steps.append(cache("refs", "Bird:1", lines: ["QUERY_ROOT.b"]))
    run.steps.append(cache("evict", "Bird:1", lines: ["Bird:1"]))
    run.steps.append(cache("gc", lines: ["dangling QUERY_ROOT.b -> Bird:1"]))
    run.steps.append(
      Step(
        words: ["cache", "export", "--db", "cache"], output: .judged { $0.contains("apus-cache") ? nil : "no export" }))
    return run
  }
}

enum DocumentRuns {
  private static let sdl = "type Query {\n  a: Int\n  b: [Bird!]!\n}\n\ntype Bird {\n  id: ID!\n  name: String\n}\n"
  private static let files = [
    "s.graphql": sdl, "good.graphql": "{ a b { id } }", "bad.graphql": "{ a b { id nam } }",
    "formed.graphql": "{\n  a\n  b {\n    id\n  }\n}\n",
  ]

  static func schema(_ rig: Rig, _ random: inout SplitMix) -> Run {
    let schema = rig.schema
    let steps = [
      Step(words: ["schema", rig.demo], output: .text(schema), length: 1.5),
      Step(words: ["schema", "s.graphql"], output: .text(sdl)),
      Step(words: ["schema", "s.graphql", "Bird.name"], output: .text("name: String\n")),
    ]
    return Run("schema", steps.randomElement(using: &random) ?? steps[0], files: files)
  }

  static func validate(_ rig: Rig, _ random: inout SplitMix) -> Run {
    let fault = #"Cannot query field "nam" on type "Bird". Did you mean "name"?"#
    let words = ["validate", "--schema", "s.graphql"]
    let steps = [
      Step(words: words + ["good.graphql"], errorsAreFree: true),
      Step(words: words + ["good.graphql", "--output", "json"], output: .text(#"{"valid":true,"errors":[]}"# + "\n")),
      Step(
        words: words + ["bad.graphql"], exitCode: 1,
        output: .text("bad.graphql:1:12: error: \(fault) [FieldsOnCorrectTypeRule]\n"), errorsAreFree: true),
      Step(
        words: ["validate", "--schema", rig.demo, "-"], input: "{ stations { nam } }", exitCode: 1,
        output: .judged { $0.contains("FieldsOnCorrectTypeRule") ? nil : "the rule is not named" },
        errorsAreFree: true, length: 1.5),
    ]
    return Run("validate", steps.randomElement(using: &random) ?? steps[0], files: files)
  }

  static func format(_ rig: Rig, _ random: inout SplitMix) -> Run {
    let formed = "{\n  a\n  b {\n    id\n  }\n}\n"
    if Bool.random(using: &random) {
      return Run("format", Step(words: ["format", "-"], input: "{a b{id}}", output: .text(formed)))
    }
    return Run(
      "format",
      Step(
        words: ["format", "--check", "good.graphql"], exitCode: 1, output: .text("good.graphql\n"), errorsAreFree: true),
      Step(words: ["format", "good.graphql"], output: .judged { _ in nil }, errorsAreFree: true),
      Step(words: ["format", "--check", "good.graphql"], errorsAreFree: true), files: files)
  }

  static func completeAndHover(_ rig: Rig, _ random: inout SplitMix) -> Run {
    let isHover = Bool.random(using: &random)
    let place = ["--schema", "s.graphql", "--at", isHover ? "1:3" : "1:14", "bad.graphql", "--output", "json"]
    let wanted = isHover ? #"{"contents":"```graphql\na: Int"# : #"{"items":[{"label":"name","kind":"field""#
    return Run(
      isHover ? "hover" : "complete",
      Step(
        words: [isHover ? "hover" : "complete"] + place,
        output: .judged { $0.hasPrefix(wanted) && $0.hasSuffix("}\n") ? nil : "the answer is another" }),
      files: files)
  }

  static func generate(_ rig: Rig, _ random: inout SplitMix) -> Run {
    var files = files
    files["query.graphql"] = "query Names { b { id } }"
    files["apus-generate.yml"] = "schema: s.graphql\ndocuments: query.graphql\noutput: Out\nmodule: Birds\n"
    let written = "Out/Operations/NamesQuery.swift\nOut/Schema/Schema.swift\n"
    return Run(
      "generate", Step(words: ["generate"], output: .text(written), errors: "2 written, 0 unchanged"),
      Step(words: ["generate"], errors: "0 written, 2 unchanged"), files: files,
      leaves: ["Out/Operations/NamesQuery.swift", "Out/Schema/Schema.swift"])
  }

  static func words(_ rig: Rig, _ random: inout SplitMix) -> Run {
    func step(_ words: [String], _ text: String) -> Step {
      Step(
        words: words, output: .judged { $0.contains(text) && $0.hasSuffix("\n") ? nil : "it does not say '\(text)'" })
    }
    let steps = [
      step(["--version"], "apus "), step(["help"], "  query "), step(["help", "query"], "--cache-policy"),
      step(["help", "--manual"], ".TH"), step(["themes"], "dark"), step(["completions", "bash"], "complete"),
      step(["completions", "zsh"], "apus"), step(["completions", "fish"], "apus"),
      step(["doctor"], "Nothing is wrong."),
    ]
    // The doctor makes the folders that it looks for.
    return Run(
      "words", steps.randomElement(using: &random) ?? steps[0],
      leaves: [".cache/apus/*", ".local/share/apus/*", ".local/state/apus/*"])
  }

  static func wrongUsage(_ rig: Rig, _ random: inout SplitMix) -> Run {
    let words = [
      ["query"], ["query", rig.demo, "--colour", "red"], ["query", rig.demo, "--output", "xml", "-q", "{ a }"],
      ["serve", "--port", "70000"], ["help", "nothing"], ["cache", "burn", "--db", "x"], [rig.demo],
      ["query", rig.demo, "-q", "{ a }", "--jq", "map("],
    ].randomElement(using: &random)
    return Run(
      "wrong usage",
      Step(words: words ?? ["query"], exitCode: 2, errors: "apus: ", startsChildren: words?.last == "map("))
  }
}

enum ServerRuns {
  /// Serves until it is told to end.
  static func serve(_ rig: Rig, _ random: inout SplitMix) -> Run {
    let isMock = Bool.random(using: &random)
    return Run(
      "serve",
      Step(
        words: ["serve"] + (isMock ? ["--schema", "s.graphql"] : []),
        output: .judged { $0.hasPrefix("http://127.0.0.1:") ? nil : "the URL is missing" }, errorsAreFree: true,
        length: 2, runsUntilTold: true),
      files: ["s.graphql": "type Query { a: Int }"])
  }
}
