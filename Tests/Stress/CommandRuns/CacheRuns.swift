import ApusTestSupport

/// `apus query --db` and `apus cache`.
enum CacheRuns {
  /// A cache written by one run and read by others with all policies.
  static func policies(_ fixtures: RunFixtures, _ random: inout SplitMix) -> Run {
    let number = Int.random(in: 1...800, using: &random)
    let query = "{ bird(id: \"b\(number)\") { id ... @defer(label: \"l\") { late: id } } }"
    let data = #"{"bird":{"id":"b\#(number)","late":"b\#(number)"}}"#
    let words = ["query", fixtures.demo, "-q", query, "--db", "cache"]
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

  static func commands(_ fixtures: RunFixtures, _ random: inout SplitMix) -> Run {
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
        output: .checked { text in
          Set(text.split(separator: "\n").map(String.init)) == Set(keys) ? nil : "these are not all keys"
        }))
    run.steps.append(cache("refs", "Bird:1", lines: ["QUERY_ROOT.b"]))
    run.steps.append(cache("evict", "Bird:1", lines: ["Bird:1"]))
    run.steps.append(cache("gc", lines: ["dangling QUERY_ROOT.b -> Bird:1"]))
    run.steps.append(
      Step(
        words: ["cache", "export", "--db", "cache"], output: .checked { $0.contains("apus-cache") ? nil : "no export" })
    )
    return run
  }
}
