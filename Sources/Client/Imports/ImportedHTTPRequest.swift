import ApusClientRequests
import ApusGraphQLLanguage
import ApusGraphQLMediaTypes
import ApusJSON
import ApusSecrets

/// An HTTP request of another program, before it is known whether it is GraphQL. Its text can contain variables.
struct ImportedHTTPRequest {
  var folders: [String] = []
  /// The request's name; empty if it has none.
  var name = ""
  var notes = ""
  var method = "POST"
  var url: String
  var headers: [ImportedCollection.Header] = []
  var body = ""
  /// Messages about unsupported parts of the request.
  var leftOut: [String] = []

  init(url: String) { self.url = url }
}

/// Access to the files that an imported file refers to, as in `-d @body.json`.
package struct AdjacentFiles {
  package enum Content {
    case text(String)
    /// The file is not read, for this reason.
    case refused(String)
  }

  let read: (String) -> Content

  package init(read: @escaping (String) -> Content) { self.read = read }

  /// Access to no files, for pasted text.
  package static var none: AdjacentFiles {
    AdjacentFiles { _ in .refused("pasted text reads no files; import the script as a file") }
  }
}

/// Decoding of imported files.
package enum ImportedText {
  /// Returns the text of bytes in UTF-8, or in UTF-16 with a byte order mark, as written by programs of Windows.
  package static func decoded(_ bytes: [UInt8]) -> String {
    let isLittle = bytes.starts(with: [0xFF, 0xFE])
    guard isLittle || bytes.starts(with: [0xFE, 0xFF]) else { return String(decoding: bytes, as: UTF8.self) }
    let units = stride(from: 2, to: bytes.count - 1, by: 2).map { index -> UInt16 in
      let first = UInt16(bytes[index])
      let second = UInt16(bytes[index + 1])
      return isLittle ? second << 8 | first : first << 8 | second
    }
    return String(decoding: units, as: UTF16.self)
  }
}

/// The GraphQL requests in the body or URL of an HTTP request.
struct GraphQLContents {
  /// The requests, without an endpoint.
  private(set) var contents: [RequestDraft] = []
  /// The reasons why requests are not imported. A batch can have several.
  private(set) var problems: [String] = []
  /// Messages about unsupported parts of a form.
  private(set) var leftOut: [String] = []
  /// The URL without the parameters that are part of the GraphQL request.
  private(set) var url: String

  static let notGraphQL = "it is not a GraphQL request"

  init(of request: ImportedHTTPRequest) {
    url = request.url
    let body = request.body
    if body.allSatisfy(\.isWhitespace) {
      readURL()
    } else if let json = JSONTemplate.parse(body) {
      guard json.kind == .array else {
        read(json)
        return
      }
      // Some clients send several operations as a list.
      for element in json.elements { read(element) }
      if json.count == 0 { problems.append(Self.notGraphQL) }
    } else if let form = MultipartForm(body: body) {
      var leftOut: [String] = []
      var request = request
      request.body = form.body(&leftOut)
      self = GraphQLContents(of: request)
      self.leftOut = leftOut
    } else if let content = Self.content(of: URLQuery.fields(body[...])) {
      apply(content)
    } else {
      let parts = DocumentTemplate(body).parts
      apply(RequestDraft(query: parts.document, variables: parts.variables))
    }
  }

  /// Creates the contents for a program that stores the document separately.
  init(url: String, content: RequestDraft) {
    self.url = url
    apply(content)
  }

  private mutating func read(_ json: JSONValue) {
    guard let query = json["query"]?.string, !query.isEmpty else {
      let isHash = json["extensions"]?["persistedQuery"] != nil
      problems.append(isHash ? "a persisted query of which only the hash was sent" : Self.notGraphQL)
      return
    }
    var content = RequestDraft(query: query, operationName: json["operationName"]?.string)
    // Some programs encode the variables as a string.
    content.variables = DraftText(json["variables"].map { $0.string ?? Self.variables($0) } ?? "")
    content.extensions = DraftText(Self.extensions(in: json["extensions"]))
    content.options.usesPersistedQueries = json["extensions"]?["persistedQuery"] != nil
    content.options.onError = json["onError"]?.string.flatMap { ErrorBehavior(rawValue: $0) }
    apply(content)
  }

  private mutating func apply(_ content: RequestDraft) {
    var content = content
    if content.variables.text.filter({ !$0.isWhitespace }) == "{}" { content.variables = DraftText() }
    if let problem = DocumentTemplate(content.query.text).problem {
      problems.append("\(Self.notGraphQL) (\(problem))")
    } else {
      contents.append(content)
    }
  }

  /// Reads a request whose document is in the URL. Other parameters remain in the URL.
  ///
  /// Source: GraphQL over HTTP specification, "GET".
  private mutating func readURL() {
    let address = url.prefix { $0 != "#" }
    guard let mark = address.firstIndex(of: "?") else {
      problems.append(Self.notGraphQL)
      return
    }
    let fields = URLQuery.fields(address[address.index(after: mark)...])
    guard var content = Self.content(of: fields) else {
      let hasHash = fields.contains { $0.name == "extensions" && $0.value.contains("persistedQuery") }
      problems.append(hasHash ? "a persisted query of which only the hash was sent" : Self.notGraphQL)
      return
    }
    let standard = ["query", "variables", "operationName", "extensions", "onError"]
    let others = fields.filter { !standard.contains($0.name) }.map(\.source)
    url = address[..<mark] + (others.isEmpty ? "" : "?" + others.joined(separator: "&"))
    content.options.usesGET = true
    apply(content)
  }

  private static func content(of fields: [(name: String, value: String, source: Substring)]) -> RequestDraft? {
    func value(_ name: String) -> String? { fields.first { $0.name == name && !$0.value.isEmpty }?.value }
    guard let query = value("query") else { return nil }
    var content = RequestDraft(
      query: query, variables: value("variables").flatMap { JSONTemplate.parse($0) }.map(variables) ?? "",
      operationName: value("operationName"))
    content.options.onError = value("onError").flatMap { ErrorBehavior(rawValue: $0) }
    content.extensions = DraftText(extensions(in: value("extensions").flatMap { JSONTemplate.parse($0) }))
    return content
  }

  private static func variables(_ json: JSONValue) -> String {
    json.kind == .object && json.count > 0 ? JSONTemplate.text(json) : ""
  }

  /// Returns the extensions without the hash of a persisted query, which the client adds.
  private static func extensions(in json: JSONValue?) -> String {
    let members = json.map { $0.members.filter { $0.key != "persistedQuery" }.map { ($0.key, $0.value) } } ?? []
    return members.isEmpty ? "" : JSONWriter.compact(.object(members))
  }
}

/// A GraphQL document that contains `{{variables}}`.
struct DocumentTemplate {
  private let source: String
  /// The source with each `{{id}}` replaced by a name of equal length (`xxxxxx`), so that it parses and offsets stay
  /// valid.
  let document: Document
  private let variables: [String]

  init(_ source: String) {
    self.source = source
    // Replacing each variable by a name of the same length preserves all offsets.
    let template = ImportTemplate(source)
    variables = template.variables
    let named = Document(parsing: template.replacingVariables { length, _ in String(repeating: "x", count: length) })
    guard !variables.isEmpty, !named.diagnostics.isEmpty else {
      document = named
      return
    }
    // Outside of braces, a variable has definitions, such as fragments.
    document = Document(
      parsing: template.replacingVariables { String(repeating: $1 ? "x" : " ", count: $0) })
  }

  /// The reason why the text cannot be sent as a GraphQL request, or `nil` if it can.
  var problem: String? {
    if let diagnostic = document.diagnostics.first {
      // Omit the parser's message, which may contain a secret.
      let position = document.source.position(at: diagnostic.range.lowerBound)
      return "syntax error at line \(position.line), column \(position.column)"
    }
    guard document.definitions.allSatisfy(\.isExecutable) else { return "it defines types" }
    if document.operations.isEmpty, !variables.isEmpty {
      return "no value for \(variables.map { "{{\($0)}}" }.joined(separator: ", "))"
    }
    return document.operations.isEmpty ? "it has no operation" : nil
  }

  /// The document, and variables that some programs write as JSON after it.
  var parts: (document: String, variables: String) {
    guard let error = document.diagnostics.first else { return (source, "") }
    let bytes = Array(source.utf8)
    // The parser reports the first token after the brace that starts the JSON, because it is not a selection.
    guard let brace = bytes[..<min(bytes.count, error.range.lowerBound + 1)].lastIndex(of: UInt8(ascii: "{")),
      brace > 0
    else { return (source, "") }
    let variables = String(decoding: bytes[brace...], as: UTF8.self)
    guard JSONTemplate.parse(variables)?.kind == .object else { return (source, "") }
    var end = brace
    while end > 0, " \t\r\n".utf8.contains(bytes[end - 1]) { end -= 1 }
    return (String(decoding: bytes[..<end], as: UTF8.self), variables)
  }
}

/// JSON that contains `{{variables}}`, also outside of strings: `{"count": {{count}}}`.
enum JSONTemplate {
  /// The delimiter of strings that replace variables.
  private static let mark = "\u{F8FE}"

  static func parse(_ text: String) -> JSONValue? {
    if let root = try? JSONDocument(parsing: text).root { return root }
    guard text.contains("{{"), !text.contains(mark) else { return nil }
    var place = TemplatePlace.code
    let quoted = ImportTemplate(text).parts.map { part in
      switch part {
      case .text(let text):
        place.advance(over: text)
        return text
      case .variable(let name): return place != .code ? "{{\(name)}}" : "\"\(mark)\(name)\(mark)\""
      }
    }.joined()
    return try? JSONDocument(parsing: quoted).root
  }

  /// Returns the text of JSON from `parse`, with its variables restored.
  static func text(_ json: JSONValue) -> String {
    JSONWriter.pretty(json).replacing("\"\(mark)", with: "{{").replacing("\(mark)\"", with: "}}")
  }
}
