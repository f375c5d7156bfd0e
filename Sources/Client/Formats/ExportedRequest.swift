import ApusASCII
import ApusClientNetwork
import ApusClientRequestChain
import ApusClientRequests
import ApusDigest
import ApusGraphQLLanguage
import ApusJSON
import ApusSecrets

/// A request for other programs, in which environment variables replace the references.
///
/// A literal in the document becomes a GraphQL variable, so that a shell or an HTTP client can insert its value as
/// JSON.
struct ExportedRequest {
  let draft: RequestDraft
  private(set) var query = ""
  private(set) var variables = ""
  private(set) var extensions = ""
  /// The GraphQL variables that replace literals of the document, with their environment variables.
  private(set) var added: [(variable: String, name: String)] = []
  /// The URL, in which environment variables replace the references of an import.
  private(set) var url = ""
  /// The URL of subscriptions for an `apus` command.
  private(set) var subscriptionURL = ""
  /// The headers of the draft; `apus query` adds the others itself.
  private(set) var headersOfCommand: [RequestDraft.Header] = []
  /// Environment variables, in the order of the texts.
  private(set) var names: [String] = []
  /// The environment variables of the references.
  private var namesOfReferences: [Reference: String] = [:]
  /// Environment variables in the headers as the user typed them.
  private let reserved: Set<String>
  /// Types of variables whose values are numbers or Booleans.
  private var scalars: Set<String> = []
  /// Characters around the name of an environment variable: inside a string, and in place of a whole string.
  private let mark: Character
  private let markOfValue: Character

  /// A reference in texts in which its value has the same form: the user escapes it for JSON, and in a document once more.
  private struct Reference: Hashable {
    enum Place: String { case text, json, document }

    let name: String
    let place: Place
  }

  init(_ draft: RequestDraft) {
    self.draft = draft
    reserved = Set((draft.headers + draft.commandOptions).flatMap(\.value.variables))
    mark = DraftText.unusedCharacter(in: draft.query.text + draft.variables.text + draft.extensions.text)
    markOfValue = DraftText.unusedCharacter(
      in: draft.query.text + draft.variables.text + draft.extensions.text + String(mark))
    if let extracted = SecretVariables(draft.query) {
      query = extracted.document
      scalars = Set(extracted.variables.filter { $0.type != "String!" }.map(\.name))
      added = extracted.variables.map { ($0.name, name(for: [$0.name])) }
    } else {
      // A document with a syntax error cannot have new variables.
      query = filled(draft.query, draft.query.documentSecrets, isJSON: false)
    }
    let secrets = draft.variables.memberSecrets
    if !secrets.isEmpty { scalars.formUnion(Self.scalarVariables(of: draft.query.parsable)) }
    variables = filled(draft.variables, secrets)
    extensions = filled(draft.extensions, draft.extensions.memberSecrets)
    nameReferences()
    query = withReferences(query, own, .document)
    variables = withReferences(variables, ownOrDefined, .json)
    extensions = withReferences(extensions, ownOrDefined, .json)
    url = withReferences(draft.url, ownOrDefined, .text)
    subscriptionURL = withReferences(draft.options.subscriptionURL, ownOrDefined, .text)
    headersOfCommand = draft.headers.map { header in
      var header = header
      header.value = withReferences(header.value)
      return header
    }
  }

  // MARK: References

  /// The names that an import declared.
  private var own: Set<String> { draft.options.referenceNames }
  /// The names that are references in variables, extensions and headers.
  private var ownOrDefined: Set<String> { own.union(draft.definedNames) }

  private mutating func nameReferences() {
    let (own, all) = (own, ownOrDefined)
    guard !all.isEmpty else { return }
    // Plain text comes first, so that its variables have the names of the references.
    name(TemplateText.names(in: draft.url, isReference: all.contains), .text)
    name(draft.headers.flatMap { $0.value.referenceNames(isReference: all.contains) }, .text)
    name(TemplateText.names(in: draft.options.subscriptionURL, isReference: all.contains), .text)
    name([variables, extensions].flatMap { TemplateText.names(in: $0, isReference: all.contains) }, .json)
    name(TemplateText.names(in: query, isReference: own.contains), .document)
  }

  private mutating func name(_ references: [String], _ place: Reference.Place) {
    for name in references where own.contains(name) || !draft.isForProfile {
      let reference = Reference(name: name, place: place)
      guard namesOfReferences[reference] == nil else { continue }
      let isFirst = !namesOfReferences.keys.contains { $0.name == name }
      namesOfReferences[reference] = self.name(for: isFirst ? [name] : [name, place.rawValue])
    }
  }

  /// Returns a text with marks in place of its references. In a document and a URL, they are part of a string for the target.
  private func withReferences(_ text: String, _ references: Set<String>, _ place: Reference.Place) -> String {
    let isForProfile = draft.isForProfile && place == .json
    return TemplateText.replacing(in: text, escapesBraces: isForProfile, isReference: references.contains) {
      reference, position, _ in
      guard let name = namesOfReferences[Reference(name: reference, place: place)] else { return "{{\(reference)}}" }
      let isPart = position != .code || place != .json
      return isPart ? "\(mark)\(name)\(mark)" : "\"\(markOfValue)\(name)\(markOfValue)\""
    }
  }

  /// Returns the environment variable for a value that a command takes as any text: that of the same reference in headers and
  /// URLs, if there is one.
  func nameOfText(_ name: String) -> String {
    guard let reference = namesOfReferences.first(where: { $0.value == name })?.key else { return name }
    return namesOfReferences[Reference(name: reference.name, place: .text)] ?? name
  }

  private func withReferences(_ value: SecretText) -> SecretText {
    guard value.source.contains("{{") else { return value }
    return SecretText(
      parts: value.parts.flatMap { part -> [SecretText.Part] in
        switch part {
        case .variable, .command: return [part]
        case .text(let text):
          return TemplateText.parts(of: text, isReference: ownOrDefined.contains).map { piece in
            switch piece {
            case .text(let text): .text(draft.isForProfile ? TemplateText.escaped(text) : text)
            case .reference(let name):
              namesOfReferences[Reference(name: name, place: .text)].map { .variable($0) } ?? .text("{{\(name)}}")
            }
          }
        }
      })
  }

  /// Whether the operation is a subscription.
  var isSubscription: Bool { DraftOperation.type(of: draft) == .subscription }

  private static func scalarVariables(of query: String) -> [String] {
    Document(parsing: query).operations.flatMap(\.variableDefinitions).filter {
      ["Int", "Float", "Boolean"].contains("\($0.type)".filter { $0 != "!" })
    }.map { $0.variable.name.value }
  }

  private mutating func name(for path: [String]) -> String {
    let base = EnvironmentName.of(path: path)
    var name = base
    var number = 2
    while names.contains(name) || reserved.contains(name) {
      name = "\(base)_\(number)"
      number += 1
    }
    names.append(name)
    return name
  }

  /// Returns a text with the names of environment variables in place of its references. Comments keep their marks.
  private mutating func filled(_ text: DraftText, _ secrets: [SecretReference], isJSON: Bool = true) -> String {
    var places: [Range<Int>: String] = [:]
    for secret in secrets where !secret.isInComment {
      let isUnquoted = isJSON && secret.isUnquoted
      let isScalar = isUnquoted || secret.path.count == 1 && scalars.contains(secret.path[0])
      let mark = isScalar ? markOfValue : mark
      let value = "\(mark)\(name(for: secret.path))\(mark)"
      places[secret.range] = isUnquoted ? "\"\(value)\"" : value
    }
    return text.replacingReferences { places[$0] ?? Redactor.mark }
  }

  /// The JSON body of the request.
  var body: JSONValue {
    var members: [(String, JSONValue)] = [("query", JSONValue(query))]
    let given = try? JSONDocument(parsingRelaxed: variables).root
    if given != nil || !added.isEmpty || !draft.uploads.isEmpty {
      let values = added.map { variable, name in
        let mark = scalars.contains(variable) ? markOfValue : mark
        return (variable, JSONValue("\(mark)\(name)\(mark)"))
      }
      let isObject = given == nil || given?.kind == .object
      let existing = given?.kind == .object ? given?.members.map { ($0.key, $0.value) } ?? [] : []
      let whole = isObject ? JSONValue.object(existing + values) : given ?? .null
      let places = draft.uploads.map(\.variablePath)
      members.append(("variables", MultipartRequestBody.placingNulls(in: whole, at: places)))
    }
    if let onError = draft.options.onError { members.append(("onError", JSONValue(onError.rawValue))) }
    if let operationName = draft.operationName { members.append(("operationName", JSONValue(operationName))) }
    var values = (try? JSONDocument(parsing: extensions).root)?.members.map { ($0.key, $0.value) } ?? []
    if draft.options.usesPersistedQueries {
      let digest = JSONValue(SHA256Digest.hexadecimal(of: query))
      values.append(("persistedQuery", .object([("version", 1), ("sha256Hash", digest)])))
    }
    if !values.isEmpty { members.append(("extensions", .object(values))) }
    return .object(members)
  }

  /// The longest URL that common servers and proxies accept.
  private static let longestURL = 8000

  /// Parameters of the URL and the whole URL, if the request is sent by GET. The text of a persisted query and one
  /// whose URL would be too long are sent by POST.
  var parametersOfGET: (fields: [(name: String, value: String)], url: String)? {
    guard draft.options.usesGET, !draft.options.usesPersistedQueries, draft.uploads.isEmpty else { return nil }
    let fields = body.members.map { (name: $0.key, value: $0.value.string ?? JSONWriter.compact($0.value)) }
    let base = url.prefix { $0 != "#" }
    let query = fields.map { "\($0.name)=\(PercentEncoding.encoded($0.value))" }.joined(separator: "&")
    let requestURL = "\(base)\(base.contains("?") ? "&" : "?")\(query)"
    return requestURL.utf8.count <= Self.longestURL ? (fields, requestURL) : nil
  }

  /// Variables of the operation whose whole value is an environment variable, and the other members of the variables;
  /// `nil` if the variables are not an object.
  var splitVariables: (whole: [(variable: String, name: String)], rest: [(key: String, value: JSONValue)])? {
    guard let given = try? JSONDocument(parsingRelaxed: variables).root, given.kind == .object else { return nil }
    var whole: [(variable: String, name: String)] = []
    var rest: [(key: String, value: JSONValue)] = []
    for (key, value) in given.members {
      if let name = names.first(where: { value.string == "\(mark)\($0)\(mark)" && isWhole($0, in: given) }) {
        whole.append((key, name))
      } else {
        rest.append((key, value))
      }
    }
    return (whole, rest)
  }

  /// Whether an environment variable is nowhere a part of JSON text, in which its value has escapes.
  private func isWhole(_ name: String, in variables: JSONValue) -> Bool {
    let parts = variables.members.map(\.value).filter { $0.string != "\(mark)\(name)\(mark)" }
    return !contains(name, in: [query, extensions] + parts.map { JSONWriter.compact($0) })
  }

  private func contains(_ name: String, in texts: [String]) -> Bool {
    texts.contains { text in [mark, markOfValue].contains { text.contains("\($0)\(name)\($0)") } }
  }

  /// Environment variables that a curl command and an HTTP file insert into JSON text, so that their values must be escaped.
  var namesInJSON: [String] {
    names.filter { name in
      added.contains { $0.name == name } || contains(name, in: [query, variables, extensions])
    }
  }

  /// Environment variables that are part of the document, which a curl command and an HTTP file have as a string of JSON.
  var namesInDocument: [String] { names.filter { contains($0, in: [query]) } }

  /// Environment variables that an `apus` command inserts into JSON text.
  var namesInJSONOfCommand: [String] {
    let whole = added.map(\.name) + (splitVariables?.whole.map(\.name) ?? [])
    return namesInJSON.filter { !whole.contains($0) }
  }

  /// Environment variables of an `apus` command, in which a variable that is only a reference has the value of the same
  /// reference in headers.
  var namesOfCommand: [String] {
    let whole = splitVariables?.whole.map(\.name) ?? []
    return names.filter { !whole.contains($0) || nameOfText($0) == $0 }
  }

  /// The headers for other programs, with those that servers with protection against cross-site requests require of a GET and
  /// of a multipart form; the client adds the same.
  var headers: [RequestDraft.Header] {
    guard parametersOfGET != nil || !draft.uploads.isEmpty else { return headersOfCommand }
    let names = Set(headersOfCommand.map { $0.name.lowercased() })
    let added = HTTPRequest.preflightHeaders.filter { !names.contains($0.name.lowercased()) }
    return headersOfCommand + added.map { .init(name: $0.name, value: SecretText(literal: $0.value)) }
  }

  // MARK: Environment variables in text

  /// Returns the expansion of a variable, which ends the shell's command if the variable is not set.
  static func reference(to name: String) -> String { "${\(name):?}" }

  /// Returns text as a word of a shell, which inserts the environment variables.
  func shellWord(_ text: String) -> String {
    guard !names.isEmpty else { return ShellWords.quoted(text) }
    return replacingNames(in: ShellWords.quoted(text)) { "'\"\(Self.reference(to: $0))\"'" }
  }

  /// Returns the end of a command whose standard input is a line with environment variables; empty if it has none.
  func hereDocument(_ text: String) -> String {
    let escaped = text.unicodeScalars.reduce(into: "") { result, scalar in
      if "\\$`".unicodeScalars.contains(scalar) { result.append("\\") }
      result.unicodeScalars.append(scalar)
    }
    let filled = replacingNames(in: escaped) { Self.reference(to: $0) }
    return filled == escaped ? "" : " <<EOF\n\(filled)\nEOF"
  }

  /// Returns text of an HTTP file, where a variable is `{{NAME}}` and other double braces are escaped: `\{{`.
  func templateText(_ text: String, isInURL: Bool = false) -> String {
    replacingNames(in: TemplateText.escaped(text), isEncoded: isInURL) { "{{\($0)}}" }
  }

  private func replacingNames(in text: String, isEncoded: Bool = false, with replacement: (String) -> String) -> String
  {
    var result = text
    for name in names {
      for written in ["\"\(markOfValue)\(name)\(markOfValue)\"", "\(mark)\(name)\(mark)"] {
        result = result.replacing(written, with: replacement(name))
        if isEncoded { result = result.replacing(PercentEncoding.encoded(written), with: replacement(name)) }
      }
    }
    return result
  }
}
