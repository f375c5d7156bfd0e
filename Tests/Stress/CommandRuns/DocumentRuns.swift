import ApusTestSupport

/// Commands on documents and schemas, and commands that only print information.
enum DocumentRuns {
  private static let sdl = "type Query {\n  a: Int\n  b: [Bird!]!\n}\n\ntype Bird {\n  id: ID!\n  name: String\n}\n"
  private static let files = [
    "s.graphql": sdl, "good.graphql": "{ a b { id } }", "bad.graphql": "{ a b { id nam } }",
    "formed.graphql": "{\n  a\n  b {\n    id\n  }\n}\n", "named.graphql": "query Q { a }",
    "next.graphql": "type Query {\n  a: Int\n  b: [Bird!]!\n}\n\ntype Bird {\n  id: ID!\n}\n",
  ]

  static func schema(_ fixtures: RunFixtures, _ random: inout SplitMix) -> Run {
    let schema = fixtures.schema
    let steps = [
      Step(words: ["schema", fixtures.demo], output: .text(schema), length: 1.5),
      Step(words: ["schema", "s.graphql"], output: .text(sdl)),
      Step(words: ["schema", "s.graphql", "Bird.name"], output: .text("name: String\n")),
    ]
    return Run("schema", steps.randomElement(using: &random) ?? steps[0], files: files)
  }

  /// Typical commands of pipelines on schemas and documents.
  static func pipelines(_ fixtures: RunFixtures, _ random: inout SplitMix) -> Run {
    let steps = [
      Step(
        words: ["schema", "diff", "s.graphql", "next.graphql", "--fail-on", "breaking"], exitCode: 1,
        output: .text("breaking: Field Bird.name was removed. [FIELD_REMOVED]\n"), errors: "1 breaking, 0 dangerous"),
      Step(
        words: ["schema", "diff", fixtures.demo, fixtures.demo, "--output", "json"],
        output: .text("{\"changes\":[]}\n"),
        length: 2),
      Step(
        words: ["schema", "lint", "s.graphql"], exitCode: 1,
        output: .checked { $0.contains("[require-description]") ? nil : "the rule is not named" }),
      Step(
        words: ["coverage", "--schema", "s.graphql", "named.graphql"],
        output: .checked { $0.hasPrefix("1 of 4 fields are used\n") ? nil : "the count is another" }),
      Step(
        words: ["bundle", "named.graphql", "--format", "relay"],
        output: .checked { $0.hasSuffix("\": \"query Q{a}\"\n}\n") ? nil : "the text is another" }),
    ]
    return Run("pipelines", steps.randomElement(using: &random) ?? steps[0], files: files)
  }

  static func validate(_ fixtures: RunFixtures, _ random: inout SplitMix) -> Run {
    let fault = #"Cannot query field "nam" on type "Bird". Did you mean "name"?"#
    let words = ["validate", "--schema", "s.graphql"]
    let steps = [
      Step(words: words + ["good.graphql"], errorsAreFree: true),
      Step(
        words: words + ["good.graphql", "--output", "json"],
        output: .text(#"{"valid":true,"errors":[],"warnings":[]}"# + "\n")),
      Step(
        words: words + ["bad.graphql"], exitCode: 1,
        output: .text("bad.graphql:1:12: error: \(fault) [FieldsOnCorrectTypeRule]\n"), errorsAreFree: true),
      Step(
        words: ["validate", "--schema", fixtures.demo, "-"], input: "{ stations { nam } }", exitCode: 1,
        output: .checked { $0.contains("FieldsOnCorrectTypeRule") ? nil : "the rule is not named" },
        errorsAreFree: true, length: 1.5),
    ]
    return Run("validate", steps.randomElement(using: &random) ?? steps[0], files: files)
  }

  static func format(_ fixtures: RunFixtures, _ random: inout SplitMix) -> Run {
    let formed = "{\n  a\n  b {\n    id\n  }\n}\n"
    if Bool.random(using: &random) {
      return Run("format", Step(words: ["format", "-"], input: "{a b{id}}", output: .text(formed)))
    }
    return Run(
      "format",
      Step(
        words: ["format", "--check", "good.graphql"], exitCode: 1, output: .text("good.graphql\n"), errorsAreFree: true),
      Step(words: ["format", "good.graphql"], output: .checked { _ in nil }, errorsAreFree: true),
      Step(words: ["format", "--check", "good.graphql"], errorsAreFree: true), files: files)
  }

  static func completeAndHover(_ fixtures: RunFixtures, _ random: inout SplitMix) -> Run {
    let isHover = Bool.random(using: &random)
    let place = ["--schema", "s.graphql", "--at", isHover ? "1:3" : "1:14", "bad.graphql", "--output", "json"]
    let requested = isHover ? #"{"contents":"```graphql\na: Int"# : #"{"items":[{"label":"name","kind":"field""#
    return Run(
      isHover ? "hover" : "complete",
      Step(
        words: [isHover ? "hover" : "complete"] + place,
        output: .checked { $0.hasPrefix(requested) && $0.hasSuffix("}\n") ? nil : "the answer is another" }),
      files: files)
  }

  static func generate(_ fixtures: RunFixtures, _ random: inout SplitMix) -> Run {
    var files = files
    files["query.graphql"] = "query Names { b { id } }"
    files["apus-generate.yml"] = "schema: s.graphql\ndocuments: query.graphql\noutput: Out\nmodule: Birds\n"
    let written = "Out/Operations/NamesQuery.swift\nOut/Schema/Schema.swift\n"
    return Run(
      "generate", Step(words: ["generate"], output: .text(written), errors: "2 written, 0 unchanged"),
      Step(words: ["generate"], errors: "0 written, 2 unchanged"), files: files,
      leaves: ["Out/Operations/NamesQuery.swift", "Out/Schema/Schema.swift"])
  }

  static func words(_ fixtures: RunFixtures, _ random: inout SplitMix) -> Run {
    func step(_ words: [String], _ text: String) -> Step {
      Step(
        words: words, output: .checked { $0.contains(text) && $0.hasSuffix("\n") ? nil : "it does not say '\(text)'" })
    }
    let steps = [
      step(["--version"], "apus "), step(["help"], "  query "), step(["help", "query"], "--cache-policy"),
      step(["help", "--manual"], ".TH"), step(["themes"], "dark"), step(["completions", "bash"], "complete"),
      step(["completions", "zsh"], "apus"), step(["completions", "fish"], "apus"),
      step(["doctor"], "No problems."),
    ]
    // `doctor` creates the folders that it checks.
    return Run(
      "words", steps.randomElement(using: &random) ?? steps[0],
      leaves: [".cache/apus/*", ".local/share/apus/*", ".local/state/apus/*"])
  }

  static func wrongUsage(_ fixtures: RunFixtures, _ random: inout SplitMix) -> Run {
    let words = [
      ["query"], ["query", fixtures.demo, "--colour", "red"],
      ["query", fixtures.demo, "--output", "xml", "-q", "{ a }"],
      ["serve", "--port", "70000"], ["help", "nothing"], ["cache", "burn", "--db", "x"], [fixtures.demo],
      ["query", fixtures.demo, "-q", "{ a }", "--jq", "map("],
    ].randomElement(using: &random)
    return Run(
      "wrong usage",
      Step(words: words ?? ["query"], exitCode: 2, errors: "apus: ", startsChildren: words?.last == "map("))
  }
}
