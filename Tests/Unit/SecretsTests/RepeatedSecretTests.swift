import ApusJSON
import ApusSecrets
import Testing

/// A secret is written in every encoding of the table in Docs/Development/Security.md and must be found in each.
@Suite struct RepeatedSecretTests {
  private static let mark = Redactor.mark

  struct Encoding: Sendable, CustomTestStringConvertible {
    let name: String
    let encode: @Sendable (String) -> String
    var testDescription: String { name }

    init(_ name: String, _ encode: @escaping @Sendable (String) -> String) {
      self.name = name
      self.encode = encode
    }

    /// Encodes each Unicode scalar.
    init(_ name: String, scalars encode: @escaping @Sendable (UInt32) -> String) {
      self.init(name) { $0.unicodeScalars.map { encode($0.value) }.joined() }
    }

    func times(_ count: Int) -> Encoding {
      Encoding("\(name) × \(count)") { text in (0..<count).reduce(text) { done, _ in encode(done) } }
    }

    func after(_ inner: Encoding) -> Encoding {
      Encoding("\(name) of \(inner.name)") { encode(inner.encode($0)) }
    }
  }

  private static func hex(_ value: UInt32, _ digits: Int = 0) -> String {
    let text = String(value, radix: 16)
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
  }

  private static let names: [UInt32: String] = [
    0x26: "&amp;", 0x3C: "&lt;", 0x22: "&quot;", 0x2F: "&sol;", 0x2B: "&plus;", 0x3D: "&equals;", 0x27: "&apos;",
    0xE9: "&eacute;", 0x20: "&#32;", 0x5C: "&bsol;", 0x25: "&percnt;",
  ]
  private static let url = Encoding("URL") { text in text.utf8.map { "%" + hex(UInt32($0), 2) }.joined() }
  private static let json = Encoding("JSON") { text in text.utf16.map { "\\u" + hex(UInt32($0), 4) }.joined() }
  private static let html = Encoding("HTML, decimal", scalars: { "&#\($0);" })
  /// URL encoding of special characters alone, which grows little when it is repeated.
  private static let urlOfSpecials = Encoding("URL of special characters") { text in
    text.utf8.map { byte in
      let scalar = Unicode.Scalar(byte)
      let isPlain = scalar.properties.isAlphabetic && scalar.isASCII || ("0"..."9").contains(scalar)
      return isPlain ? String(scalar) : "%" + hex(UInt32(byte), 2)
    }.joined()
  }

  static let encodings: [Encoding] =
    [
      Encoding("plain") { $0 }, json, url,
      Encoding("JSON, uppercase") { text in text.utf16.map { "\\u" + hex(UInt32($0), 4).uppercased() }.joined() },
      Encoding("JSON, shortest") { text in String(JSONWriter.compact(JSONValue(text)).dropFirst().dropLast()) },
      Encoding("JSON with slashes") { text in
        String(JSONWriter.compact(JSONValue(text)).dropFirst().dropLast()).replacing("/", with: "\\/")
      },
      Encoding("URL, uppercase") { text in text.utf8.map { "%" + hex(UInt32($0), 2).uppercased() }.joined() },
      html,
      Encoding("HTML, decimal without a semicolon", scalars: { "&#\($0)" }),
      Encoding("HTML, leading zeros", scalars: { "&#000000000\($0);" }),
      Encoding("HTML, hexadecimal", scalars: { "&#x\(hex($0));" }),
      Encoding("HTML, hexadecimal, uppercase", scalars: { "&#X0000\(hex($0).uppercased());" }),
      Encoding("HTML, named", scalars: { value in names[value] ?? Unicode.Scalar(value).map { String($0) } ?? "" }),
      Encoding("HTML, named without a semicolon") { text in
        text.replacing("&", with: "&amp").replacing("<", with: "&lt").replacing("\"", with: "&quot")
          .replacing("é", with: "&eacute")
      },
    ] + (2...8).map { urlOfSpecials.times($0) } + [
      url.times(2), json.after(html), html.after(url), url.after(json), json.after(json), html.after(html),
      url.after(json.after(html)), html.after(json.after(url)),
    ]

  /// Values with characters that the encodings treat specially, and with the letters of an escape.
  private static let values = [
    "canary-7f3a/Z+9=", "c4nary\"&<é>'\\n", "ab%41cd%2Fef", "x&amp;y&#65;z", "\\u0041\\u0042cd", "emoji🐦secret1",
  ]

  @Test(arguments: encodings) func `a secret in any encoding is found in text, values and keys`(encoding: Encoding)
    throws
  {
    for value in Self.values {
      let written = encoding.encode(value)
      let secrets = SecretValues()
      secrets.add(unsplit: value)
      let redactor = Redactor(values: secrets)
      #expect(redactor.text("is \(written) wrong").hasPrefix("is "))
      #expect(!redactor.text("(\(written))").contains(written), "\(value)")
      #expect(redactor.text("(\(written))").contains(Self.mark), "\(value)")
      let answer = JSONValue.object([("a", [JSONValue("<\(written)>")]), (written, JSONValue(1))])
      let shown = JSONWriter.compact(redactor.json(answer))
      #expect(!shown.contains(JSONWriter.compact(JSONValue(written)).dropFirst().dropLast()), "\(value)")
    }
  }

  /// A cookie whose value after an equals sign is a secret too, and a secret with a tag.
  @Test(arguments: ["canary/7f3a=inner-1", "canary/7f3a<b>inner-1", "canary&7f3a>inner-1"])
  func `a secret that contains another one is found in any encoding`(value: String) {
    let secrets = SecretValues()
    secrets.add(value)
    for encoding in Self.encodings {
      let written = encoding.encode(value)
      #expect(Redactor(values: secrets).text("(\(written))") == "(\(Self.mark))", "\(encoding.name)")
    }
  }

  /// A URL and the texts that a server can repeat of it.
  @Test(arguments: [
    (
      "https://canary-user:canary-pass@host/graphql",
      ["canary-user", "canary-pass", "Y2FuYXJ5LXVzZXI6Y2FuYXJ5LXBhc3M="]
    ),
    ("https://canary-token@host/graphql", ["canary-token", "Y2FuYXJ5LXRva2VuOg"]),
    ("https://a:canary%2Fpass@host", ["canary/pass", "canary%2Fpass", "YTpjYW5hcnkvcGFzcw=="]),
    ("https://a:%3F%3F%3Ecanary@host", ["YTo/Pz5jYW5hcnk", "YTo_Pz5jYW5hcnk"]),
    ("https://host/?api_key=canary-key", ["canary-key"]),
  ])
  func `every form of a URL's credentials is redacted`(url: String, texts: [String]) {
    let secrets = SecretValues()
    secrets.add(url: url)
    for text in texts { #expect(Redactor(values: secrets).text("<\(text)>") == "<\(Self.mark)>", "\(text)") }
  }

  @Test func `the credentials of a netrc file, a cookie file and a basic header are redacted`() {
    let secrets = SecretValues()
    secrets.add(
      netrc: Array(
        "machine a login ada password \"canary \\\"1\\\"\" account canary-2\ndefault login b password canary-3".utf8))
    secrets.add(cookieFile: Array("#HttpOnly_a\tFALSE\t/\tFALSE\t0\tsid\tcanary-4\r\n# a comment".utf8))
    secrets.add(setCookie: "sid=canary-5; Path=/")
    secrets.add(header: "Authorization", "Basic YWRhOmNhbmFyeS02", isLive: false)
    let texts = [
      "canary \"1\"", "YWRhOmNhbmFyeSAiMSI=", "canary-2", "canary-3", "YjpjYW5hcnktMw==", "canary-4", "canary-5",
      "canary-6", "YWRhOmNhbmFyeS02", "canary+%221%22",
    ]
    for text in texts { #expect(!Redactor(values: secrets).text("<\(text)>").contains(text), "\(text)") }
  }

  /// A value by its source and length, and whether it is hidden within a word, as a word, and as a whole value.
  @Test(arguments: [
    ("resolved", "s3cr3t", "•", "•", "•"), ("resolved", "ab1", "-", "•", "•"), ("resolved", "a1", "-", "-", "-"),
    ("credential", "s3cr3t", "•", "•", "•"), ("credential", "ab1", "-", "-", "•"), ("credential", "a1", "-", "-", "-"),
    ("sent", "s3cr3t", "•", "•", "•"), ("sent", "ab1", "-", "-", "•"), ("sent", "a1", "-", "-", "-"),
  ])
  func `a value is hidden by its source and length`(
    source: String, value: String, within: String, word: String, whole: String
  )
    throws
  {
    let secrets = SecretValues()
    switch source {
    case "resolved": secrets.add(header: "X-Any", value, isLive: true)
    case "credential": secrets.add(header: "X-Api-Key", value, isLive: false)
    default: secrets.add(variables: .object([("pin", JSONValue(value))]))
    }
    let redactor = Redactor(values: secrets)
    func isHidden(_ text: String) -> String { redactor.json(JSONValue(text)).string == text ? "-" : "•" }
    for text in ["x\(value)y", "\(value)y", "x\(value)", "é\(value) ", " \(value)é"] {
      #expect(isHidden(text) == within)
    }
    #expect(isHidden("x \(value)!") == word)
    #expect(isHidden(value) == whole)
  }

  @Test func `members of variables, extensions and payloads are secrets, and so are numbers`() throws {
    let secrets = SecretValues()
    secrets.add(
      document: #"{ a(token: "canary-0") }"#,
      variables: try JSONDocument(parsing: #"{"in":{"password":["canary-1",471100]},"plain":"visible"}"#).root,
      extensions: try JSONDocument(parsing: #"{"auth":{"accessToken":"canary-2"}}"#).root)
    let answer = try JSONDocument(
      parsing: #"{"a":"canary-0 canary-1 canary-2 visible","n":471100,"d":4.711e5,"o":471101,"__typename":"T"}"#
    ).root
    #expect(
      JSONWriter.compact(Redactor(values: secrets).json(answer, keepsTypes: true))
        == #"{"a":"••• ••• ••• visible","n":0,"d":0,"o":471101,"__typename":"T"}"#)
    // A sent value may be a name in a document.
    #expect(Redactor(values: secrets).document("{ canary_1 }") == "{ canary_1 }")
  }

  /// A `__typename` below a secret and elsewhere, for a value that is searched for in names and one that may be a name.
  @Test(arguments: [
    (#"{"__typename":"Bird"}"#, #"{"__typename":"Bird"}"#),
    (#"{"__typename":"canary_7"}"#, #"{"__typename":"•••"}"#),
    (#"{"__typename":"Type_canary_7"}"#, #"{"__typename":"Type_•••"}"#),
    (#"{"__typename":"Falcon"}"#, #"{"__typename":"Falcon"}"#),
    (#"{"token":{"__typename":"AccessToken","a":"x"}}"#, #"{"token":{"__typename":"AccessToken","a":"•••"}}"#),
    (#"{"__typename":{"a":"x canary_7"}}"#, #"{"__typename":{"a":"x •••"}}"#),
    (#"{"__typename":["canary_7",{"b":"Falcon"}]}"#, #"{"__typename":["•••",{"b":"•••"}]}"#),
    (#"{"__typename":"not a name canary_7"}"#, #"{"__typename":"not a name •••"}"#),
    (#"{"canary_7":1,"Falcon":2}"#, #"{"•••":1,"Falcon":2}"#),
  ])
  func `type names and keys are searched, and words that may be names stay`(answer: String, shown: String) throws {
    let secrets = SecretValues()
    secrets.add(unsplit: "canary_7")
    secrets.add(unsplit: "Falcon")
    #expect(JSONWriter.compact(Redactor(values: secrets).json(try JSONDocument(parsing: answer).root)) == shown)
  }

  /// A schema, and its form on disk; `nil` if it cannot be saved.
  @Test(
    arguments: [
      ("type canary_7 { a: Int }", nil), ("type A { canary_7: Int }", nil), ("type A { b(canary_7: Int): Int }", nil),
      ("enum A { canary_7 }", nil), ("type A { a: pre_canary_7 }", nil), ("directive @canary_7 on FIELD", nil),
      ("type A { a(b: Int = 471100): Int }", nil), ("enum Falcon { Falcon }", "enum Falcon { Falcon }"),
      ("# canary_7\ntype A { a(b: String = \"canary_7\"): Int }", "# •••\ntype A { a(b: String = \"•••\"): Int }"),
    ] as [(String, String?)])
  func `a schema is saved unless a name contains a secret`(schema: String, shown: String?) {
    let secrets = SecretValues()
    for value in ["canary_7", "Falcon", "471100"] { secrets.add(unsplit: value) }
    #expect(Redactor(values: secrets).schema(schema) == shown)
  }

  @Test(arguments: [
    ("is canary-12…", "is •••…"), ("canary…; see", "•••…; see"), ("canar…", "canar…"), ("canary-1234…", "•••…"),
    ("canary-12\\u00…", "•••…"), ("canary-12%2…", "•••…"), ("%63anary-12&#0…", "•••…"), ("canary-9…", "canary-9…"),
    ("canary-12", "canary-12"),
  ])
  func `a secret that an ellipsis cuts is redacted`(text: String, shown: String) {
    let secrets = SecretValues()
    secrets.add(unsplit: "canary-1234")
    #expect(Redactor(values: secrets).text(text) == shown)
  }

  @Test func `the written bytes are searched again`() {
    let secrets = SecretValues()
    secrets.add(unsplit: #"canary","7"#)
    secrets.add(unsplit: "[1,2,3")
    let redactor = Redactor(values: secrets)
    #expect(redactor.written(Array(#"{"a":["x"]}"#.utf8)) == Array(#"{"a":["x"]}"#.utf8))
    #expect(redactor.written(Array(#"{"a":["canary","7"]}"#.utf8)) == Array(#"{"a":["•••"]}"#.utf8))
    #expect(redactor.written(Array(#"{"a":[1,2,3]}"#.utf8)) == nil)
  }
}
