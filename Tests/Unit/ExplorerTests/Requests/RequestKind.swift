import ApusClientRequests
import ApusExplorerCore
import ApusSecrets

/// A kind of request that a tab can send, for the matrix of features.
struct RequestKind: Sendable {
  let name: String
  var query = "query Q($t: String) { a(t: $t) }"
  var variables = #"{"t":"it's \"x\" & y"}"#
  var extensions = ""
  var options = RunOptions()
  /// Header lines of the tab.
  var headers = ["X-Kind: plain"]
  /// The environment of the profile.
  var definedNames: [String: String] = [:]
  /// The file that the tab was opened from.
  var file: String?
  /// Whether the tab has another endpoint than the session.
  var isElsewhere = false
  /// The environment of the copied command.
  var environment: [String: String] = [:]
  /// Whether the request is a subscription, whose `Accept` depends on the transport.
  var isSubscription = false
  /// Whether a variable is secret.
  var hasSecret: Bool { name.contains("secret") }
  /// Whether a header has the output of a command.
  var hasCommand: Bool { headers.contains { $0.contains("$(") } }
  /// The values of references that are stored and copied.
  var storedValues: [String: String] = [:]
  /// An option that the `apus` command has.
  var option: String?

  init(_ name: String, _ change: (inout RequestKind) -> Void = { _ in }) {
    self.name = name
    change(&self)
  }

  static let all: [RequestKind] = [
    RequestKind("query"),
    RequestKind("mutation") { $0.query = "mutation M($t: String) { add(t: $t) }" },
    RequestKind("subscription") {
      $0.query = "subscription S($t: String) { s(t: $t) }"
      $0.isSubscription = true
    },
    RequestKind("upload, one file") {
      $0.query = "mutation M($file: Upload!) { upload(file: $file) }"
      $0.variables = #"{"file":"FOLDER/bird.png"}"#
      $0.option = "--upload file="
    },
    RequestKind("upload, a list") {
      $0.query = "mutation M($files: [Upload!]!, $t: String) { uploads(files: $files, t: $t) }"
      $0.variables = #"{"files":["FOLDER/bird.png","FOLDER/a b;c.txt"],"t":"x; y"}"#
      $0.option = "--upload 'files.1="
    },
    RequestKind("upload, in an input object") {
      $0.query = "mutation M($input: PictureInput!) { picture(input: $input) }"
      $0.variables = #"{"input":{"name":"n","file":"FOLDER/bird.png"}}"#
      $0.option = "--upload input.file="
    },
    RequestKind("upload, with a secret variable") {
      $0.query = "mutation M($file: Upload!, $password: String) { locked(file: $file, password: $password) }"
      $0.variables = #"{"file":"FOLDER/bird.png","password":"hush; \"x\" $y `z`"}"#
      $0.environment = ["PASSWORD": #"hush; "x" $y `z`"#]
      $0.option = "--upload file="
    },
    RequestKind("GET") {
      $0.options.usesGET = true
      $0.option = "--get"
    },
    RequestKind("persisted") {
      $0.options.usesPersistedQueries = true
      $0.option = "--persisted"
    },
    RequestKind("with extensions") {
      $0.extensions = #"{"trace":{"id":"it's"}}"#
      $0.option = "--extensions"
    },
    RequestKind("with onError") {
      $0.options.onError = .null
      $0.option = "--on-error NULL"
    },
    RequestKind("with variables of a form") {
      $0.query = "query Q($list: [PictureInput!], $e: Color, $n: Int) { b(list: $list, e: $e, n: $n) }"
      $0.variables = #"{"list":[{"name":"a"},{"name":null}],"e":"RED","n":3}"#
    },
    RequestKind("with a secret variable") {
      $0.query = "mutation M($password: String) { login(password: $password) }"
      $0.variables = #"{"password":"hush-hush"}"#
      $0.environment = ["PASSWORD": "hush-hush"]
      $0.option = "PASSWORD"
    },
    RequestKind("with a value of the environment") {
      $0.headers = ["X-Kind: $LIVE"]
      $0.environment = ["LIVE": "from-the-environment"]
      $0.option = "$LIVE"
    },
    RequestKind("with the output of a command") {
      $0.headers = ["X-Kind: $(echo made)"]
      $0.option = "$(echo made)"
    },
    RequestKind("of an import, with references") {
      $0.variables = #"{"t":"{{token}}"}"#
      $0.headers = ["X-Kind: {{team}} {{x}}"]
      $0.options.references = [.init(name: "team", value: "birds $x"), .init(name: "token", value: "t\"k")]
      $0.environment = ["TOKEN": "t\"k", "TEAM": "birds $x"]
      $0.option = "${TOKEN:?}"
    },
    RequestKind("of an import, with a name in variables and headers") {
      $0.query = "query Q($t: String, $in: PictureInput) { a(t: $t, in: $in) }"
      $0.variables = #"{"t":"{{name}}","in":{"name":"<{{name}}>"}}"#
      $0.headers = ["X-Kind: {{name}}"]
      $0.options.references = [.init(name: "name", value: #"a"b\c"#)]
      $0.environment = ["NAME": #"a"b\c"#, "NAME_JSON": #"a"b\c"#]
      $0.option = "${NAME_JSON:?}"
    },
    RequestKind("of an import, with a reference as a password") {
      $0.query = "mutation M($password: String) { login(password: $password) }"
      $0.variables = #"{"password":"{{password}}"}"#
      $0.headers = ["X-Kind: {{password}}"]
      $0.options.references = [.init(name: "password", value: #"hush"hush"#)]
      $0.environment = ["PASSWORD": #"hush"hush"#, "PASSWORD_JSON": #"hush"hush"#]
      $0.option = #"--var password="${PASSWORD:?}""#
    },
    RequestKind("of an import, with values of its file") {
      $0.query = #"query Q($t: String) { a(t: "{{word}} {{team}}", in: { name: $t }) }"#
      $0.variables = #"{"t":"{{word}} \"x\""}"#
      $0.headers = ["X-Kind: {{word}} {{team}}"]
      $0.options.references = [
        .init(name: "team", value: "birds $x", source: .file), .init(name: "word", value: "north", source: .file),
      ]
      $0.storedValues = ["team": "birds $x", "word": "north"]
    },
    RequestKind("subscription, with a reference in its URL") {
      $0.query = "subscription S($t: String) { s(t: $t) }"
      $0.isSubscription = true
      $0.options.subscriptionURL = "SERVER/{{station}}"
      $0.options.references = [.init(name: "station", value: "north")]
      $0.environment = ["STATION": "north"]
      $0.option = "${STATION:?}"
    },
    RequestKind("subscription, with parameters in its URL") {
      $0.query = "subscription S($t: String) { s(t: $t) }"
      $0.isSubscription = true
      $0.options.subscriptionURL = "SERVER/events?mode=x%20y&page=2"
    },
    RequestKind("with a name of the profile's environment") {
      $0.variables = #"{"t":"{{region}} {{x}}"}"#
      $0.headers = ["X-Kind: {{region}}"]
      $0.definedNames = ["region": "north"]
      $0.environment = ["REGION": "north", "REGION_JSON": "north"]
      $0.option = "${REGION_JSON:?}"
    },
    RequestKind("of a file") { $0.file = "birds.graphql" },
    RequestKind("of another endpoint") { $0.isElsewhere = true },
    RequestKind("with literal braces") {
      $0.variables = #"{"t":"{{x}} $x ${x} %x%"}"#
      $0.headers = ["X-Kind: {{x}} $$x"]
    },
  ]
}
