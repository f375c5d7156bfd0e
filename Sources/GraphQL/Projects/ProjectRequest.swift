import ApusConfiguration
import ApusDigest
import ApusSecrets

/// A request that a project's file defines. The code that sends requests creates these; all of them are shown to the user,
/// and each must pass `profile(in:trust:isNamed:environment:)` before it is sent.
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
  /// The purposes of the request, for messages.
  package var purposes: [String]
  package let url: ProjectText
  package var headers: [Header]

  package init(name: String, purpose: String, url: ProjectText, headers: [Header]) {
    self.name = name
    purposes = [purpose]
    self.url = url
    self.headers = headers
  }

  /// Whether naming the endpoint is not sufficient, because the request has headers or variables in its URL.
  package var needsTrust: Bool { url.asksForValues || !headers.isEmpty }

  private var texts: [ProjectText] { [url] + headers.map(\.value) }

  /// The variables whose values the request sends, without repetitions.
  package var variables: [ProjectText.Variable] {
    texts.flatMap(\.variables).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// A digest of the URL, headers and variables with their lengths, so that different requests have different digests.
  package var digest: String {
    let parts =
      [url.source] + headers.flatMap { [$0.name, $0.value.source] } + ["variables"]
      + variables.flatMap { [$0.name, $0.replacement ?? "", $0.replacement == nil ? "required" : "default"] }
    return SHA256Digest.hexadecimal(of: parts.map { "\($0.utf8.count):\($0)\0" }.joined())
  }

  /// The complete URL, headers and variables, one per line.
  package var lines: [String] {
    var lines = [url.source] + headers.map { "\($0.name): \($0.value.source)" }
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
    let text = try allowed(url, in: file, environment)
    let address: String
    do throws(SecretTextError) {
      address = try text.resolved(environment: environment)
    } catch {
      throw .flawed(file: file.path, .malformed(error))
    }
    guard address.hasPrefix("http://") || address.hasPrefix("https://") else {
      throw .url(file: file.path, endpoint: name)
    }
    var profile = Profile(name: name, url: address)
    for header in headers {
      profile.headers.append(
        Profile.Header(name: header.name, value: try allowed(header.value, in: file, environment)))
    }
    return profile
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
  /// The requests in order, with identical ones merged.
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
