import ApusClientAPI
import ApusClientNetwork
import ApusClientOperation
import ApusClientRequestChain
import ApusGraphQLSchema
import ApusJSON

/// Loads an endpoint's schema, with older introspection queries if the server does not support the newest.
///
/// 1. The newest query is sent first.
/// 2. If the server names unknown fields, they are omitted; otherwise the query of an older edition follows.
/// 3. If the response shows that the server supports more than was requested, another query requests it.
/// 4. If introspection is rejected or every query fails, the reason is returned.
package struct SchemaLoader: Sendable {
  package enum Outcome: Sendable {
    /// `note` describes features missing in the server's introspection, if any were omitted.
    case loaded(Schema, note: String?)
    case unavailable(any Error)
  }

  private let client: GraphQLClient
  private let headers: HTTPHeaders

  /// - Parameter headers: Header fields for each query, in addition to the client's.
  package init(client: GraphQLClient, headers: HTTPHeaders = HTTPHeaders()) {
    self.client = client
    self.headers = headers
  }

  package func load() async -> Outcome {
    var options = IntrospectionOptions.newest
    var requested: Set<IntrospectionOptions> = []
    while true {
      requested.insert(options)
      let refusal: Refusal
      do {
        switch try await ask(options) {
        case .answered(let json):
          let schema = try Schema.load(introspection: json)
          return .loaded(try await fuller(json, options) ?? schema, note: notice(options))
        case .refused(let reason): refusal = reason
        }
      } catch let error as IntrospectionError {
        return .unavailable(
          GraphQLClientError.introspectionRefused(url: redactedURL, reason: "its response cannot be used: \(error)"))
      } catch {
        return .unavailable(error)
      }
      guard !refusal.isFinal, let next = older(than: options, refusal.messages), !requested.contains(next) else {
        return .unavailable(refusal.error(at: redactedURL))
      }
      options = next
    }
  }

  private var redactedURL: String { client.transport.endpoint.redactedURL }

  // MARK: Requests

  private enum Response {
    case answered(JSONValue)
    case refused(Refusal)
  }

  /// The errors that the server returned instead of its schema.
  private struct Refusal {
    var messages: [String]
    var status: GraphQLClientError?

    /// Whether another query would be rejected too.
    var isFinal: Bool {
      if case .status(let failure)? = status, [401, 403, 404, 405, 406, 429].contains(failure.code) { return true }
      return messages.contains { message in
        let message = message.lowercased()
        return message.contains("introspection")
          && ["disable", "not allow", "not permit", "not enabled", "forbid", "unauthor", "turned off", "off in"]
            .contains { message.contains($0) }
      }
    }

    func error(at url: String) -> GraphQLClientError {
      status ?? .introspectionRefused(url: url, reason: messages.first ?? "its response has no schema")
    }
  }

  private func ask(_ options: IntrospectionOptions) async throws -> Response {
    let operation = DynamicOperation(
      compiled: CompiledOperation(
        operationType: .query, name: "IntrospectionQuery",
        documentText: Schema.introspectionQuery(options: options),
        selections: CompiledSelectionSet(parentType: nil, selections: []), hasIncremental: false))
    var request = RequestOptions(cachePolicy: .networkOnly, cacheWrites: .never, incremental: .off)
    request.maximumRetries = 0
    request.headers = headers
    let monitor = RequestMonitor(keepsParts: false)
    request.monitor = monitor
    var last: GraphQLResult<JSONValue>?
    do {
      for try await result in client.fetch(query: operation, options: request) { last = result }
    } catch let error as GraphQLClientError {
      guard case .status(let failure) = error else { throw error }
      return .refused(Refusal(messages: [failure.excerpt], status: error))
    }
    // The stream of a canceled task ends without an error.
    try Task.checkCancellation()
    if let data = last?.data, data["__schema"]?.kind == .object { return .answered(data) }
    let messages = last?.errors.map(\.message) ?? []
    let head = monitor.facts.head.flatMap { $0.isSuccess ? nil : $0 }
    return .refused(
      Refusal(
        messages: messages,
        status: head.map { .status(HTTPStatusError($0, excerpt: messages.joined(separator: "; "))) }))
  }

  /// Returns the schema from a query with the additional features that this response reveals. `nil` if there are none
  /// or that query fails; the schema is usable without them.
  private func fuller(_ answer: JSONValue, _ options: IntrospectionOptions) async throws -> Schema? {
    let type = answer["__schema"]?["types"]?.elements.first { $0["name"]?.string == "__Directive" }
    guard type?["fields"]?.elements.contains(where: { $0["name"]?.string == "isDeprecated" }) ?? false else {
      return nil
    }
    var options = options
    options.directiveDeprecation = true
    guard case .answered(let more)? = try? await ask(options) else {
      try Task.checkCancellation()
      return nil
    }
    return try? Schema.load(introspection: more)
  }

  // MARK: Older queries

  /// Returns the query without the unknown fields in the messages, or the query of the next older edition.
  private func older(than options: IntrospectionOptions, _ messages: [String]) -> IntrospectionOptions? {
    var next = options
    for message in messages {
      if message.contains("isOneOf") { next.oneOf = false }
      if message.contains("specifiedBy") { next.specifiedBy = false }
      if message.contains("isRepeatable") { next.repeatable = false }
      if message.contains("includeDeprecated") || message.contains("isDeprecated")
        || message.contains("deprecationReason") || message.contains("__InputValue")
      {
        next.inputDeprecation = false
      }
      if message.contains("description"), message.contains("__Schema") { next.schemaDescription = false }
    }
    if next != options { return next }
    if options.oneOf || options.inputDeprecation { return without(options, .october2021) }
    if options != without(options, .oldest) { return without(options, .oldest) }
    return nil
  }

  /// Returns the options that both have.
  private func without(_ options: IntrospectionOptions, _ edition: IntrospectionOptions) -> IntrospectionOptions {
    IntrospectionOptions(
      specifiedBy: options.specifiedBy && edition.specifiedBy, repeatable: options.repeatable && edition.repeatable,
      inputDeprecation: options.inputDeprecation && edition.inputDeprecation, oneOf: options.oneOf && edition.oneOf,
      directiveDeprecation: false, descriptions: options.descriptions && edition.descriptions,
      schemaDescription: options.schemaDescription && edition.schemaDescription)
  }

  private func notice(_ options: IntrospectionOptions) -> String? {
    let missing = [
      (options.oneOf, "isOneOf"), (options.inputDeprecation, "deprecated arguments"),
      (options.specifiedBy, "specifiedByURL"), (options.repeatable, "isRepeatable"),
      (options.schemaDescription, "the schema's description"),
    ].filter { !$0.0 }.map(\.1)
    return missing.isEmpty ? nil : "the server's introspection does not support \(missing.joined(separator: ", "))"
  }
}
