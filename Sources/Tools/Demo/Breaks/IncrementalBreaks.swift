extension ServerBreak {
  /// Changes the payloads of incremental operations whose document contains a text.
  private static func payload(_ old: String, _ new: String, in document: String = "") -> Hook {
    .text { request, text in
      request.isIncremental && request.has(document) ? text.replacing(old, with: new) : text
    }
  }

  /// Changes the document of operations whose client accepts incremental responses.
  private static func document(_ old: String, _ new: String) -> Hook {
    .request { request in if request.isIncremental { request.replace(old, new) } }
  }

  private static func accept(_ old: String, _ new: String) -> Hook {
    .request { request in if request.accept == old, request.has("@defer") { request.set("Accept", new) } }
  }

  private static let parts = "multipart/mixed;deferSpec=20220824"

  /// Adds a member to the subsequent results of operations that contain the given parts.
  private static func addition(
    _ audit: String, companions: Set<String> = [], in parts: String..., without other: String = "never"
  ) -> ServerBreak {
    ServerBreak(
      audit, companions: companions.union(["incremental-merged-equals-plain"]),
      .text { request, text in
        let applies = request.isIncremental && parts.allSatisfy(request.has) && !request.has(other)
        guard applies, text.contains(#""incremental":["#) else { return text }
        return [#""data":{"#, #""items":[{"#].reduce(text) { text, opening in
          text.replacing(opening + "\"", with: opening + #""audit":0,""#)
            .replacing(opening + "}", with: opening + #""audit":0}"#)
        }
      })
  }

  static let incremental: [ServerBreak] = [
    ServerBreak(
      "incremental-asked-format",
      .request { $0.set("Accept", $0.header("Accept")?.replacing("incrementalSpec=v0.2", with: "deferSpec=20220824")) }),
    ServerBreak(
      "incremental-named-format",
      .head { _, answer in
        if answer.contentType.hasPrefix("multipart/mixed") {
          answer.set("Content-Type", "multipart/mixed; boundary=\"-\"")
        }
      }),
    ServerBreak(
      "incremental-quoted",
      .request { request in if request.accept.contains("=\"") { request.set("Accept", "application/json") } }),
    ServerBreak("incremental-preference", accept("application/json, multipart/mixed;q=0.5", parts)),
    ServerBreak("incremental-not-accepted", accept("application/graphql-response+json", parts)),
    ServerBreak(
      "incremental-plain-single", companions: ["errors-map"],
      .text { request, text in
        let isPlain = request.accept.hasPrefix("multipart/mixed;deferSpec") && !request.has("@")
        return isPlain ? text.replacing(#"{"data""#, with: #"{"hasNext":true,"data""#) : text
      }),
    ServerBreak(
      "incremental-boundary",
      .head { request, answer in
        guard request.isIncremental else { return }
        answer.set("Content-Type", answer.contentType.replacing(" boundary=\"-\";", with: ""))
      }),
    ServerBreak(
      "incremental-first-crlf", .text { _, text in text.hasPrefix("\r\n---\r\n") ? String(text.dropFirst()) : text }),
    ServerBreak("incremental-part", payload("\r\nContent-Type: application/json; charset=utf-8", "")),
    ServerBreak("incremental-close", payload("\r\n-----", "\r\n---")),
    ServerBreak("incremental-has-next", payload(#","hasNext":false"#, "")),
    ServerBreak("incremental-later-no-data", payload(#","hasNext":false"#, #","data":{},"hasNext":false"#)),
    ServerBreak("incremental-entries", payload(#","hasNext":false"#, #","audit":1,"hasNext":false"#)),
    ServerBreak("incremental-not-empty", payload(#"{"data":{"#, #"{"errors":[],"data":{"#)),
    ServerBreak("incremental-null-members", payload(#","hasNext":false"#, #","extensions":null,"hasNext":false"#)),
    ServerBreak("incremental-data-or-items", payload(#","data":{"#, #","items":null,"data":{"#, in: "... @defer {")),
    ServerBreak("incremental-labels", payload(#""label":"audit""#, #""label":"other""#)),
    ServerBreak("incremental-error-paths", payload(#""path":["faults","optional"]"#, #""path":["optional"]"#)),
    ServerBreak("incremental-if-false", document(" @defer(if: false)", " @defer")),
    ServerBreak(
      "incremental-include-first", companions: ["incremental-merged-equals-plain"], document(" @include(if: false)", "")
    ),
    ServerBreak(
      "incremental-honored", companions: ["incremental-stream-negative"],
      .request { request in if request.isIncremental { request.set("Accept", "application/json") } }),
    ServerBreak(
      "incremental-nothing-left", companions: ["errors-map"],
      .text { request, text in
        guard request.isIncremental, request.has("} ... @defer {"), text.hasPrefix(#"{"data""#) else { return text }
        return text.replacing(#"{"data""#, with: #"{"pending":[{"id":"0","path":[]}],"data""#)
      }),
    ServerBreak(
      "incremental-stream-count", companions: ["incremental-honored"],
      document("@stream(initialCount: 1)", "@stream(initialCount: 0)")),
    ServerBreak(
      "incremental-stream-edges", companions: ["incremental-if-false"],
      document("@stream(initialCount: 0, if: false)", "@stream(initialCount: 0)")),
    ServerBreak("incremental-stream-negative", document("@stream(initialCount: -1)", "@stream")),
    ServerBreak(
      "incremental-validation",
      document(#"@defer(label: \"a\") { __typename }"#, #"@defer(label: \"b\") { __typename }"#)),
    ServerBreak(
      "incremental-null-parent",
      .text { request, text in
        let isShape = request.isIncremental && request.has("{ required ...")
        return isShape ? text.replacing(#""data":null"#, with: #""data":null,"hasNext":true"#) : text
      }),
    addition(
      "incremental-root", in: #"{ __typename ... @defer(label: \"audit\")"#),
    addition("incremental-object", in: "on BirdConnection @defer"),
    addition("incremental-list", in: "{ allSpecies { id ... @defer {"),
    addition("incremental-nested", in: #"@defer(label: \"outer\")"#),
    addition("incremental-overlap", in: #"@defer(label: \"two\")"#, without: "{ __typename ... @defer"),
    addition(
      "incremental-same-field", companions: ["incremental-overlap"], in: #"{ __typename ... @defer(label: \"one\")"#),
    addition("incremental-initial-object", in: "birds(first: 3) { edges {", "@defer"),
    addition("incremental-abstract", in: ") { __typename ... on "),
    addition("incremental-stream-nested", in: "@stream(initialCount: 1)", "birds("),
    ServerBreak(
      "incremental-path-resolves", companions: ["incremental-merged-equals-plain", "incremental-root"],
      payload(
        #""pending":[{"id":"0","path":[]"#, #""pending":[{"id":"0","path":["audit"]"#,
        in: #"{ __typename ... @defer(label: \"audit\")"#)),
    ServerBreak(
      "incremental-error-inside", companions: ["incremental-entries", "incremental-error-paths"],
      payload(#""errors":["#, #""notes":["#, in: "{ optional }")),
    ServerBreak(
      "incremental-error-past-edge", companions: ["incremental-entries", "incremental-error-paths"],
      payload(#""completed":[{"id":"0","errors":["#, #""completed":[{"id":"0","notes":["#, in: "{ required }")),
    ServerBreak(
      "incremental-o-null-errors",
      companions: ["incremental-entries", "incremental-error-paths", "incremental-error-past-edge"],
      payload(#""errors":["#, #""notes":["#, in: "{ required }")),
    ServerBreak(
      "incremental-stream-error", companions: ["incremental-entries", "incremental-error-paths"],
      payload(#""errors":["#, #""notes":["#, in: "list @stream")),
    // No later entry has this index, whichever items are sent together.
    ServerBreak(
      "incremental-o-index",
      payload(#""path":["allSpecies",0]"#, #""path":["allSpecies",99]"#, in: "allSpecies @stream")),
    ServerBreak(
      "incremental-v-id", companions: ["incremental-v-completed-all"],
      payload(#""completed":[{"id":"0"}]"#, #""completed":[{"id":"9"}]"#, in: #"{"query":"{ __typename ... @defer {"#)),
    ServerBreak(
      "incremental-v-once",
      payload(
        #""incremental":[{"id":"0","data":{"#, #""incremental":[{"id":"0","data":{"__typename":"Query","#,
        in: #"{"query":"{ __typename ... @defer {"#)),
    ServerBreak("incremental-v-subpath", payload(#"{"id":"0","data""#, #"{"id":"0","subPath":[],"data""#)),
    ServerBreak(
      "incremental-merged-equals-plain",
      payload(#""items":[{"id":""#, #""items":[{"id":"x"#, in: "allSpecies @stream(initialCount: 1)")),
    ServerBreak(
      "incremental-v-whole", companions: ["incremental-merged-equals-plain", "incremental-root"],
      payload(
        #""incremental":[{"id":"0","data":{""#, #""incremental":[{"id":"0","data":{"x"#,
        in: #"{"query":"{ __typename ... @defer {"#)),
    ServerBreak(
      "incremental-o-path",
      .text { request, text in
        let applies = request.isIncremental && request.accept.contains("deferSpec")
        return applies ? text.replacing(#""path":[]"#, with: #""path":"""#) : text
      }),
    ServerBreak("incremental-gzip", .hold { $0.isIncremental && $0.header("Accept-Encoding") == "gzip" }),
    ServerBreak("incremental-initial-not-held", .hold { $0.isIncremental && $0.header("Accept-Encoding") != "gzip" }),
    ServerBreak(
      "incremental-cancel",
      .stateful {
        // A client that sends a deferred operation again has abandoned the first response.
        let requests = BreakMemory<(documents: Set<String>, isBusy: Bool)>(([], false))
        return .delay { request in
          let before = requests.replace { state in
            guard request.isIncremental else { return state }
            return (state.documents.union([request.text]), state.isBusy || state.documents.contains(request.text))
          }
          if before.isBusy, !request.isIncremental { try? await Task.sleep(for: .seconds(3)) }
        }
      }),
    ServerBreak(
      "incremental-subscription-defer",
      .incoming { $0.contains("subscription") ? $0.replacing(" @defer ", with: " ") : $0 }),
    ServerBreak("incremental-mutation-defer", .request { $0.replace("mutation { ... @defer {", "mutation { ... {") }),
    ServerBreak("incremental-v-completed-all", payload(#""completed":[{"id":"0"}],"#, "")),
    ServerBreak(
      "incremental-v-completed", payload(#""completed":[{"id":"0"}]"#, #""completed":[{"id":"0"},{"id":"0"}]"#)),
  ]
}

extension ServerRequest {
  /// Whether the client accepts an incremental response to a deferred operation.
  fileprivate var isIncremental: Bool {
    accept.hasPrefix("multipart/mixed;") && !accept.contains("subscriptionSpec") && (has("@defer") || has("@stream"))
  }
}
