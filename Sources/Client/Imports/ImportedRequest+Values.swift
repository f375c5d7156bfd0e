import ApusClientRequests
import ApusASCII
import ApusSecrets

/// Filling in the `{{variables}}` of an imported request. The explorer and `apus import` both use it.
extension ImportedRequest {
  /// Returns the URL with values, as an HTTP URL. A URL without a scheme is completed.
  func url(from values: ImportedValues) -> String {
    let url = WebURL.overHTTP(ImportTemplate(draft.url).rendered(from: values))
    return url.isEmpty || url.contains("://") || url.hasPrefix("{{") ? url : "http://\(url)"
  }

  /// Returns the URL of subscriptions with values; empty for that of the endpoint.
  func subscriptionURL(from values: ImportedValues) -> String {
    ImportTemplate(draft.options.subscriptionURL).rendered(from: values)
  }

  /// Returns the headers with values, without those that the client sets itself.
  func headers(from values: ImportedValues) -> [RequestDraft.Header] {
    draft.headers.filter { !RequestDraft.isOfTheBody($0.name) }.map { header in
      var filled = header
      filled.value = UntrustedText(ImportTemplate(header.text).rendered(from: values)).literal
      return filled
    }
  }

  func query(from values: ImportedValues) -> String { ImportTemplate(draft.query.text).rendered(from: values) }

  func variables(from values: ImportedValues) -> String {
    ImportTemplate(draft.variables.text).rendered(from: values, isInJSON: true)
  }

  /// Returns the request with values, ready to be opened, and the names of variables without a value. Secrets are the values
  /// of its references, and are in none of its texts.
  func filled(from values: ImportedValues) -> (request: ImportedRequest, missing: Set<String>) {
    var filled = self
    filled.draft.url = url(from: values)
    filled.draft.options.subscriptionURL = subscriptionURL(from: values)
    filled.draft.headers = headers(from: values)
    filled.draft.query = DraftText(query(from: values))
    filled.draft.variables = DraftText(variables(from: values))
    filled.draft.extensions = DraftText(
      ImportTemplate(draft.extensions.text).rendered(from: values, isInJSON: true))
    for index in filled.draft.headers.indices { filled.draft.headers[index].complete(with: values) }
    let texts =
      [filled.draft.url, filled.draft.options.subscriptionURL, filled.draft.query.text, filled.draft.variables.text]
      + [filled.draft.extensions.text] + filled.draft.headers.map(\.text)
    let missing = Set(texts.flatMap { ImportTemplate($0).variables })
    filled.draft.showLiteralBraces(besides: missing)
    filled.draft.options.references = missing.sorted().map { name in
      let secret = values.secret(name)
      return .init(name: name, value: secret, isSecretOfFile: secret != nil)
    }
    return (filled, missing.filter { values.secret($0) == nil })
  }
}

extension RequestDraft {
  /// Writes the braces that are text in the imported format. Those of a reference's name are escaped.
  fileprivate mutating func showLiteralBraces(besides references: Set<String>) {
    url = LiteralBraces.shown(url, besides: references)
    options.subscriptionURL = LiteralBraces.shown(options.subscriptionURL, besides: references)
    query = DraftText(LiteralBraces.shown(query.text, besides: references))
    variables = DraftText(LiteralBraces.shown(variables.text, besides: references))
    extensions = DraftText(LiteralBraces.shown(extensions.text, besides: references))
    for index in headers.indices {
      let text = LiteralBraces.shown(headers[index].text, besides: references)
      headers[index].value = UntrustedText(text).literal
    }
  }
}

extension RequestDraft.Header {
  /// Reduces the name and value to one line, and encodes `user:password`. Text with a variable without a value is not encoded.
  fileprivate mutating func complete(with values: ImportedValues) {
    name = name.filter { !$0.isNewline }
    var line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
    if isBasic {
      let parts = ImportTemplate(text).parts.map { part in
        switch part {
        case .text(let text): LiteralBraces.shown(text)
        case .variable(let name): values.secret(name)
        }
      }
      let credentials = parts.compactMap(\.self)
      let isComplete = credentials.count == parts.count
      line = "Basic \(isComplete ? Base64.encode(Array(credentials.joined().utf8)) : line)"
    }
    value = UntrustedText(line).literal
    isBasic = false
  }
}
