import ApusGraphQLExecution
import ApusGraphQLLanguage
import ApusJSON

/// The parameters of a GraphQL request, out of a POST body or a GET query (GraphQL over HTTP).
struct GraphQLParameters {
  /// A request that is not even a GraphQL request.
  struct Malformed: Error {
    /// The status for clients that know only the older media type.
    var status: Int
    var message: String
    /// Whether method, content type and JSON are right, and the parameters are not.
    var isReadable = false
  }

  var query: String
  var operationName: String?
  var variables: JSONValue?
  var onError: ErrorBehavior

  init(_ request: HTTPRequest) throws(Malformed) {
    switch request.method {
    case "POST": self = try Self.posted(request)
    case "GET", "HEAD": self = try Self.inQuery(request)
    default: throw Malformed(status: 405, message: "Use GET or POST.")
    }
  }

  private init(
    query: JSONValue?, operationName: JSONValue?, variables: JSONValue?, extensions: JSONValue?, onError: JSONValue?
  ) throws(Malformed) {
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
    guard !isAbsent(query) else {
      if extensions?["persistedQuery"] != nil {
        throw Malformed(status: 200, message: "PersistedQueryNotSupported", isReadable: true)
      }
      throw .parameters("The request has no \"query\".")
    }
    guard let text = query?.string else { throw .parameters("\"query\" must be a string.") }
    self.query = text
    // An empty name is what some clients send for none.
    self.operationName = operationName?.string.flatMap { $0.isEmpty ? nil : $0 }
    self.variables = isAbsent(variables) ? nil : variables
  }

  private static func posted(_ request: HTTPRequest) throws(Malformed) -> GraphQLParameters {
    let type = request.header("Content-Type").map { MediaRange.list(in: $0) }?.first?.type
    guard type == "application/json" || type == "application/graphql-response+json" else {
      throw Malformed(
        status: 415, message: "The content type must be application/json, not \(type ?? "left out").")
    }
    let body: JSONValue
    do throws(JSONSyntaxError) {
      body = try JSONDocument(parsing: request.body).root
    } catch {
      throw .badRequest("The body is not valid JSON: \(error.message) (line \(error.line), column \(error.column))")
    }
    return try GraphQLParameters(json: body)
  }

  /// The object that a POST's body is, or the payload of a message.
  init(json body: JSONValue) throws(Malformed) {
    if body.kind == .array { throw .parameters("Batches are not supported: send one request at a time.") }
    guard body.kind == .object else { throw .parameters("The body must be a JSON object.") }
    try self.init(
      query: body["query"], operationName: body["operationName"], variables: body["variables"],
      extensions: body["extensions"], onError: body["onError"])
  }

  private static func inQuery(_ request: HTTPRequest) throws(Malformed) -> GraphQLParameters {
    func json(_ name: String) throws(Malformed) -> JSONValue? {
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
      extensions: try json("extensions"), onError: request.query["onError"].map { JSONValue($0) })
  }
}

extension GraphQLParameters.Malformed {
  fileprivate static func badRequest(_ message: String) -> Self { Self(status: 400, message: message) }
  fileprivate static func parameters(_ message: String) -> Self {
    Self(status: 400, message: message, isReadable: true)
  }
}
