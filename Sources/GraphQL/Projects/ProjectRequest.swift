import ApusConfiguration
import ApusDigest
import ApusSecrets

/// A request that a project's file defines. The code that sends requests creates these; all of them are shown to the
/// user, and each must pass `profile(in:trust:isNamed:environment:)` before it is sent.
package struct ProjectRequest: Equatable, Sendable {
  package struct Header: Equatable, Sendable {
    package let name: String
    package let value: ProjectText

    package init(name: String, value: ProjectText) {
      self.name = name
      self.value = value
    }
  }

  /// The name of the endpoint.
  package let name: String
  /// Purposes of the request, for messages.
  package var purposes: [String]
  package let url: ProjectText
  package var headers: [Header]
  /// The URL of subscriptions, if it differs; and the connection payload that is sent to it.
  package var subscriptionURL: ProjectText?
  package var connectionPayload: [Header] = []
  /// The credentials, and the requests that get them.
  package var authentication: ProjectAuthentication?

  package init(name: String, purpose: String, url: ProjectText, headers: [Header]) {
    self.name = name
    purposes = [purpose]
    self.url = url
    self.headers = headers
  }

  /// Whether naming the endpoint is not sufficient, because the request has headers or variables in its URL.
  package var needsTrust: Bool {
    url.asksForValues || subscriptionURL?.asksForValues == true || !headers.isEmpty || !connectionPayload.isEmpty
      || authentication != nil
  }

  private var texts: [ProjectText] {
    var texts = [url] + headers.map(\.value)
    if let subscriptionURL { texts.append(subscriptionURL) }
    return texts + connectionPayload.map(\.value) + (authentication?.texts ?? [])
  }

  /// Variables whose values the request sends, without repetitions.
  package var variables: [ProjectText.Variable] {
    texts.flatMap(\.variables).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// A digest of the URL, headers and variables with their lengths, so that different requests have different digests.
  package var digest: String {
    var parts = [url.source]
    for header in headers { parts += [header.name, header.value.source] }
    if let subscriptionURL { parts += ["subscription", subscriptionURL.source] }
    for member in connectionPayload { parts += ["payload", member.name, member.value.source] }
    if let authentication { parts += ["auth"] + authentication.lines }
    parts.append("variables")
    for variable in variables {
      parts += [variable.name, variable.replacement ?? "", variable.replacement == nil ? "required" : "default"]
    }
    return SHA256Digest.hexadecimal(of: parts.map { "\($0.utf8.count):\($0)\0" }.joined())
  }

  /// The complete URL, headers and variables, one per line: `Authorization: Bearer ${TOKEN}`.
  package var lines: [String] {
    var lines = [url.source] + headers.map { "\($0.name): \($0.value.source)" }
    if let subscriptionURL { lines.append("subscriptions: \(subscriptionURL.source)") }
    lines += connectionPayload.map { "connection payload \($0.name): \($0.value.source)" }
    lines += authentication?.lines ?? []
    let values = variables.map { $0.replacement.map { [$0] } ?? [] }
    if !variables.isEmpty {
      let names = zip(variables, values).map { "\($0.name)\($1.first.map { " (else '\($0)')" } ?? "")" }
      lines.append("with the value of \(names.joined(separator: ", ")) from the environment")
    }
    if let flaw = texts.compactMap(\.flaw).first { lines.append("never sent: \(flaw)") }
    return lines
  }

  /// Returns the endpoint of the request as a profile. Every request of a project's file must pass this check: the user
  /// agreed to exactly this request, or the user named it and it is a plain URL.
  package func profile(
    in file: ProjectFile, trust: FileTrust?, isNamed: Bool, environment: [String: String]
  ) throws(ProjectError) -> Profile {
    if needsTrust || !isNamed {
      guard let trust, trust.isIn(file) else { throw .untrusted(file: file.path) }
      guard trust.allows(self) else { throw .notShown(file: file.path) }
    }
    let (address, hidden) = try resolved(url, in: file, environment)
    guard address.hasPrefix("http://") || address.hasPrefix("https://") else {
      throw .url(file: file.path, endpoint: name)
    }
    var profile = Profile(name: name, url: address)
    profile.resolvedInURL = hidden
    if let subscriptionURL {
      let (address, hidden) = try resolved(subscriptionURL, in: file, environment)
      guard WebURL.isServer(address) else { throw .url(file: file.path, endpoint: name) }
      profile.subscriptionURL = address
      profile.resolvedInURL += hidden
    }
    for member in connectionPayload {
      profile.connectionPayload.append(
        Profile.Header(name: member.name, value: try allowed(member.value, in: file, environment)))
    }
    for header in headers {
      profile.headers.append(
        Profile.Header(name: header.name, value: try allowed(header.value, in: file, environment)))
    }
    if let authentication {
      profile.authentication = try authentication.resolved { (text) throws(ProjectError) in
        try allowed(text, in: file, environment)
      }
      // A profile of the same name has other tokens.
      profile.signInOwner = "\(file.path) \(name)"
    }
    return profile
  }

  /// Returns a URL with the values of its variables, and the values to hide.
  private func resolved(
    _ url: ProjectText, in file: ProjectFile, _ environment: [String: String]
  ) throws(ProjectError) -> (address: String, hidden: [String]) {
    let text = try allowed(url, in: file, environment)
    let address: String
    do throws(SecretTextError) {
      address = try text.resolved(environment: environment)
    } catch {
      throw .flawed(file: file.path, .malformed(error))
    }
    // Messages show the host, so its parts are not hidden.
    let place = RedactedURL.withoutSecrets(address).split(separator: "/", maxSplits: 3).dropFirst().first ?? ""
    return (address, text.variables.compactMap { environment[$0] }.filter { !place.contains($0) })
  }

  private func allowed(
    _ text: ProjectText, in file: ProjectFile, _ environment: [String: String]
  ) throws(ProjectError) -> SecretText {
    do throws(ProjectText.Flaw) {
      return try text.text(environment: environment)
    } catch {
      throw .flawed(file: file.path, error)
    }
  }
}

extension [ProjectRequest] {
  /// Requests in order, with identical ones merged.
  package var merged: [ProjectRequest] {
    reduce(into: []) { merged, request in
      guard let index = merged.firstIndex(where: { $0.digest == request.digest }) else { return merged.append(request) }
      for purpose in request.purposes where !merged[index].purposes.contains(purpose) {
        merged[index].purposes.append(purpose)
      }
    }
  }

  /// The complete, numbered list of requests that is shown to the user.
  package var lines: [String] {
    enumerated().flatMap { index, request in
      ["\(index + 1). For \(request.purposes.joined(separator: ", and for "))"] + request.lines.map { "   \($0)" }
    }
  }
}
