import ApusClientImports
import ApusGraphQLMediaTypes
import ApusJSON

/// The parameters of an operation that an application sends (GraphQL over HTTP, section "Request Parameters").
package struct OperationParameters: Sendable, Hashable {
  /// The document; `nil` if only its hash or id was sent.
  package var query: String?
  package var operationName: String?
  /// The variables, an object.
  package var variables: JSONValue
  /// The hash or id of a persisted document.
  package var documentID: String?

  /// The members with the id of a persisted document: of the draft of GraphQL over HTTP, of Relay, and of other clients.
  private static let idMembers = ["documentId", "doc_id", "document_id", "queryId"]

  /// Creates the parameters of a JSON object; `nil` if it is not a GraphQL request.
  package init?(_ json: JSONValue) {
    guard json.kind == .object else { return nil }
    let text = json["query"]?.string
    let hash = json["extensions"]?["persistedQuery"]?["sha256Hash"]?.string
    // An object with an id alone may be any request.
    let id = json["variables"]?.kind == .object ? json["id"]?.string : nil
    documentID = hash ?? Self.idMembers.lazy.compactMap { json[$0]?.string }.first ?? (text == nil ? id : nil)
    // A query of another kind, as that of a search, has no selection set.
    guard text?.contains("{") == true || text?.isEmpty != false && documentID != nil else { return nil }
    query = text?.isEmpty == true ? nil : text
    operationName = json["operationName"]?.string.flatMap { $0.isEmpty ? nil : $0 }
    variables = Self.object(json["variables"])
  }

  /// Creates the parameters of a document without a JSON object around it.
  package init?(document: String) {
    guard document.contains("{") else { return nil }
    (query, variables) = (document, .object([]))
  }

  /// Creates the parameters in the query of a URL or in a form.
  init?(fields text: Substring) {
    let fields = URLQuery.fields(text)
    let members = fields.compactMap { field -> (String, JSONValue)? in
      switch field.name {
      case "variables", "extensions":
        guard let value = try? JSONDocument(parsing: field.value).root else { return nil }
        return (field.name, value)
      default: return (field.name, JSONValue(field.value))
      }
    }
    self.init(.object(members))
  }

  /// Returns the variables as an object. Some clients send them as a string with JSON.
  private static func object(_ value: JSONValue?) -> JSONValue {
    let parsed = value?.string.flatMap { try? JSONDocument(parsing: $0).root } ?? value
    return parsed?.kind == .object ? parsed ?? .object([]) : .object([])
  }
}

/// The GraphQL operations in an HTTP request.
///
/// | request | content |
/// |---|---|
/// | GET or HEAD with a document, hash or id in the query of the URL | its operation |
/// | JSON object with a document, hash or id | its operation |
/// | JSON array of such objects | a batch |
/// | `application/graphql` | the body is the document |
/// | `multipart/form-data` with `operations` (GraphQL multipart request specification) | as in the JSON of `operations` |
/// | `application/x-www-form-urlencoded` with the same fields as in a URL | its operation |
/// | any other | none |
package struct RequestContent: Sendable, Equatable {
  /// The operations, in the order of a batch.
  package let operations: [OperationParameters]
  /// Whether the response is an array with a result for each operation.
  package let isBatch: Bool

  package init(method: String, target: String, contentType: String?, body: [UInt8]) {
    let type = MediaType(parsing: contentType ?? "")
    let fields = target.firstIndex(of: "?").map { target[target.index(after: $0)...] }
    var found: [OperationParameters?] = []
    var isBatch = false
    switch type.name {
    case _ where method == "OPTIONS": found = [nil]
    case _ where method == "GET" || method == "HEAD" || body.isEmpty:
      found = [fields.flatMap { OperationParameters(fields: $0) }]
    case "application/graphql": found = [OperationParameters(document: String(decoding: body, as: UTF8.self))]
    case "application/x-www-form-urlencoded":
      found = [OperationParameters(fields: String(decoding: body, as: UTF8.self)[...])]
    default:
      let bytes = type.name == "multipart/form-data" ? Self.operationsPart(body, boundary: type.boundary) : body
      let json = bytes.flatMap { try? JSONDocument(parsing: $0).root }
      isBatch = json?.kind == .array
      found =
        isBatch ? json?.elements.map { OperationParameters($0) } ?? [] : [json.flatMap { OperationParameters($0) }]
    }
    // Every element of a batch is an operation, or it is another kind of array.
    operations = found.contains { $0 == nil } ? [] : found.compactMap(\.self)
    self.isBatch = isBatch
  }

  /// Returns the part `operations` of a form, which comes before the files.
  private static func operationsPart(_ body: [UInt8], boundary: String) -> [UInt8]? {
    let (delimiter, endOfHead) = (Array("--\(boundary)".utf8), Array("\r\n\r\n".utf8))
    var rest = body[...]
    while let start = rest.firstRange(of: delimiter)?.upperBound,
      let head = rest[start...].firstRange(of: endOfHead)
    {
      let content = rest[head.upperBound...]
      guard let end = content.firstRange(of: Array("\r\n".utf8) + delimiter)?.lowerBound else { return nil }
      let fields = String(decoding: rest[start..<head.lowerBound], as: UTF8.self).lowercased()
      if fields.contains("name=\"operations\"") || fields.contains("name=operations") { return Array(content[..<end]) }
      rest = rest[end...].dropFirst(2)
    }
    return nil
  }
}
