import ApusJSON
import ApusSecrets
import Testing

@Suite struct RedactorTests {
  @Test(arguments: [
    (#"{ login(password: "hush", name: "Ada") }"#, #"{ login(password: "•••", name: "Ada") }"#),
    (
      #"{ login(in: {apiKey : "hush\"more" # "x" password: "y""# + "\n n: 1}) }",
      #"{ login(in: {apiKey : "•••" # "x" password: "•••""# + "\n n: 1}) }"
    ),
    ("{ a(token: \"\"\"hush \\\"\"\" \"more\" \"\"\") }", "{ a(token: \"•••\") }"),
    (
      #"query($token: String = "x") { secret: a(b: "c") d(token: $token) }"#,
      #"query($token: String = "•••") { secret: a(b: "c") d(token: $token) }"#
    ),
    (#"{ a(password: "never closed"#, #"{ a(password: "•••""#),
    (#"{ a(secret: "", x: "ö🐦") }"#, #"{ a(secret: "•••", x: "ö🐦") }"#),
    (#"{ a(secret: "\"#, #"{ a(secret: "•••""#), ("", ""),
    (
      #"query($password: [String!]! = ["a", "b"], $n: Int = 1) { a }"#,
      #"query($password: [String!]! = ["•••", "•••"], $n: Int = 1) { a }"#
    ),
    (#"{ a(credentials: {user: "x", pin: 1}, b: "y") }"#, #"{ a(credentials: {user: "•••", pin: •••}, b: "y") }"#),
    (#"{ a(pin: 1234, shipping: 5, sessionId: "s") }"#, #"{ a(pin: •••, shipping: 5, sessionId: "•••") }"#),
    (
      #"query($x: String = "v" @secret) { a(x: $x) b @sensitive }"#,
      #"query($x: String = "•••" @secret) { a(x: $x) b @sensitive }"#
    ),
    (#"{ a(name: "password: x") }"#, #"{ a(name: "password: x") }"#),
    ("{ basic information bearer { name } }", "{ basic information bearer { name } }"),
  ])
  func `values of secret arguments are redacted in documents`(document: String, shown: String) {
    #expect(Redactor(document: document).document(document) == shown)
  }

  @Test(arguments: [
    (#"{"apiKey": "x", "b": "c" "#, #"{"apiKey": "•••", "b": "c" "#),
    (#"{"jwt": hunter, "b": true"#, #"{"jwt": "•••", "b": true"#),
    (
      #"{"tokens":["a",{"b":"c"}],"n":1}"#,
      "{\n  \"tokens\": [\n    \"•••\",\n    {\n      \"b\": \"•••\"\n    }\n  ],\n  \"n\": 1\n}"
    ),
    (#"{"a": 1}"#, #"{"a": 1}"#), (#"{"pin": 1234, "otps": [-1.5e3, "x"]}"#, #"{"pin": •••, "otps": [•••, "•••"]}"#),
    (#"{"p\u0069n": 12}"#, "{\n  \"pin\": •••\n}"), (#"{"pin": 12, // x"#, #"{"pin": •••, // x"#),
    (#"{ "n":1,"token" : "x" }"#, #"{ "n":1,"token" : "•••" }"#),
  ])
  func `values of secret variables are redacted, even while they are typed`(text: String, shown: String) {
    #expect(Redactor().variables(text) == shown)
  }

  @Test(arguments: [
    ("mutation($p: String) { login(password: $p) }", #"{"p": "hush", "q": "open"}"#, #"{"p": "•••", "q": "open"}"#),
    ("query($p: String) { a(in: {apiKey: $p}) }", #"{"p": "hush"}"#, #"{"p": "•••"}"#),
    ("query($p: String) { a(tokens: [\"x\", $p], n: 1) }", #"{"p": "hush"}"#, #"{"p": "•••"}"#),
    ("query($p: I) { a(credentials: {user: $p}) }", #"{"p": {"b": "hush"}}"#, #"{"p": {"b": "•••"}}"#),
    ("query($p: String) { ...F } fragment F on Q { a(token: $p) }", #"{"p": "hush"}"#, #"{"p": "•••"}"#),
    ("query($p: String) { secret: a(b: $p) { token c(d: $p) } }", #"{"p": "open"}"#, #"{"p": "open"}"#),
    ("query($p: String) { a(passwordHint: $p, password: \"x\", n: $p) }", #"{"p": "open"}"#, #"{"p": "open"}"#),
    ("query($password: String, $p: String) { a(n: $p) }", #"{"p": "open"}"#, #"{"p": "open"}"#),
    ("# password: $p\nquery($p: String) { a(n: $p) }", #"{"p": "open"}"#, #"{"p": "open"}"#),
  ])
  func `variables that are given to secret arguments are redacted`(
    document: String, variables: String, shown: String
  ) throws {
    let redacted = try JSONDocument(parsing: Redactor(document: document).variables(variables)).root
    #expect(redacted == (try JSONDocument(parsing: shown).root))
  }

  @Test func `variables and fields with a secret directive are redacted`() throws {
    let redactor = Redactor(document: "query($code: String @secret) { number: plain(a: 1) @sensitive other }")
    let json = try JSONDocument(parsing: #"{"code":"x","number":"y","plain":"z","other":1}"#).root
    #expect(redactor.json(json).description == #"{"code":"•••","number":"•••","plain":"z","other":1}"#)
  }

  @Test(arguments: [
    "{ a(token: # why\n \"hidden\") }", "{ a # \"\"\"\n (token: \"hidden\") }", "# token: \"hidden#1\"\n{ a }",
    "{ a(token: # \"b\" : [\n \"hidden\") }",
  ])
  func `a comment between a name and a secret does not prevent redaction`(_ text: String) {
    #expect(!Redactor().document(text).contains("hidden"))
  }

  @Test func `redacted data for replay keeps its types`() throws {
    let json = try JSONDocument(parsing: #"{"login":{"__typename":"T","token":{"__typename":"K","pin":12,"ok":true}}}"#)
      .root
    #expect(
      Redactor().json(json, keepsTypes: true).description
        == #"{"login":{"__typename":"T","token":{"__typename":"K","pin":0,"ok":true}}}"#)
  }

  @Test(arguments: [
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl", "ghp_0123456789abcdefghijABCDEFGHIJ012345",
    "AKIAIOSFODNN7EXAMPLE", "glpat-ABCDEFGHIJKLMNOPQRST", "sk_live_abcdefghijklmnop",
    "-----BEGIN RSA PRIVATE KEY-----\nMIIB\n-----END RSA PRIVATE KEY-----",
  ])
  func `secrets are recognized by their pattern`(secret: String) {
    let shown = Redactor().text("see <\(secret)>, and go on")
    #expect(shown == "see <•••>, and go on")
  }

  @Test func `credentials in URLs and authorization headers are redacted`() {
    #expect(Redactor().text("https://ada:hush@birds.example/x") == "https://•••@birds.example/x")
    #expect(Redactor().text("Authorization: Bearer abc12345") == "Authorization: Bearer •••")
    #expect(Redactor().text("https://birds.example/a@b") == "https://birds.example/a@b")
  }

  @Test(arguments: [
    ("Bearer abc12345", "Bearer •••"), ("basic abc12345", "basic •••"), ("BEARER  abc12345", "BEARER  •••"),
    // Only the first word after the scheme is the credential, and only after spaces.
    ("Bearer abc12345 def67890", "Bearer ••• def67890"), ("Bearer abc12345, def67890", "Bearer •••, def67890"),
    ("Bearer\nabc12345", "Bearer\nabc12345"), ("(Bearer) abc12345", "(Bearer) abc12345"),
    ("Bearers abc12345", "Bearers abc12345"), ("Bearer Bearer abc12345", "Bearer Bearer •••"),
  ])
  func `the word after the scheme of a credential is redacted`(text: String, shown: String) {
    #expect(Redactor().text(text) == shown)
  }

  /// Every form of a number is one value, also while its exponent is typed.
  @Test(arguments: ["0", "-1", "47.11", "1e3", "1e+3", "1e-3", "-1.5E-10", "1e-", "1."])
  func `a secret number is replaced by one mark`(number: String) {
    #expect(Redactor().variables("{\"pin\": \(number), \"n\": \(number)}") == "{\"pin\": •••, \"n\": \(number)}")
  }

  /// The schema of an endpoint marks `code`, and of another one `note`; a member after an object or list belongs to the
  /// one around it.
  @Test(arguments: [
    (#"{"code": "a", "note": "b"}"#, #"{"code": "•••", "note": "•••"}"#),
    (#"{"in": {"pin": 1, "code": "a"}, "code": "b"}"#, #"{"in": {"pin": •••, "code": "a"}, "code": "•••"}"#),
    (#"{"in": [{"word": 1}], "code": "b"}"#, #"{"in": [{"word": •••}], "code": "•••"}"#),
    (
      #"{"in": {"more": {"x": [[{}]]}, "word": "a"}, "word": "b"}"#,
      #"{"in": {"more": {"x": [[{}]]}, "word": "•••"}, "word": "b"}"#
    ),
  ])
  func `places that schemas mark are redacted at every depth`(variables: String, shown: String) {
    let values = SecretValues()
    values.setPlaces(for: "a") { _ in
      var places = SecretPlaces()
      places.variables = [
        "code": .init(isSecret: true, inputObject: nil), "in": .init(isSecret: false, inputObject: "In"),
      ]
      places.inputObjects = ["In": ["word": .init(isSecret: true, inputObject: nil)]]
      return places
    }
    values.setPlaces(for: "b") { _ in
      var places = SecretPlaces()
      places.variables = ["note": .init(isSecret: true, inputObject: nil)]
      return places
    }
    #expect(Redactor(values: values, document: "{ a }").variables(variables) == shown)
    values.setPlaces(for: "b", nil)
    #expect(Redactor(values: values, document: "{ a }").variables(#"{"note": "b"}"#) == #"{"note": "b"}"#)
  }

  @Test func `the resolved value of a header is redacted everywhere`() throws {
    let values = SecretValues()
    values.add(header: "X-Station", "north-tower", isLive: true)
    values.add(header: "Authorization", "Bearer abc def-ghi", isLive: false)
    values.add(header: "Accept", "application/json", isLive: false)
    values.add(header: "Cookie", "sid=0123456; theme=dark", isLive: true)
    let redactor = Redactor(values: values)
    #expect(redactor.text("north-tower def-ghi application/json 0123456 dark") == "••• ••• application/json ••• dark")
    let json = try JSONDocument(parsing: #"{"echo":"a north-tower b","north-tower":1,"n":123}"#).root
    #expect(redactor.json(json).description == #"{"echo":"a ••• b","•••":1,"n":123}"#)
  }

  @Test(
    arguments: ["1234567", "\u{301}1234567", "123456é"], ["", " ", "\r", "a"])
  func `a secret is redacted whatever characters surround it`(secret: String, before: String) {
    let after = "\u{301}\u{200D}b\n"
    let values = SecretValues()
    values.add(header: "Cookie", "sid=\(secret); theme=dark", isLive: true)
    let shown = Redactor(values: values).text(before + secret + after + secret)
    #expect(shown.utf8.elementsEqual((before + "•••" + after + "•••").utf8))
  }

  @Test(arguments: [
    "password", "userPassword", "accessToken", "tokens", "API_KEY", "X-Api-Key", "privateKey", "session_id", "jwt",
    "userPIN", "user2PIN", "pin", "clientSecret", "Set-Cookie", "X-Station-Key", "otp", "To-Ken\u{301}",
  ])
  func `names of secrets are recognized`(name: String) { #expect(SecretNames.contains(name)) }

  /// A name that describes a secret is none. In headers and URLs, every name with a secret part is one.
  @Test(arguments: [
    "passwordHint", "password_hint", "PASSWORD_HINT", "passwordHints", "tokenCount", "tokenType", "token_expires_at",
    "passwordChangedAt", "passwordPolicy", "passwordStrength", "pinLength", "otpRequired", "secretName", "secretary",
    "secretaryId", "cookieStatus", "api_key_name",
  ])
  func `names that describe a secret are not secret`(name: String) {
    #expect(!SecretNames.contains(name))
  }

  @Test(arguments: [
    "tokenPin", "hintPassword", "passwordHintSecret", "tokenAtPin", "passwordAnd", "passwordin", "secrets",
  ])
  func `names that only look like descriptions are secret`(name: String) { #expect(SecretNames.contains(name)) }

  @Test(arguments: ["shipping", "name", "primaryKey", "spinning", "opinion", "key", "sidebar", "captain"])
  func `similar names are not names of secrets`(name: String) { #expect(!SecretNames.contains(name)) }

  /// A name, and the positions in which it is the name of a secret: member, header, URL parameter.
  @Test(arguments: [
    ("X-Auth", "mhp"), ("X-Auth-User", "mhp"), ("x_auth_user", "mhp"), ("xAuthUser", "mhp"), ("X-AuthKey", "mhp"),
    ("X-Authentication", "mhp"), ("X-Authorization", "mhp"), ("X-Session", "mhp"), ("X-Session-Data", "mhp"),
    ("X-Access", "mhp"), ("X-Access-Grant", "mhp"), ("X-Signature", "mhp"), ("X-Signature-256", "mhp"),
    ("X-Vault", "mhp"), ("X-Vault-Namespace", "mhp"), ("X-Station-Key", "mhp"), ("access_token", "mhp"),
    ("X-Hub-Signature", "hp"), ("Signature", "hp"), ("X-Amz-Signature", "hp"), ("Auth", "hp"), ("sig", "hp"),
    ("Session", "hp"), ("Vault", "h"), ("key", "p"), ("code", "p"), ("signature", "hp"), ("oauth_signature", "hp"),
    ("pass", "p"), ("keyboard", ""), ("monkey", ""), ("primaryKeyName", ""), ("primaryKey", ""), ("author", ""),
    ("authors", ""), ("X-Author", ""), ("x-author-id", ""), ("X-Authority", ""), ("X-Accessibility", ""),
    ("xAccessor", ""), ("xaccess", ""), ("countryCode", ""), ("sortKey", ""), ("key_name", ""), ("design", ""),
    ("signal", ""), ("vaulted", ""), ("sessions", ""), ("accessLevel", ""), ("x", ""), ("X-Request-Id", ""),
    ("decode", ""), ("zip_code", ""), ("Accept", ""), ("Content-Type", ""), ("Access-Control-Allow-Origin", ""),
  ])
  func `whether a name is secret depends on its position`(name: String, places: String) {
    let all: [(SecretNames.Place, String)] = [(.member, "m"), (.header, "h"), (.parameter, "p")]
    let reported = all.filter { SecretNames.contains(name, in: $0.0) }.map(\.1).joined()
    #expect(reported == places)
  }

  @Test(arguments: [
    (#"{"echo":"sec\u0072et\/\"value\""}"#, #"{"echo":"•••"}"#), ("sec\\x72et/&quot;value&quot; x", "••• x"),
    ("<b>secret&#x2F;&#34;value&quot;</b>", "<b>•••</b>"), ("a=secret%2F%22value%22&b", "a=•••&b"),
    (#"secret\u0026#47;\u0026quot;value\u0026quot;."#, "•••."), ("secret%252F%2522value%2522", "•••"),
    (#"\ud83d\ude00secret\/\u0022value\u0022"#, #"\ud83d\ude00•••"#),
    ("secret&/value 100% \\u00", "secret&/value 100% \\u00"),
  ])
  func `a secret with escapes is redacted`(text: String, shown: String) {
    let values = SecretValues()
    values.add(unsplit: #"secret/"value""#)
    #expect(Redactor(values: values).text(text) == shown)
    #expect(values.hidden(in: text, mark: "•••") == shown)
  }

  @Test func `a short secret is redacted only as a complete value`() throws {
    let variables = try JSONDocument(parsing: #"{"pin":"4711","otp":815,"pwd":"ab","n":4712}"#).root
    let answer = try JSONDocument(parsing: #"{"a":"4711","b":815,"c":"ab","d":"47110","e":"in 4711 days","f":4712}"#)
      .root
    #expect(
      Redactor(variables: variables).json(answer).description
        == #"{"a":"•••","b":"•••","c":"ab","d":"47110","e":"in 4711 days","f":4712}"#)
  }

  @Test func `a secret sent with escapes is redacted without them`() throws {
    let redactor = Redactor(document: #"{ a(password: "hush\"hush\u0021") }"#)
    let answer = try JSONDocument(parsing: #"{"a":"is hush\"hush! wrong"}"#).root
    #expect(redactor.json(answer).description == #"{"a":"is ••• wrong"}"#)
  }

  @Test(arguments: [
    ("https://a.example/?key=abcdef123&x=1#top", "https://a.example/?key=•••&x=1#top"),
    ("see https://a.example/cb?state=1&code=4/0AbCdEf-9 now", "see https://a.example/cb?state=1&code=••• now"),
    ("https://a.example/blob?sv=2022&sig=a%2Fb%3D123456", "https://a.example/blob?sv=2022&sig=•••"),
    (#"https:\/\/a.example\/?access_token=abcdefg"#, #"https:\/\/a.example\/?access_token=•••"#),
    ("<a href=\"/?a=1&amp;signature=abcdefg\">", "<a href=\"/?a=1&amp;signature=•••\">"),
    ("https://a.example/?key=$TOKEN_OF_MINE", "https://a.example/?key=$TOKEN_OF_MINE"),
    ("https://a.example/?code=404&countryCode=abcdefg", "https://a.example/?code=404&countryCode=abcdefg"),
    ("is monkey=abcdefg? and key=abcdefg", "is monkey=abcdefg? and key=abcdefg"),
  ])
  func `secret parameters of a URL are redacted`(text: String, shown: String) {
    #expect(Redactor().text(text) == shown)
  }

  @Test func `secrets in a schema's descriptions are redacted, and names are kept`() {
    let values = SecretValues()
    values.add(unsplit: "station")
    values.add(unsplit: "planted-token")
    let schema = """
      # planted-token
      \"\"\"You sent planted-token.\"\"\"
      type Query { station(id: String = "planted-token"): Int @deprecated(reason: "planted-token station") }
      """
    #expect(
      Redactor(values: values).schema(schema) == """
        # •••
        \"\"\"You sent •••.\"\"\"
        type Query { station(id: String = "•••"): Int @deprecated(reason: "••• •••") }
        """)
  }

  @Test func `a secret in the request is redacted in the response`() throws {
    let redactor = Redactor(
      document: #"mutation($password: String) { login(password: $password, token: "lit-4711") { name } }"#,
      variables: try JSONDocument(parsing: #"{"password":"hunter22","name":"Ada Lovelace"}"#).root)
    let answer = try JSONDocument(parsing: #"{"message":"hunter22 or lit-4711 is wrong, Ada Lovelace","n":1}"#).root
    #expect(redactor.json(answer).description == #"{"message":"••• or ••• is wrong, Ada Lovelace","n":1}"#)
    // In a document a secret is recognized by its position; elsewhere the word is a name.
    #expect(redactor.document("{ hunter22 }") == "{ hunter22 }")
  }

  @Test func `all values in a secret variable are redacted`() throws {
    let variables = try JSONDocument(
      parsing: #"{"password":{"old":"deep-water-1","parts":["deep-water-2"]},"name":"Ada Lovelace"}"#
    ).root
    let redactor = Redactor(variables: variables)
    #expect(redactor.text("deep-water-1, deep-water-2, Ada Lovelace") == "•••, •••, Ada Lovelace")
  }

  @Test(arguments: [
    ("http://me:hush%21hush@host/graphql", "hush!hush and hush%21hush", "••• and •••"),
    ("http://host/graphql?q=public&access_token=abc-123-def#x", "public abc-123-def", "public •••"),
    ("http://host/a:b@c/?x=1", "a:b@c", "a:b@c"), ("", "", ""), ("://@", "text", "text"),
  ])
  func `the credentials of the endpoint's URL are redacted`(url: String, text: String, shown: String) {
    let values = SecretValues()
    values.add(url: url)
    #expect(Redactor(values: values).text(text) == shown)
  }

  @Test func `with very many secrets the newest are redacted`() {
    let values = SecretValues()
    values.add(unsplit: "the first one, and a long one it is")
    values.add(unsplit: "used often")
    for number in 0..<1000 {
      values.add(unsplit: "short-\(number)")
      values.add(unsplit: "used often")
    }
    let text = "the first one, and a long one it is, used often, short-0, short-999"
    #expect(Redactor(values: values).text(text) == "the first one, and a long one it is, •••, short-0, •••")
  }
}
