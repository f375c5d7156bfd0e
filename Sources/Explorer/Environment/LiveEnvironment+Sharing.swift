import ApusClientAPI
import ApusClientNetwork
import ApusClientOperation
import ApusClientRequestChain
import ApusExplorerCore
import ApusSecrets

/// Exporting requests with every header field that would be sent.
extension LiveEnvironment {
  /// Writes a request with the endpoint's header fields in addition to the tab's. Secret values and values from the
  /// environment or a command become variables named after their field. In `apus query` commands a profile supplies its
  /// own fields.
  func write(_ request: PortableRequest, as form: RequestFormat) -> WrittenRequest {
    var request = request
    if request.url == endpoint.client.redactedURL {
      let typed = Set(request.headers.map { $0.name.lowercased() })
      var fields = endpoint.client.transport.endpoint.headers.fields.filter { !typed.contains($0.name.lowercased()) }
      if form == .apusCommand, let profile = endpoint.profile {
        request.url = profile.name
        fields.removeAll { profile.fields.contains($0) }
      }
      request.headers = fields.map { shared($0, isResolved: endpoint.resolvedFields) } + request.headers
    }
    let hasAccept = request.headers.contains { $0.name.lowercased() == "accept" }
    if form != .apusCommand, !hasAccept {
      request.headers.append(
        .init(name: "Accept", value: SecretText(literal: RequestExchange.operationType(of: request).acceptedTypes)))
    }
    return RequestExchange.write(request, as: form)
  }

  private func shared(_ field: HTTPHeaders.Field, isResolved resolved: Set<String>) -> PortableRequest.Header {
    let isSecret = field.isSecret(to: Redactor(values: secrets), resolved)
    let value = isSecret ? SecretText(parts: [.variable(HeaderLine.environmentName(of: field.name))]) : nil
    return PortableRequest.Header(name: field.name, value: value ?? SecretText(literal: field.value))
  }
}

extension HTTPHeaders.Field {
  /// Whether the value must be hidden, because of the field's name, its own format, or its source.
  func isSecret(to redactor: Redactor, _ resolved: Set<String>) -> Bool {
    resolved.contains(name.lowercased()) || SecretNames.contains(name, in: .header) || redactor.text(value) != value
  }
}
