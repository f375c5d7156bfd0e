import ApusJSON
import ApusSecrets
import Testing

/// References in place of secrets, in documents, in the text of variables and in JSON values.
@Suite struct DraftTextTests {
  /// Shows each reference of a text in angle brackets.
  private func shown(_ draft: DraftText) -> String {
    let bytes = Array(draft.text.utf8)
    return draft.replacingReferences { "<\(String(decoding: bytes[$0], as: UTF8.self))>" }
  }

  @Test(arguments: [
    (#"{ a(password: "hush", b: "c") }"#, #"{ a(password: "<•••>", b: "c") }"#, ["password"]),
    (#"{ a(note: "•••", password: "hush") }"#, #"{ a(note: "•••", password: "<•••>") }"#, ["password"]),
    (#"{ a(password: "•••") }"#, #"{ a(password: "<•••>") }"#, ["password"]),
    (#"{ a(pin: 1234, b: 5) }"#, #"{ a(pin: <•••>, b: 5) }"#, ["pin"]),
    (#"{ a(pins: [1, -2.5e3, "x"]) }"#, #"{ a(pins: [<•••>, <•••>, "<•••>"]) }"#, ["pins", "pins", "pins"]),
    (#"{ a(tokens: ["x", "y"]) }"#, #"{ a(tokens: ["<•••>", "<•••>"]) }"#, ["tokens", "tokens"]),
    (#"{ a(in: {apiKey: "x"}, b: {c: "d"}) }"#, #"{ a(in: {apiKey: "<•••>"}, b: {c: "d"}) }"#, ["apiKey"]),
    (
      #"query ($password: String = "x") { a(p: $password) }"#,
      #"query ($password: String = "<•••>") { a(p: $password) }"#,
      ["password"]
    ),
    (##"{ a(password: """a "b" c""") }"##, #"{ a(password: "<•••>") }"#, ["password"]),
    (
      #"query ($c: String = "x" @secret) { a(c: "y") }"#, #"query ($c: String = "<•••>" @secret) { a(c: "<•••>") }"#,
      ["c", "c"]
    ),
    (#"{ a(h: "Bearer abcdefgh12345678") }"#, #"{ a(h: "Bearer <•••>") }"#, ["h"]),
    (#"{ a(passwordHint: "the cat") }"#, #"{ a(passwordHint: "the cat") }"#, []),
    ("", "", []),
  ])
  func `a stored document has a reference for each secret literal`(document: String, stored: String, names: [String]) {
    let draft = Redactor(document: document).draft(document: DraftText(document))
    #expect(shown(draft) == stored)
    #expect(draft.documentSecrets.map(\.name) == names)
    // Storing it again changes nothing.
    #expect(Redactor(document: document).draft(document: draft) == draft)
  }

  @Test(arguments: [
    (#"{"password": "x", "b": "•••"}"#, ["password"]), (#"{"in": {"pin": 12, "n": 3}}"#, ["in.pin"]),
    (#"{"tokens": ["a", {"b": "c"}]}"#, ["tokens", "tokens.b"]),
    (#"{"users": [{"password": "x"}]}"#, ["users.password"]),
    (#"{"a": {"b": {"apiKey": "x"}}, "otp": 1}"#, ["a.b.apiKey", "otp"]), (#"{"jwt": hunter, "b": true"#, ["jwt"]),
    (#"{"passwordHint": "x"}"#, []), ("{\n  // the one of Ada\n  \"password\": \"x\",\n}", ["password"]),
  ])
  func `stored variables have a reference for each secret member`(variables: String, paths: [String]) {
    let draft = Redactor().draft(variables: DraftText(variables))
    #expect(draft.memberSecrets.map(\.name) == paths)
    #expect(Redactor().draft(variables: draft) == draft)
  }

  /// The text of variables, its stored form, the text that the user types in place of each reference, and the result.
  @Test(arguments: [
    (#"{"pin": 1234, "b": 5}"#, #"{"pin": <•••>, "b": 5}"#, ["77"], #"{"pin": 77, "b": 5}"#),
    (#"{"pin": "1234"}"#, #"{"pin": "<•••>"}"#, ["77"], #"{"pin": "77"}"#),
    (
      #"{"in": {"pins": [1, "2", 3]}}"#, #"{"in": {"pins": [<•••>, "<•••>", <•••>]}}"#, ["4", "5", "6"],
      #"{"in": {"pins": [4, "5", 6]}}"#
    ),
    (#"{"otp": -1.5e3, "note": "•••"}"#, #"{"otp": <•••>, "note": "•••"}"#, ["-2"], #"{"otp": -2, "note": "•••"}"#),
    ("{\"pin\": 1, // one\n}", "{\"pin\": <•••>, // one\n}", ["2"], "{\"pin\": 2, // one\n}"),
    (
      #"{"p\u0069n": 7, "jwt": "x"}"#, "{\n  \"pin\": <•••>,\n  \"jwt\": \"<•••>\"\n}", ["8", "y"],
      "{\n  \"pin\": 8,\n  \"jwt\": \"y\"\n}"
    ),
    (#"{"pin": 12"#, #"{"pin": <•••>"#, ["3"], #"{"pin": 3"#),
  ])
  func `a number is restored as a number`(variables: String, stored: String, typed: [String], result: String) {
    let draft = Redactor().draft(variables: DraftText(variables))
    #expect(shown(draft) == stored)
    // Storing it again, also after a file, changes nothing.
    let again = Redactor().draft(variables: DraftText(draft.text, json: draft.json))
    #expect(again == draft)
    var values = typed[...]
    #expect(draft.replacingReferences { _ in values.removeFirst() } == result)
    #expect(draft.parsable.utf8.count == draft.text.utf8.count)
  }

  @Test func `secrets beside a missing number are found`() {
    let stored = Redactor().draft(variables: DraftText(#"{"pin": 1234}"#))
    let text = stored.text.replacing("}", with: #", "pass\u0077ord": "hush"}"#)
    let draft = Redactor().draft(variables: DraftText(text, references: stored.references))
    #expect(!draft.text.contains("hush") && draft.memberSecrets.map(\.isUnquoted) == [true, false])
    let document = Redactor().draft(document: DraftText("{ a(pin: 1234) }"))
    let more = DraftText(
      document.text.replacing(") }", with: #", password: "hush") }"#), references: document.references)
    #expect(shown(Redactor().draft(document: more)) == #"{ a(pin: <•••>, password: "<•••>") }"#)
  }

  /// Values that are not written as GraphQL and JSON have them.
  @Test(arguments: [
    (#"{ a(password: 'x y', b: c) }"#, #"{ a(password: "<•••>", b: c) }"#),
    ("{ a(password: 'x y", #"{ a(password: "<•••>""#),
    (#"{ a(password: “x y”, b: c) }"#, #"{ a(password: "<•••>", b: c) }"#),
    ("{ a(password: `x)` b: c) }", #"{ a(password: "<•••>" b: c) }"#),
    (#"{ a(password: hunter2) }"#, #"{ a(password: "<•••>") }"#),
    (#"{ a(password: p@ss!w0rd, b: c) }"#, #"{ a(password: "<•••>", b: c) }"#),
    (#"{ a(password: été b: c) }"#, #"{ a(password: "<•••>" b: c) }"#),
    (#"{ a(password: x"y) }"#, #"{ a(password: "<•••>") }"#),
    (#"{ a(passwords: [x, 'y z'], b: c) }"#, #"{ a(passwords: ["<•••>", "<•••>"], b: c) }"#),
    (#"{ a(secret: {old: x, new: 'y'}) }"#, #"{ a(secret: {old: "<•••>", new: "<•••>"}) }"#),
    (#"{ a(token: null, password: ENUM_1, secret: true) }"#, #"{ a(token: null, password: ENUM_1, secret: true) }"#),
    (
      #"{ token: login(b: 'x') { token } secret: me{id} password: p }"#,
      #"{ token: login(b: 'x') { token } secret: me{id} password: p }"#
    ),
    ("# token: login { id }\n# secret: me(a: 1)\n{ a }", "# token: login { id }\n# secret: me(a: 1)\n{ a }"),
    (#"{ password: 'x y' token: p@ss }"#, #"{ password: "<•••>" token: "<•••>" }"#),
    (#"{ a(password: $p, b: 'x') }"#, #"{ a(password: $p, b: 'x') }"#),
    ("# password: hunter2\n{ a }", "# password: \"<•••>\"\n{ a }"),
    ("{ a(b: \"x\\\n password: \"y\", c: \"d\") }", "{ a(b: \"x\\\n password: \"<•••>\", c: \"d\") }"),
    ("{ a(b: \"x\n password: \"y\", c: \"d\") }", "{ a(b: \"x\n password: \"<•••>\", c: \"d\") }"),
  ])
  func `a secret that is written in another way is not stored`(document: String, stored: String) {
    let draft = Redactor().draft(document: DraftText(document))
    #expect(shown(draft) == stored)
    #expect(Redactor().draft(document: draft) == draft)
  }

  @Test(arguments: [
    (#"{"password": 'x y', "b": c}"#, #"{"password": "<•••>", "b": c}"#),
    (#"{"password": hunter2}"#, #"{"password": "<•••>"}"#),
    (#"{"password": HUNTER}"#, #"{"password": "<•••>"}"#),
    (#"{"password": p@ss!, "b": 1}"#, #"{"password": "<•••>", "b": 1}"#),
    (#"{"password": null, "token": true}"#, #"{"password": null, "token": true}"#),
    (#"{password: “x y”}"#, #"{password: "<•••>"}"#),
    ("{\"a\": \"x\\\n\"password\": \"y\"}", "{\"a\": \"x\\\n\"password\": \"<•••>\"}"),
  ])
  func `a secret variable that is written in another way is not stored`(variables: String, stored: String) {
    let draft = Redactor().draft(variables: DraftText(variables))
    #expect(shown(draft) == stored)
  }

  @Test func `references in comments are not values`() {
    let draft = Redactor().draft(document: DraftText("# password: \"x\"\n{ a(password: \"y\") }"))
    #expect(draft.documentSecrets.map(\.isInComment) == [true, false])
  }

  /// The form of files that do not list the places of their references.
  @Test(arguments: [
    (#"{ a(password: "•••", note: "•••") }"#, #"{ a(password: "<•••>", note: "•••") }"#),
    (
      #"query ($c: String = "•••" @secret) { a(c: "•••") b(d: "•••") }"#,
      #"query ($c: String = "<•••>" @secret) { a(c: "<•••>") b(d: "•••") }"#
    ),
    (#"{ a(password: "hush") }"#, #"{ a(password: "hush") }"#), ("{ a }", "{ a }"),
  ])
  func `a mark at a place that counts as secret is a reference in an older file`(text: String, expected: String) {
    #expect(shown(Redactor(document: text).stored(document: text)) == expected)
  }

  @Test func `a mark of an older file is a reference in variables too`() {
    let text = #"{"password": "•••", "note": "•••", "in": {"pin": "•••"}}"#
    #expect(Redactor().stored(variables: text).memberSecrets.map(\.name) == ["password", "in.pin"])
  }

  @Test(arguments: ["[[3,2]]", "[[-1,4]]", "[[0,99]]", "[[0]]", "[\"x\"]", "[[1,3],[2,4]]", "{}", "null"])
  func `damaged places of references do no harm`(places: String) throws {
    let draft = DraftText("abcdef", json: try JSONDocument(parsing: places).root)
    #expect(draft.references.allSatisfy { $0.upperBound <= 6 } && draft.references.count <= 1)
    #expect(draft.replacingReferences { _ in "" }.utf8.count <= 6)
  }

  @Test func `places survive a file`() {
    let draft = Redactor().draft(document: DraftText(#"{ a(é: "ö", password: "hush", token: "x") }"#))
    #expect(DraftText(draft.text, json: draft.json) == draft && draft.references.count == 2)
  }

  // MARK: JSON values

  @Test func `a stored value lists the paths of its secrets`() throws {
    let value = try JSONDocument(
      parsing: #"{"in":{"pins":[1,2],"name":"x"},"password":"•••","note":"•••","jwt":null}"#
    ).root
    let stored = Redactor().stored(value)
    #expect(stored.value.description == #"{"in":{"pins":[0,0],"name":"x"},"password":"•••","note":"•••","jwt":null}"#)
    #expect(
      stored.references.map { "\(JSONValue.array($0))" } == [
        #"["in","pins",0]"#, #"["in","pins",1]"#, #"["password"]"#,
      ])
    let text = Redactor().text(ofStored: stored.value, references: stored.references)
    #expect(text.memberSecrets.map(\.name) == ["in.pins", "in.pins", "password"])
    #expect(text.memberSecrets.map(\.isUnquoted) == [true, true, false])
    let older = Redactor().text(ofStored: stored.value, references: nil)
    #expect(older.memberSecrets.map(\.name) == ["in.pins", "in.pins", "password"])
    #expect(older.text.contains(#""note": "•••""#))
  }

  /// Text beside the reference is secret, and so are double braces around another name.
  @Test(arguments: [
    (#"{"password": "{{password}}"}"#, true), (#"{"password": "{{ password }}", "n": 1}"#, true),
    (#"{"pin": {{password}}, "a": {"token": ["{{password}}"]}}"#, true), (#"{"password": "{{other}}"}"#, false),
    (#"{"password": "x{{password}}"}"#, false), (#"{"password": "{{password}}{{password}}"}"#, false),
    (#"{"pin": {{other}}}"#, false),
  ])
  func `a reference at a secret place is kept`(variables: String, isKept: Bool) {
    let draft = Redactor(references: ["password"]).draft(variables: DraftText(variables))
    #expect((draft.text == variables) == isKept && draft.isComplete == isKept, "\(draft.text)")
    #expect(Redactor().draft(variables: DraftText(variables)).text != variables)
  }

  @Test func `a reference in a document and in a URL is kept`() {
    let redactor = Redactor(references: ["password"])
    let document = #"{ login(password: "{{password}}", pin: {{password}}) { id } }"#
    #expect(redactor.draft(document: DraftText(document)) == DraftText(document))
    #expect(redactor.url("wss://a.example/g?token={{password}}") == "wss://a.example/g?token={{password}}")
    #expect(redactor.url("wss://a.example/g?token={{other}}") != "wss://a.example/g?token={{other}}")
  }
}
