import ApusClientRequests
import Testing

/// Names and texts of requests.
@Suite struct RequestNameTests {
  @Test(arguments: [
    ("X-Api-Key", "X_API_KEY"), ("authorization", "AUTHORIZATION"), ("2fa", "_2FA"), ("", "_"), ("é1", "_1"),
    ("a.b c", "A_B_C"), ("ß", "SS"), ("x٣", "X_"), ("-a", "_A"),
  ])
  func `the variable of a header has letters, digits and underscores of ASCII`(field: String, name: String) {
    #expect(EnvironmentName.of(field: field) == name)
  }

  @Test(arguments: [
    (["input", "newPassword"], "INPUT_NEW_PASSWORD"), (["apiKEY"], "API_KEY"), (["API"], "API"), ([], "SECRET"),
    (["a", "0"], "A_0"),
  ])
  func `the variable of a member has the words of its path`(path: [String], name: String) {
    #expect(EnvironmentName.of(path: path) == name)
  }

  @Test(arguments: [
    ("Content-Type", true), ("content-length", true), ("HOST", true), ("Accept-Encoding", true), ("accept", false),
    ("Authorization", false), ("content", false),
  ])
  func `headers of the body and the connection are set by the client`(header: String, isOfTheBody: Bool) {
    #expect(RequestDraft.isOfTheBody(header) == isOfTheBody)
  }

  /// An option that is set, and the word for it.
  @Test func `each option of a run that is set has a word`() {
    let options: [(word: String, set: (inout RunOptions) -> Void)] = [
      ("GET", { $0.usesGET = true }), ("persisted", { $0.usesPersistedQueries = true }),
      ("onError HALT", { $0.onError = .halt }), ("subscription URL", { $0.subscriptionURL = "wss://a" }),
      ("at most 3 s", { $0.timeLimit = 3 }),
    ]
    for chosen in 0..<1 << options.count {
      var run = RunOptions()
      let set = options.indices.filter { chosen >> $0 & 1 == 1 }
      for index in set { options[index].set(&run) }
      #expect(run.words == set.map { options[$0].word })
      #expect(run.isDefault == set.isEmpty)
    }
  }

  /// The names that the request declares count in each text, and those of the profile's environment not in the query.
  @Test func `names in double braces count by their place`() {
    var draft = RequestDraft(
      query: "{ a(b: {{own}}, c: {{defined}}) }", variables: #"{"a": {{own}}, "b": {{defined}}}"#)
    draft.options.subscriptionURL = "wss://{{defined}}/{{other}}"
    #expect(draft.referenceNames(defined: ["defined"]) == ["defined", "defined"])
    draft.options.references = [.init(name: "own")]
    #expect(draft.referenceNames(defined: ["defined"]) == ["own", "own", "defined", "defined"])
    #expect(draft.referenceNames(defined: []) == ["own", "own"])
    let filled = draft.filled(own: ["own": "1"], defined: ["defined": "2", "own": "3"])
    #expect(filled.query.text == "{ a(b: 1, c: {{defined}}) }")
    #expect(filled.variables.text == #"{"a": 1, "b": 2}"#)
    #expect(filled.options.subscriptionURL == "wss://2/{{other}}")
  }
}
