import ApusClientAPI
import ApusClientFormats
import ApusClientNetwork
import ApusClientOperation
import ApusClientRequestChain
import ApusClientRequests
import ApusExplorerCore
import ApusJSON
import ApusSecrets

/// Exporting requests with every header field that would be sent.
extension LiveEnvironment {
  /// Writes a request with the endpoint's header fields in addition to the tab's. Secret values and values from the
  /// environment or a command become variables named after their field. In `apus query` commands a profile supplies its
  /// own fields.
  func write(_ request: RequestDraft, as form: RequestFormat) -> WrittenRequest {
    var request = request
    let isHere = request.url == endpoint.client.redactedURL
    request.definedNames = isHere ? endpoint.environmentNames : []
    let redactor = Redactor(
      values: secrets, document: request.query.text, references: request.declaredNames)
    request.query = redactor.draft(document: request.query)
    request.variables = redactor.draft(variables: request.variables)
    request.extensions = redactor.draft(variables: request.extensions)
    request.uploads = uploads(of: request)
    if isHere {
      request.url = shared(endpoint.client.transport.endpoint.url, as: "url", &request)
      let typed = Set(request.headers.map { $0.name.lowercased() })
      var fields = endpoint.client.transport.endpoint.headers.fields.filter { !typed.contains($0.name.lowercased()) }
      if form == .apusCommand, let profile = endpoint.profile {
        request.isForProfile = true
        request.url = profile.name
        fields.removeAll { profile.fields.contains($0) }
      }
      request.headers = fields.map { shared($0, isResolved: endpoint.resolvedFields) } + request.headers
      if form == .apusCommand, DraftOperation.type(of: request) == .subscription {
        request.commandOptions = endpoint.subscriptionOptions.map { name, value in
          let isSecret = !value.hasPrefix("@") && redactor.text(value) != value
          let variable = SecretText(parts: [.variable(EnvironmentName.of(field: name))])
          return RequestDraft.Header(name: name, value: isSecret ? variable : SecretText(literal: value))
        }
      }
    }
    if DraftOperation.type(of: request) == .subscription { address(&request, isHere: isHere, form) }
    let hasAccept = request.headers.contains { $0.name.lowercased() == "accept" }
    if form != .apusCommand, !hasAccept {
      request.headers.append(
        .init(name: "Accept", value: SecretText(literal: DraftOperation.type(of: request).acceptedTypes)))
    }
    return RequestExchange.write(request, as: form)
  }

  /// Returns the files that the variables name.
  private func uploads(of request: RequestDraft) -> [RequestDraft.Upload] {
    guard let operation = DraftOperation.node(of: request),
      let variables = try? JSONDocument(parsingRelaxed: request.variables.text).root
    else { return [] }
    return UploadPlaces(of: operation, variables: variables, schema: editors.schema).all.map {
      .init(variablePath: $0.path, path: UploadPlaces.path($0.text))
    }
  }

  /// Directs the copy of a subscription to its URL. Another origin gets no headers; `apus query` leaves them out itself.
  private func address(_ request: inout RequestDraft, isHere: Bool, _ form: RequestFormat) {
    let own = request.options.subscriptionURL
    let isOfEndpoint = own.isEmpty && isHere
    let sent = isOfEndpoint ? endpoint.subscriptions.url ?? "" : own
    guard !sent.isEmpty else { return }
    let written = endpoint.writtenSubscriptionURL.flatMap { $0.contains("{{") && WebURL.isServer($0) ? $0 : nil }
    let url = isOfEndpoint ? written ?? sent : own
    if form == .apusCommand {
      let isOfProfile = endpoint.profile != nil && own.isEmpty
      request.options.subscriptionURL = isOfProfile ? "" : shared(url, as: "subscription url", &request)
      return
    }
    let values = request.options.references.compactMap { reference in reference.value.map { (reference.name, $0) } }
    let filled = TemplateText.filled(sent, .plain, values: Dictionary(values) { first, _ in first })
    if Origin(url: request.url) != Origin(url: WebURL.overHTTP(filled)) { request.headers = [] }
    request.url = WebURL.overHTTP(shared(url, as: "subscription url", &request))
  }

  /// Returns a URL without its user and fragment. Each secret parameter becomes a separate reference, `kind` and the name: the
  /// other URL of the request can have the same one with another value.
  private func shared(_ url: String, as kind: String, _ request: inout RequestDraft) -> String {
    let place = RedactedURL.withoutSecrets(url)
    let rest = url.prefix { $0 != "#" }
    guard let mark = rest.firstIndex(of: "?") else { return place }
    let redactor = Redactor(values: secrets, references: request.declaredNames)
    let fields = rest[mark...].dropFirst().split(separator: "&").map { field -> String in
      let name = field.prefix { $0 != "=" }
      let one = "\(place)?\(field)"
      guard redactor.url(one) != one || field.contains(Redactor.mark) else { return String(field) }
      let reference = Self.unused("\(kind) \(name)", besides: request.declaredNames)
      request.options.references.append(.init(name: reference))
      return "\(name)={{\(reference)}}"
    }
    return fields.isEmpty ? place : "\(place)?\(fields.joined(separator: "&"))"
  }

  /// Returns a name, with a number if it is used.
  private static func unused(_ name: String, besides used: Set<String>) -> String {
    guard used.contains(name) else { return name }
    return (2...).lazy.map { "\(name) \($0)" }.first { !used.contains($0) } ?? name
  }

  private func shared(_ field: HTTPHeaders.Field, isResolved resolved: Set<String>) -> RequestDraft.Header {
    let isSecret = field.isSecret(to: Redactor(values: secrets), resolved)
    let value = isSecret ? SecretText(parts: [.variable(EnvironmentName.of(field: field.name))]) : nil
    return RequestDraft.Header(name: field.name, value: value ?? SecretText(literal: field.value))
  }
}

extension HTTPHeaders.Field {
  /// Whether the value must be hidden, because of the field's name, its own format, or its source.
  func isSecret(to redactor: Redactor, _ resolved: Set<String>) -> Bool {
    resolved.contains(name.lowercased()) || SecretNames.contains(name, in: .header) || redactor.text(value) != value
  }
}
