import ApusClientRequests
import ApusExplorerCore
import ApusSecrets

/// The `{{names}}` of a request, before it is sent (`Docs/Development/References.md`).
extension LiveEnvironment {
  /// The values of a request's references.
  struct ReferenceValues {
    /// Values that the user entered for the references of an import.
    var own: [String: String] = [:]
    /// Values of the profile's environment.
    var defined: [String: String] = [:]

    var all: [String: String] { defined.merging(own) { $1 } }
  }

  /// Returns the values of all references of a request. Those of the environment, and those with the name of a credential, are
  /// registered as secrets. A reference without a value is refused,
  /// so that its name is never sent in its place.
  func referenceValues(
    of draft: RequestDraft, _ headers: TabHeaders, at endpoint: Endpoint
  ) async throws(RunError) -> ReferenceValues {
    var values = ReferenceValues()
    guard endpoint.replay == nil else { return values }
    let own = draft.options.referenceNames
    let inHeaders = headers.flatMap { line in
      line.text?.referenceNames { own.contains($0) || endpoint.environmentNames.contains($0) } ?? []
    }
    for name in draft.referenceNames(defined: endpoint.environmentNames) + inHeaders where values.all[name] == nil {
      if let reference = draft.options.references.first(where: { $0.name == name }), let value = reference.value {
        values.own[name] = value
        secrets.add(header: name, value, isLive: reference.source == .secretOfFile)
      } else if endpoint.environmentNames.contains(name) {
        do {
          let value = try await endpoint.environmentValue(name)
          secrets.add(header: name, value, isLive: true)
          if own.contains(name) { values.own[name] = value } else { values.defined[name] = value }
        } catch {
          throw RunError(.variables, "Nothing was sent: {{\(name)}}: \(error)")
        }
      } else {
        throw RunError(
          .variables,
          "Nothing was sent: {{\(name)}} has no value; enter it in the request options, or define it in the environment "
            + "of a profile")
      }
    }
    // A part of a secret header is a secret too.
    for line in headers {
      for name in line.text?.referenceNames(isReference: { values.all[$0] != nil }) ?? [] {
        if let value = values.all[name] { secrets.add(header: line.name, value, isLive: false) }
      }
    }
    let url = TemplateText.filled(draft.options.importedURL, .plain, values: values.all)
    guard url.isEmpty || NormalizedURL.of(url) == NormalizedURL.of(endpoint.client.redactedURL) else {
      throw RunError(
        .document,
        "Nothing was sent: the imported request is for \(RedactedURL.withoutSecrets(draft.options.importedURL)); "
          + "choose its endpoint (Alt-s)")
    }
    return values
  }
}

extension RunRequest {
  /// Writes the values in place of the references, and moves the cursor along.
  mutating func fill(_ values: LiveEnvironment.ReferenceValues) {
    let typed = draft.query.text
    draft = draft.filled(own: values.own, defined: values.defined)
    guard draft.query.text != typed else { return }
    let before = String(decoding: typed.utf8.prefix(offset), as: UTF8.self)
    offset = TemplateText.filled(before, .json, values: values.own).utf8.count
  }
}
