import ApusGraphQLExecution
import ApusGraphQLLanguage
import ApusGraphQLMediaTypes
import ApusJSON

/// The parameters of a GraphQL request from a POST body or a GET query (GraphQL over HTTP).
struct GraphQLParameters {
  /// A request that is not a GraphQL request.
  struct FormatError: Error {
    /// 422 if the method, the content type and the JSON are valid.
    var status: Int
    var message: String
    /// The `code` in the error's extensions.
    var code: String?
  }

  private(set) var query: String
  private(set) var operationName: String?
  private(set) var variables: JSONValue?
  /// The operation's id in single connection mode (GraphQL over SSE).
  private(set) var operationID: String?
  /// The files of a multipart request. A variable of type `Upload` is the index of its file.
  private(set) var files: [UploadedFile] = []
  private(set) var onError: ErrorBehavior

  init(_ request: ServerRequest, _ store: PersistedQueryStore) throws(FormatError) {
    switch request.method {
    case "POST": self = try Self.posted(request, store)
    case "GET", "HEAD": self = try Self.inQuery(request, store)
    default: throw FormatError(status: 405, message: "Use GET or POST.")
    }
  }

  private init(
    query: JSONValue?, operationName: JSONValue?, variables: JSONValue?, extensions: JSONValue?, onError: JSONValue?,
    _ store: PersistedQueryStore
  ) throws(FormatError) {
    func isAbsent(_ value: JSONValue?) -> Bool { value?.isNull ?? true }
    guard isAbsent(operationName) || operationName?.kind == .string else {
      throw .parameters("\"operationName\" must be a string.")
    }
    guard isAbsent(variables) || variables?.kind == .object else {
      throw .parameters("\"variables\" must be an object.")
    }
    guard isAbsent(extensions) || extensions?.kind == .object else {
      throw .parameters("\"extensions\" must be an object.")
    }
    guard let behavior = isAbsent(onError) ? .propagate : onError?.string.flatMap(ErrorBehavior.init) else {
      let names = ErrorBehavior.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
      throw .parameters("\"onError\" must be one of \(names).")
    }
    self.onError = behavior
    guard isAbsent(query) || query?.kind == .string else { throw .parameters("\"query\" must be a string.") }
    if let persisted = extensions?["persistedQuery"] {
      do throws(PersistedQueryStore.LookupError) {
        self.query = try store.document(text: query?.string, extension: persisted)
      } catch {
        throw FormatError(status: 422, message: error.message, code: error.code)
      }
    } else if let text = query?.string {
      self.query = text
    } else {
      throw .parameters("The request has no \"query\".")
    }
    operationID = extensions?["operationId"]?.string
    // Some clients send an empty name for none.
    self.operationName = operationName?.string.flatMap { $0.isEmpty ? nil : $0 }
    self.variables = isAbsent(variables) ? nil : variables
  }

  private static func posted(
    _ request: ServerRequest, _ store: PersistedQueryStore
  ) throws(FormatError) -> GraphQLParameters {
    let range = request.header("Content-Type").map { MediaRange.list(in: $0) }?.first
    let type = range?.type
    if let range, type == "multipart/form-data" { return try uploaded(request, range, store) }
    guard type == "application/json" || type == "application/graphql-response+json" else {
      throw FormatError(
        status: 415, message: "The content type must be application/json, not \(type ?? "left out").")
    }
    let body: JSONValue
    do throws(JSONSyntaxError) {
      body = try JSONDocument(parsing: request.body).root
    } catch {
      throw .badRequest("The body is not valid JSON: \(error.message) (line \(error.line), column \(error.column))")
    }
    return try GraphQLParameters(json: body, store)
  }

  /// Reads a multipart request. Forms on other sites cannot set the required header field, which prevents CSRF.
  private static func uploaded(
    _ request: ServerRequest, _ type: MediaRange, _ store: PersistedQueryStore
  ) throws(FormatError) -> GraphQLParameters {
    guard ["GraphQL-Preflight", "Apollo-Require-Preflight"].contains(where: { request.header($0) != nil }) else {
      throw .badRequest("A multipart request needs the header field GraphQL-Preflight or Apollo-Require-Preflight.")
    }
    guard let boundary = type.parameters.first(where: { $0.name == "boundary" })?.value,
      let form = UploadedForm(request.body, boundary: boundary)
    else { throw .badRequest("The body is not a multipart form with the boundary of its content type.") }
    let (body, files): (JSONValue, [UploadedFile])
    do throws(UploadedForm.FormatError) {
      (body, files) = try form.request()
    } catch {
      throw .badRequest(error.message)
    }
    var parameters = try GraphQLParameters(json: body, store)
    parameters.files = files
    return parameters
  }

  /// Reads the JSON object of a POST body or of a message payload: `{"query": "{ birds { id } }", "variables": {}}`.
  init(json body: JSONValue, _ store: PersistedQueryStore) throws(FormatError) {
    if body.kind == .array { throw .parameters("Batches are not supported: send one request at a time.") }
    guard body.kind == .object else { throw .parameters("The body must be a JSON object.") }
    try self.init(
      query: body["query"], operationName: body["operationName"], variables: body["variables"],
      extensions: body["extensions"], onError: body["onError"], store)
  }

  private static func inQuery(
    _ request: ServerRequest, _ store: PersistedQueryStore
  ) throws(FormatError) -> GraphQLParameters {
    func json(_ name: String) throws(FormatError) -> JSONValue? {
      guard let text = request.query[name], !text.isEmpty else { return nil }
      do throws(JSONSyntaxError) {
        return try JSONDocument(parsing: text).root
      } catch {
        throw .badRequest("\"\(name)\" is not valid JSON: \(error.message)")
      }
    }
    return try GraphQLParameters(
      query: request.query["query"].map { JSONValue($0) },
      operationName: request.query["operationName"].map { JSONValue($0) }, variables: try json("variables"),
      extensions: try json("extensions"), onError: request.query["onError"].map { JSONValue($0) }, store)
  }
}

extension GraphQLParameters.FormatError {
  fileprivate static func badRequest(_ message: String) -> Self { Self(status: 400, message: message) }
  fileprivate static func parameters(_ message: String) -> Self {
    Self(status: 422, message: message)
  }
}
