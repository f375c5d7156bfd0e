import ApusClientNetwork
import ApusClientRequestChain
import ApusClientRequests
import ApusClientSubscriptions
import ApusConfiguration
import ApusJSON
import ApusPlatform
import ApusSecrets

/// The options of the command line or a profile for subscriptions and uploads.
enum TransportOptions {
  /// Returns the options for subscriptions: those of the command line, else those of the profile.
  static func subscriptions(
    _ arguments: ParsedArguments, profile: Profile? = nil, _ credentials: RenewableHeaders? = nil,
    secrets: SecretValues
  ) throws(CommandError) -> SubscriptionOptions {
    var options = try subscriptions(of: profile, credentials, arguments, secrets: secrets)
    if let name = arguments.value("subscription-transport") {
      options.transport = SubscriptionOptions.Transport(rawValue: name) ?? .automatic
    }
    if let text = arguments.value("subscription-url") {
      let url = try filled(text, of: "--subscription-url", profile, arguments, secrets)
      options.url = try subscriptionURL(url, arguments)
      secrets.add(url: url)
    }
    if let attempts = try arguments.count("max-reconnects") { options.reconnection.maximumAttempts = attempts }
    guard let text = arguments.value("connection-payload") else { return options }
    let command = arguments.command.name
    let payload = try JSONArgument.read(text, option: "connection-payload", command: command)
    Self.add(payload, to: secrets)
    // The file is read for each connection, so that a refreshed token is used.
    let isFile = text.hasPrefix("@")
    options.connectionPayload = {
      guard isFile else { return payload }
      let payload = try JSONArgument.read(text, option: "connection-payload", command: command)
      Self.add(payload, to: secrets)
      return payload
    }
    return options
  }

  /// Returns a URL with the values of its references. A name in its host that has no value is an error.
  private static func filled(
    _ url: String, of place: String, _ profile: Profile?, _ arguments: ParsedArguments, _ secrets: SecretValues
  ) throws(CommandError) -> String {
    let url = try ProfileReferences.filled(url, .plain, profile, arguments, secrets)
    guard let name = TemplateText.openName(inHostOf: url) else { return url }
    throw .usage(
      "\(place): {{\(name)}} has no value; define it in the environment of a profile", command: arguments.command.name)
  }

  /// Returns the URL of `--subscription-url`, completed if it has no scheme.
  private static func subscriptionURL(_ text: String, _ arguments: ParsedArguments) throws(CommandError) -> String {
    let url = text.contains("://") ? text : EndpointArgument.url(text) ?? text
    guard WebURL.isServer(url) else {
      throw .usage(
        "--subscription-url takes a URL that begins with https://, http://, wss:// or ws://",
        command: arguments.command.name)
    }
    return url
  }

  /// Reports that the headers of an endpoint are not sent to the URL of subscriptions, because it has another origin.
  static func narrateHeaders(of endpoint: HTTPRequest, _ options: SubscriptionOptions) {
    guard let url = options.url, !endpoint.headers.fields.isEmpty, !endpoint.hasOrigin(of: url) else { return }
    StandardStreams.narrate(
      "apus: the headers belong to \(endpoint.redactedURL) and are not sent to \(RedactedURL.withoutSecrets(url)), "
        + "which is another origin; pass its credentials with --connection-payload")
  }

  /// Records the secrets of a connection payload, whose members are named like headers or like variables.
  private static func add(_ payload: JSONValue, to secrets: SecretValues) {
    secrets.add(variables: payload)
    for (name, value) in payload.members {
      if let text = value.string { secrets.add(header: name, text, isLive: false) }
    }
  }

  /// Returns the options for subscriptions of a profile, without those of the command line, which are for another
  /// endpoint.
  static func subscriptions(
    of profile: Profile?, _ credentials: RenewableHeaders?, _ arguments: ParsedArguments, secrets: SecretValues
  ) throws(CommandError) -> SubscriptionOptions {
    var options = SubscriptionOptions()
    guard let profile else { return options }
    let environment = arguments.environment
    options.transport = profile.subscriptionTransport.flatMap(SubscriptionOptions.Transport.init) ?? .automatic
    if let url = profile.subscriptionURL {
      options.url = try filled(url, of: "subscription-url of '\(profile.name)'", profile, arguments, secrets)
    }
    if let url = options.url { secrets.add(url: url) }
    let members = profile.connectionPayload
    if !members.isEmpty {
      options.connectionPayload = {
        .object(
          try members.map { member in
            let value = try profile.resolved(member.value, process: environment)
            secrets.add(header: member.name, value, isLive: member.value.isLive)
            return (member.name, JSONValue(value))
          })
      }
    }
    guard let authentication = profile.authentication else { return options }
    // A tab or an imported file may name any URL.
    let origins = [profile.url, options.url].compactMap { $0.flatMap { Origin(url: WebURL.overHTTP($0)) } }
    options.payloadCredentials = { url in
      guard let origin = Origin(url: url), origins.contains(origin) else { return nil }
      if authentication.isSignIn {
        return try await credentials?.signInField().map { (name: $0.name, value: $0.value) }
      }
      let value = try await CommandOutput.beside { run in
        try profile.authenticationValue(process: environment, run: run) ?? ""
      }
      secrets.add(header: authentication.header, value, isLive: true)
      return (name: authentication.header, value: value)
    }
    return options
  }

  /// Parses the `VARIABLE.PATH=FILE` values of `--upload`: `photo=owl.jpg`, `input.photos.0=owl.jpg`.
  static func files(_ arguments: ParsedArguments) throws(CommandError) -> [GraphQLFile] {
    var files: [GraphQLFile] = []
    for text in arguments.values("upload") {
      let scalars = text.unicodeScalars
      guard let equals = scalars.firstIndex(of: "="), equals != scalars.startIndex else {
        throw .usage("--upload takes VARIABLE.PATH=FILE, not '\(text)'", command: arguments.command.name)
      }
      let place = String(scalars[..<equals])
      for step in place.split(separator: ".").dropFirst() where step.drop(while: { $0 == "-" }).allSatisfy(\.isNumber) {
        guard Int(step).map({ GraphQLFile.listIndices.contains($0) }) != true else { continue }
        throw .usage(
          "--upload \(place)=…: '\(step)' is not a list index from 0 to \(GraphQLFile.listIndices.upperBound)",
          command: arguments.command.name)
      }
      let path = String(scalars[equals...].dropFirst())
      var status = stat()
      guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
        throw .file("cannot upload \(path): it is not a regular file")
      }
      files.append(
        GraphQLFile(
          variablePath: place, name: path.split(separator: "/").last.map(String.init) ?? path,
          content: .file(path: path, byteCount: Int(status.st_size))))
    }
    return files
  }

  /// Prints the status and headers of a response like curl, with secrets redacted.
  static func printHead(_ head: HTTPHead, hiding secrets: SecretValues) {
    let redactor = Redactor(values: secrets)
    let lines = ["HTTP/\(head.version) \(head.status)"] + head.headers.fields.map { "\($0.name): \($0.value)" }
    StandardStreams.show(lines.map { shown($0, redactor) + "\n" }.joined() + "\n")
  }

  /// Returns a trace that prints connections and headers on standard error like curl, one per line: `*`, `>` and `<`.
  static func trace(hiding secrets: SecretValues) -> HTTPTrace {
    let redactor = Redactor(values: secrets)
    return HTTPTrace { line in
      switch line {
      case .note(let text): StandardStreams.narrate("* \(SingleLineText.line(redactor.text(withoutCookie(text))))")
      case .sent(let text): StandardStreams.narrate("> \(SingleLineText.line(shown(text, redactor)))")
      case .received(let text): StandardStreams.narrate("< \(SingleLineText.line(shown(text, redactor)))")
      }
    }
  }

  /// Redacts the value in libcurl's note about a stored cookie: `Added cookie sid="…" for domain example.com, …`.
  private static func withoutCookie(_ note: String) -> String {
    // Compare bytes, because a quote followed by a combining mark is part of another character.
    let bytes = note.utf8
    guard bytes.firstRange(of: " cookie ".utf8) != nil, let start = bytes.firstRange(of: "=\"".utf8),
      let end = bytes.ranges(of: "\" for domain ".utf8).last, start.upperBound <= end.lowerBound
    else { return note }
    return note[..<start.upperBound] + Redactor.mark + note[end.lowerBound...]
  }

  /// Records the cookies that a response sets as secrets.
  static func takeCookies(of head: HTTPHead, into secrets: SecretValues) {
    for field in head.headers.fields where field.name.lowercased() == "set-cookie" {
      secrets.add(setCookie: field.value)
    }
  }

  /// Redacts a header line: the value of a secret header, the query of a URL or request target, and recorded secrets.
  private static func shown(_ line: String, _ redactor: Redactor) -> String {
    // Compare Unicode scalars, because a colon followed by a combining mark is part of another character.
    let colon = line.unicodeScalars.firstIndex(of: ":")
    if let colon, SecretNames.contains(String(line[..<colon]), in: .header) { return "\(line[..<colon]): •••" }
    // These headers may hold URLs without a scheme (RFC 9110, section 4.1).
    let holdsURL = colon.map { fieldsOfURLs.contains(line[..<$0].lowercased()) } ?? false
    let isRequest = line.hasSuffix(" HTTP/1.1") || line.hasSuffix(" HTTP/2") || line.hasSuffix(" HTTP/3")
    let words = line.split(separator: " ", omittingEmptySubsequences: false).map { word -> String in
      guard isRequest || holdsURL || word.contains("://"), let mark = word.firstIndex(of: "?") else {
        return String(word)
      }
      // In a Link header, parameters follow the URL (RFC 8288).
      let rest = word[mark...].drop { !">\",;".contains($0) }
      return "\(word[..<mark])?…\(rest)"
    }
    return redactor.text(words.joined(separator: " "))
  }

  private static let fieldsOfURLs: Set<String> = ["content-location", "link", "location", "referer", "refresh"]

  /// Reports the progress of an upload, on a terminal, and reconnects and cache fallbacks.
  static func narrate(_ observation: RequestMonitor.Observation) {
    switch observation {
    case .sent(let progress):
      guard StandardStreams.errorIsTerminal, progress.totalByteCount > 0 else { return }
      let percent = progress.sentByteCount * 100 / progress.totalByteCount
      let isDone = progress.sentByteCount == progress.totalByteCount
      StandardStreams.narrate(progress: "apus: sent \(percent) %", isLast: isDone)
    case .subscription(.reconnecting(let attempt, let reason)):
      StandardStreams.narrate("apus: \(reason); reconnecting (attempt \(attempt))")
    case .fellBack(let reason): StandardStreams.narrate("apus: \(reason); showing the cached result")
    case .head, .part, .subscription, .ended: break
    }
  }
}

/// A JSON argument: the JSON itself or the name of a file.
enum JSONArgument {
  /// Parses `JSON` or `@FILE`, an object that may have comments and trailing commas: `{"id": "b42",}`,
  /// `@variables.json`.
  ///
  /// - Parameter filled: Replaces the references in the text.
  static func read(
    _ text: String, option: String, command: String,
    _ filled: (String) throws(CommandError) -> String = { (text) throws(CommandError) in text }
  ) throws(CommandError) -> JSONValue {
    let file = text.hasPrefix("@") ? String(text.dropFirst()) : nil
    var bytes = try file.map { (path) throws(CommandError) in try LocalFile.read(path) } ?? Array(text.utf8)
    if bytes.contains(UInt8(ascii: "{")) { bytes = Array(try filled(String(decoding: bytes, as: UTF8.self)).utf8) }
    let value: JSONValue
    do throws(JSONSyntaxError) {
      value = try JSONDocument(parsingRelaxed: bytes).root
    } catch {
      throw .usage("--\(option)\(file.map { " (\($0))" } ?? "") is not JSON: \(error)", command: command)
    }
    guard value.kind == .object else { throw .usage("--\(option) takes an object", command: command) }
    return value
  }
}
