import ApusClientFormats
import ApusClientImports
import ApusClientRequests
import ApusJSON
import ApusSecrets
import Testing

/// One text of another program, and the requests in it.
struct ImportCase: Sendable, CustomTestStringConvertible {
  let title: String
  let file: String
  let text: String
  /// A line for each request: the URL if it is another than the usual one, the document, the variables, the headers.
  let requests: [String]
  let skipped: Int

  init(_ title: String, _ file: String, _ text: String, _ requests: [String], skipped: Int = 0) {
    self.title = title
    self.file = file
    self.text = text
    self.requests = requests
    self.skipped = skipped
  }

  var testDescription: String { title }

  static let url = "https://a.example/g"

  /// The text of a request, with the values of the file in place of its references.
  static func line(_ imported: RequestDraft) -> String {
    let values = Dictionary(
      uniqueKeysWithValues: imported.options.references.compactMap { reference in
        reference.source == .file ? reference.value.map { (reference.name, $0) } : nil
      })
    var request = imported
    request.url = TemplateText.inserting(values, in: imported.url, .plain)
    request.query = DraftText(TemplateText.inserting(values, in: imported.query.text, .json))
    request.variables = DraftText(TemplateText.inserting(values, in: imported.variables.text, .json))
    request.headers = imported.headers.map { header in
      .init(name: header.name, untrusted: TemplateText.inserting(values, in: header.text, .plain))
    }
    var parts: [String] = []
    if request.url != url { parts.append(request.url) }
    parts.append(request.query.text)
    if !request.variables.isEmpty {
      parts.append(
        (try? JSONDocument(parsing: request.variables.text).root).map { JSONWriter.compact($0) }
          ?? request.variables.text)
    }
    for header in request.headers { parts.append("[\(header.name): \(header.text)]") }
    return parts.joined(separator: " ")
  }
}

/// Text that browsers, tools and documentation write, and the requests in it.
struct ImportTableTests {
  static let cases =
    shellCases + curlCases + windowsCases + scriptCases + httpCases + fileCases + otherCases + variableCases + formCases
    + scriptVariantCases

  @Test func `the table is long enough`() { #expect(Self.cases.count >= 120) }

  @Test(arguments: cases) func `a text is read as its requests`(_ example: ImportCase) throws {
    var collection = ImportedCollection()
    do throws(ImportError) {
      try collection.add(UntrustedText(example.text), named: example.file)
    } catch {
      #expect(error == .unknown(example.file) && example.requests.isEmpty)
    }
    let requests = ImportedRequests(collection)
    #expect(
      requests.requests.map { ImportCase.line($0.draft) } == example.requests, "\(example.title): \(requests.leftOut)")
    #expect(collection.skipped == example.skipped, "\(example.title): \(requests.leftOut)")
  }
}

extension ImportTableTests {
  /// Bodies in all quotes of a shell.
  static let shellCases: [ImportCase] = [
    .init("single quotes", "", #"curl https://a.example/g -d '{"query":"{ a }"}'"#, ["{ a }"]),
    .init("double quotes", "", #"curl https://a.example/g -d "{\"query\":\"{ a }\"}""#, ["{ a }"]),
    .init(
      "an exclamation mark in octal, as Firefox and Safari write it", "",
      #"curl 'https://a.example/g' --data-raw $'{"query":"query ($id: ID\041) { a(id: $id) }"}'"#,
      ["query ($id: ID!) { a(id: $id) }"]),
    .init(
      "an exclamation mark as a code point, as Chrome writes it", "",
      #"curl 'https://a.example/g' --data-raw $'{"query":"query ($id: ID\u0021) { a(id: $id) }"}'"#,
      ["query ($id: ID!) { a(id: $id) }"]),
    .init("a hexadecimal byte", "", #"curl https://a.example/g -d $'{"query":"\x7b a \x7d"}'"#, ["{ a }"]),
    .init(
      "bytes that make UTF-8", "", #"curl https://a.example/g -d $'{"query":"{ a(b: \\"\xc3\xa9\303\251\\") }"}'"#,
      [#"{ a(b: "éé") }"#]),
    .init(
      "an eight-digit code point", "", #"curl https://a.example/g -d $'{"query":"{ a } # \U0001F426"}'"#, ["{ a } # 🐦"]),
    .init("a surrogate pair", "", #"curl https://a.example/g -d $'{"query":"{ a } # \ud83d\udc26"}'"#, ["{ a } # 🐦"]),
    .init(
      "an apostrophe", "", #"curl https://a.example/g -d $'{"query":"{ a(b: \\"it\'s\\") }"}'"#, [#"{ a(b: "it's") }"#]),
    .init(
      "an apostrophe between two quotes", "", #"curl https://a.example/g -d '{"query":"{ a(b: \"it'\''s\") }"}'"#,
      [#"{ a(b: "it's") }"#]),
    .init("line ends in a document", "", #"curl https://a.example/g -d $'{"query":"{\\n  a\\n}"}'"#, ["{\n  a\n}"]),
    .init("a translated string", "", ##"curl https://a.example/g -d $"{\"query\":\"{ a }\"}""##, ["{ a }"]),
    .init(
      "a document alone", "", "curl https://a.example/g -H 'Content-Type: application/graphql' -d '{ a }'", ["{ a }"]),
    .init("continued lines", "", "curl \\\n  https://a.example/g \\\n  -d '{\"query\":\"{ a }\"}'\n", ["{ a }"]),
    .init(
      "continued lines that end as on Windows", "",
      "curl \\\r\n  https://a.example/g \\\r\n  -d '{\"query\":\"{ a }\"}'\r\n", ["{ a }"]),
    .init("tabs", "", "curl\thttps://a.example/g\t-d\t'{\"query\":\"{ a }\"}'", ["{ a }"]),
    .init("comments", "", "# one\ncurl https://a.example/g -d '{\"query\":\"{ a }\"}' # two 'three\n", ["{ a }"]),
    .init("a prompt", "", "$ curl https://a.example/g -d '{\"query\":\"{ a }\"}'", ["{ a }"]),
    .init("a path", "", "/usr/bin/curl https://a.example/g -d '{\"query\":\"{ a }\"}'", ["{ a }"]),
    .init("curl.exe", "", "curl.exe https://a.example/g -d '{\"query\":\"{ a }\"}'", ["{ a }"]),
    .init("assignments before it", "", "A=1 B='x y' curl https://a.example/g -d '{\"query\":\"{ a }\"}'", ["{ a }"]),
    .init("env", "", "env -i A=1 curl https://a.example/g -d '{\"query\":\"{ a }\"}'", ["{ a }"]),
    .init("time and sudo", "", "time sudo curl https://a.example/g -d '{\"query\":\"{ a }\"}'", ["{ a }"]),
    .init(
      "a here-document", "",
      "curl https://a.example/g -d @- <<'EOF'\n{\"query\":\"query ($n: Int) { a(n: $n) }\"}\nEOF\n",
      ["query ($n: Int) { a(n: $n) }"]),
    .init(
      "a here-document without its tabs", "", "curl https://a.example/g -d @- <<-EOF\n\t{\"query\":\"{ a }\"}\n\tEOF\n",
      ["{ a }"]),
    .init("a here-string", "", "curl https://a.example/g -d @- <<< '{\"query\":\"{ a }\"}'", ["{ a }"]),
    .init(
      "a here-document in a substitution", "",
      "curl https://a.example/g -d \"$(cat <<'EOF'\n{\"query\":\"{ a(b: \\\"c\\\") }\"}\nEOF\n)\"\n",
      [#"{ a(b: "c") }"#]),
    .init("echo before a pipe", "", "echo '{\"query\":\"{ a }\"}' | curl https://a.example/g -d @-", ["{ a }"]),
    .init(
      "a line feed after a pipe", "", "echo '{\"query\":\"{ a }\"}' |\n  curl https://a.example/g -d @-", ["{ a }"]),
    .init(
      "both ends of a line after a pipe", "", "echo '{\"query\":\"{ a }\"}' |\r\n  curl https://a.example/g -d @-",
      ["{ a }"]),
    .init(
      "a comment and an empty line after a pipe", "",
      "echo '{\"query\":\"{ a }\"}' | # the body\n\ncurl https://a.example/g -d @-", ["{ a }"]),
    .init(
      "a continued line after a pipe", "", "echo '{\"query\":\"{ a }\"}' | \\\n  curl https://a.example/g -d @-",
      ["{ a }"]),
    .init(
      "a line feed after a pipe with errors", "", "echo '{\"query\":\"{ a }\"}' |&\ncurl https://a.example/g -d @-",
      ["{ a }"]),
    .init(
      "a line feed after an alternative", "", "echo '{\"query\":\"{ a }\"}' ||\ncurl https://a.example/g -d @-", [],
      skipped: 1),
    .init(
      "a pipe after the line of another", "",
      "echo date | cat\necho '{\"query\":\"{ a }\"}' | curl https://a.example/g -d @-", ["{ a }"]),
    .init(
      "a line feed without a pipe", "", "echo '{\"query\":\"{ a }\"}'\ncurl https://a.example/g -d @-", [], skipped: 1),
    .init(
      "two commands on two lines", "",
      "curl https://a.example/g -d '{\"query\":\"{ a }\"}'\ncurl https://a.example/g -d '{\"query\":\"{ b }\"}'\n",
      ["{ a }", "{ b }"]),
    .init(
      "two commands between operators", "",
      "curl https://a.example/g -d '{\"query\":\"{ a }\"}' && curl https://a.example/g -d '{\"query\":\"{ b }\"}'; echo done",
      ["{ a }", "{ b }"]),
    .init(
      "a pipe to jq", "", "curl https://a.example/g -d '{\"query\":\"{ a }\"}' | jq '.data' > out.json 2>&1", ["{ a }"]),
    .init(
      "an assigned result", "", "RESULT=$(curl -s https://a.example/g -d '{\"query\":\"{ a }\"}')\necho \"$RESULT\"",
      ["{ a }"]),
    .init("a condition", "", "if curl https://a.example/g -d '{\"query\":\"{ a }\"}'; then echo yes; fi", ["{ a }"]),
    .init(
      "a variable of the script", "", "API=https://a.example/g\ncurl \"$API\" -d '{\"query\":\"{ a }\"}'", ["{ a }"]),
    .init(
      "a variable of the environment keeps its name", "",
      "curl https://a.example/g -H \"Authorization: Bearer $TOKEN\" -d '{\"query\":\"{ a }\"}'",
      ["{ a } [Authorization: Bearer {{TOKEN}}]"]),
    .init(
      "a variable in the variables", "",
      #"curl https://a.example/g -d "{\"query\":\"{ a }\",\"variables\":{\"n\":$N}}""#, ["{ a } {\n  \"n\": {{N}}\n}"]),
    .init(
      "a dollar sign in single quotes is text", "",
      "curl https://a.example/g -H 'X: $(id) `id` $HOME' -d '{\"query\":\"{ a }\"}'", ["{ a } [X: $(id) `id` $HOME]"]),
    .init(
      "a command substitution is not executed", "",
      "curl https://a.example/g -H \"X: $(id)\" -d '{\"query\":\"{ a }\"}'", ["{ a } [X: $(id)]"]),
    .init("a byte order mark", "", "\u{FEFF}curl https://a.example/g -d '{\"query\":\"{ a }\"}'", ["{ a }"]),
  ]

  /// Options of curl.
  static let curlCases: [ImportCase] = [
    .init("a method", "", "curl -X POST https://a.example/g -d '{\"query\":\"{ a }\"}'", ["{ a }"]),
    .init("options in one word", "", "curl -sSLXPOST https://a.example/g -d'{\"query\":\"{ a }\"}'", ["{ a }"]),
    .init("an option with an equals sign", "", "curl https://a.example/g --data='{\"query\":\"{ a }\"}'", ["{ a }"]),
    .init("--json", "", "curl --json '{\"query\":\"{ a }\"}' https://a.example/g", ["{ a }"]),
    .init("--data-binary", "", "curl https://a.example/g --data-binary '{\"query\":\"{ a }\"}'", ["{ a }"]),
    .init("--url", "", "curl --url https://a.example/g -d '{\"query\":\"{ a }\"}'", ["{ a }"]),
    .init(
      "a user", "", "curl -u ada:hush https://a.example/g -d '{\"query\":\"{ a }\"}'",
      ["{ a } [Authorization: Basic YWRhOmh1c2g=]"]),
    .init(
      "a user with variables", "", "curl -u \"$USER:$PASSWORD\" https://a.example/g -d '{\"query\":\"{ a }\"}'",
      ["{ a } [Authorization: Basic {{BASIC_CREDENTIALS}}]"]),
    .init(
      "a bearer token", "", "curl --oauth2-bearer abc https://a.example/g -d '{\"query\":\"{ a }\"}'",
      ["{ a } [Authorization: Bearer abc]"]),
    .init(
      "cookies", "", "curl -b a=1 --cookie 'b=2' https://a.example/g -d '{\"query\":\"{ a }\"}'",
      ["{ a } [Cookie: a=1; b=2]"]),
    .init("a user agent", "", "curl -A x https://a.example/g -d '{\"query\":\"{ a }\"}'", ["{ a } [User-Agent: x]"]),
    .init("a form", "", "curl https://a.example/g --data-urlencode 'query={ a(b: \"&\") }'", [#"{ a(b: "&") }"#]),
    .init(
      "-G", "", "curl -G https://a.example/g --data-urlencode 'query={ a }' -d 'variables={\"n\":1}'",
      [#"{ a } {"n":1}"#]),
    .init(
      "a query in the URL", "", "curl 'https://a.example/g?query=%7Ba%7D&key=k'", ["https://a.example/g?key=k {a}"]),
    .init("--url-query", "", "curl https://a.example/g --url-query 'query={ a }'", ["{ a }"]),
    .init(
      "variables", "", #"curl https://a.example/g -d '{"query":"query ($n: Int) { a(n: $n) }","variables":{"n":1}}'"#,
      [#"query ($n: Int) { a(n: $n) } {"n":1}"#]),
    .init(
      "variables as text", "", #"curl https://a.example/g -d '{"query":"{ a }","variables":"{\"n\":1}"}'"#,
      [#"{ a } {"n":1}"#]),
    .init(
      "an upload", "",
      #"curl https://a.example/g -F operations='{"query":"mutation ($f: Upload) { a(f: $f) }","variables":{"f":null}}' -F map='{"0":["variables.f"]}' -F 0=@a.png"#,
      [#"mutation ($f: Upload) { a(f: $f) } {"f":"a.png"}"#]),
    .init(
      "a batch", "", #"curl https://a.example/g -d '[{"query":"{ a }"},{"query":"query B { b }"}]'"#,
      ["{ a }", "query B { b }"]),
    .init(
      "a batch with a REST request", "", #"curl https://a.example/g -d '[{"query":"{ a }"},{"id":1}]'"#,
      ["{ a }"], skipped: 1),
    .init(
      "--next", "", #"curl https://a.example/g -d '{"query":"{ a }"}' --next https://b.example -d '{"query":"{ b }"}'"#,
      ["{ a }", "https://b.example { b }"]),
    .init(
      "a header without Content-Type", "",
      #"curl https://a.example/g -H 'Content-Type: application/json' -H 'X-A: b' -d '{"query":"{ a }"}'"#,
      ["{ a } [X-A: b]"]),
    .init(
      "a header that traces", "",
      #"curl https://a.example/g -H 'traceparent: 00-1' -H 'X-A: b' -d '{"query":"{ a }"}'"#, ["{ a } [X-A: b]"]),
    .init("a file that a pasted command names", "", "curl https://a.example/g -d @body.json", [], skipped: 1),
    .init("a REST body", "", #"curl https://a.example/birds -d '{"name":"Apus"}'"#, [], skipped: 1),
    .init(
      "a pretty-printed REST body", "", "curl https://a.example/birds -d '{\n  \"name\": \"Apus\"\n}'", [], skipped: 1),
    .init("a form that is none of GraphQL", "", "curl https://a.example/birds -d 'name={x}&b=2'", [], skipped: 1),
    .init("a GET", "", "curl https://a.example/birds", [], skipped: 1),
    .init("XML", "", "curl https://a.example/birds -d '<a>{b}</a>'", [], skipped: 1),
    .init("a document with an error", "", #"curl https://a.example/g -d '{"query":"{ a "}'"#, [], skipped: 1),
    .init("a schema", "", #"curl https://a.example/g -d '{"query":"type A { b: Int }"}'"#, [], skipped: 1),
    .init(
      "a hash alone", "",
      #"curl https://a.example/g -d '{"extensions":{"persistedQuery":{"version":1,"sha256Hash":"x"}}}'"#, [], skipped: 1
    ),
  ]
}
