import ApusClientNetwork
import ApusClientRequestChain
import ApusConfiguration
import ApusDigest
import ApusSecrets

/// The endpoint that a command line names, with the options for reaching it.
enum Endpoint {
  /// An endpoint's request, with the header fields of it that a command of the profile can make again.
  struct Reached {
    var request: HTTPRequest
    var renewable: RenewableHeaders?
    /// The header fields that the profile gives.
    var profileFields: [HTTPHeaders.Field] = []
    /// The header fields, by their names in lower case, whose values came from the environment or a command.
    var resolvedFields: Set<String> = []
  }

  /// The request that reaches a URL, or the endpoint of the profile of that name.
  static func request(
    for name: String, _ arguments: ParsedArguments, secrets: SecretValues = StandardStreams.secrets
  ) throws(CommandFailure) -> HTTPRequest {
    try reached(name, arguments, secrets: secrets).request
  }

  /// The endpoint of a URL, or that of the profile of a name.
  static func reached(
    _ name: String, _ arguments: ParsedArguments, secrets: SecretValues = StandardStreams.secrets
  ) throws(CommandFailure) -> Reached {
    let typed = resolvedFields(arguments)
    if name.contains("://") {
      return Reached(request: try request(HTTPRequest(url: name), arguments, secrets), resolvedFields: typed)
    }
    guard let profile = try profile(named: name, arguments) else { throw try KnownEndpoints().unknown(name) }
    var reached = try reached(profile, arguments.environment, secrets)
    reached.request = try request(reached.request, arguments, secrets)
    reached.resolvedFields.formUnion(typed)
    return reached
  }

  /// The names of the header options that take their values from the environment.
  private static func resolvedFields(_ arguments: ParsedArguments) -> Set<String> {
    Set(
      arguments.values("header").compactMap { option in
        guard !option.hasPrefix("@"), let field = field(option[...]), filled(field.1, arguments.environment) != nil
        else { return nil }
        return field.0.lowercased()
      })
  }

  /// The profile that a word of the command line names; nil for a URL, and for a name that nothing has.
  static func profile(named name: String, _ arguments: ParsedArguments) throws(CommandFailure) -> Profile? {
    guard !name.contains("://") else { return nil }
    return try KnownEndpoints().profile(
      named: name, isNamed: arguments.namesPlainEndpoints, environment: arguments.environment)
  }

  /// A request with what the command line says beyond it.
  static func request(
    _ given: HTTPRequest, _ arguments: ParsedArguments, _ secrets: SecretValues
  ) throws(CommandFailure) -> HTTPRequest {
    var request = given
    for option in arguments.values("header") {
      let isTyped = !option.hasPrefix("@")
      for (name, value) in try header(option, arguments) {
        let live = isTyped ? filled(value, arguments.environment) : nil
        secrets.add(header: name, live ?? value, isLive: live != nil)
        request.headers.add(name: name, value: live ?? value)
      }
    }
    if let user = arguments.value("user") {
      request.headers["Authorization"] = try basic(user, arguments, secrets)
    }
    if let seconds = try arguments.number("connect-timeout", in: 0.001...1e9, allowsZero: false) {
      request.timeouts.connect = .milliseconds(Int(seconds * 1000))
    }
    if let file = arguments.value("netrc-file") {
      request.connection.netrcFile = file
    } else if arguments.has("netrc") {
      request.connection.netrcFile = "\(UserFolders.home)/.netrc"
    }
    request.connection.cookieFile = arguments.value("cookie-jar")
    for file in [request.connection.netrcFile, request.connection.cookieFile].compactMap(\.self) {
      do throws(ConfigurationError) { try UserFile.checkOwn(file) } catch { throw .file("\(error)") }
    }
    if arguments.has("http3") { request.connection.version = .http3 }
    if let path = arguments.value("unix-socket") { request.connection.unixSocket = path }
    if let seconds = try arguments.number("timeout", in: 0.001...1e9, allowsZero: false) {
      request.timeouts.total = .milliseconds(Int(seconds * 1000))
    }
    if arguments.has("insecure") { request.connection.isInsecure = true }
    if let file = arguments.value("cacert") { request.connection.certificateAuthorityFile = file }
    if let file = arguments.value("cert") { request.connection.certificateFile = file }
    if let file = arguments.value("key") { request.connection.keyFile = file }
    if let proxy = arguments.value("proxy") { request.connection.proxy = proxy }
    if arguments.has("redirect-anywhere") { request.mayLeaveWithBody = true }
    request.maximumResponseSize = try responseLimit(arguments)
    note(request, secrets)
    return request
  }

  /// Takes the credentials that are not in the request's headers: those of its URL, its proxy, its netrc file and its
  /// cookies.
  private static func note(_ request: HTTPRequest, _ secrets: SecretValues) {
    secrets.add(url: request.url)
    if let proxy = request.connection.proxy { secrets.add(url: proxy) }
    if let file = request.connection.netrcFile, let bytes = (try? UserFile.read(file)) ?? nil {
      let words = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
      for (name, value) in zip(words, words.dropFirst()) where ["password", "account"].contains(name) {
        secrets.add(whole: value.filter { $0 != "\"" })
      }
    }
    if let file = request.connection.cookieFile, let bytes = (try? UserFile.read(file)) ?? nil {
      // The seventh field of a line is the cookie's value.
      for line in bytes.split(separator: 0x0A) {
        let fields = line.split(separator: 0x09, omittingEmptySubsequences: false)
        if fields.count == 7 { secrets.add(whole: String(decoding: fields[6], as: UTF8.self)) }
      }
    }
  }

  /// Basic authentication (RFC 7617). Nothing of it is repeated in an error.
  private static func basic(
    _ text: String, _ arguments: ParsedArguments, _ secrets: SecretValues
  ) throws(CommandFailure) -> String {
    let user: String
    do throws(SecretTextError) {
      user = try SecretText(text).resolved(environment: arguments.environment)
    } catch {
      throw .file("--user: \(error)")
    }
    guard let colon = user.unicodeScalars.firstIndex(of: ":") else {
      throw .usage("--user takes NAME:PASSWORD", command: arguments.command.name)
    }
    let value = "Basic \(Base64.encode(Array(user.utf8)))"
    secrets.add(String(user.unicodeScalars[colon...].dropFirst()))
    secrets.add(header: "Authorization", value, isLive: true)
    return value
  }

  /// A person who looks at a screen does not read more; another program may want it all.
  private static var defaultResponseLimit: Int { (StandardStreams.outputIsTerminal ? 256 : 1024) << 20 }

  private static func responseLimit(_ arguments: ParsedArguments) throws(CommandFailure) -> Int {
    guard let megabytes = try arguments.number("max-megabytes", in: 0.001...1e6, allowsZero: false) else {
      return defaultResponseLimit
    }
    return Int(megabytes * Double(1 << 20))
  }

  /// The request that reaches a URL, with nothing of what the command line said of another.
  static func request(to url: String, _ secrets: SecretValues) -> HTTPRequest {
    secrets.add(url: url)
    var request = HTTPRequest(url: url)
    request.maximumResponseSize = defaultResponseLimit
    return request
  }

  /// A profile's endpoint, without the options of the command line. Every value that is resolved for it is a secret from then
  /// on.
  static func reached(
    _ profile: Profile, _ environment: [String: String], _ secrets: SecretValues
  ) throws(CommandFailure) -> Reached {
    var request = request(to: profile.url, secrets)
    let fields = try fields(profile.headers, of: profile, environment, secrets, run: CommandOutput.of)
    for field in fields { request.headers.add(name: field.name, value: field.value) }
    if let timeout = profile.timeout { request.timeouts.total = timeout }
    request.connection.proxy = profile.proxy
    request.connection.isInsecure = profile.isInsecure
    request.connection.certificateAuthorityFile = profile.certificateAuthority
    request.connection.certificateFile = profile.certificate
    request.connection.keyFile = profile.key
    note(request, secrets)
    return Reached(
      request: request, renewable: renewable(fields, of: profile, environment, secrets), profileFields: fields,
      resolvedFields: Set(profile.headers.filter(\.value.isLive).map { $0.name.lowercased() }))
  }

  /// The fields that a profile's commands make again; nil for a profile without a command.
  private static func renewable(
    _ fields: [HTTPHeaders.Field], of profile: Profile, _ environment: [String: String], _ secrets: SecretValues
  ) -> RenewableHeaders? {
    guard profile.hasCommandCredentials else { return nil }
    let renewed = zip(profile.headers, fields).filter { profile.runsCommand(in: $0.0.value) }
    return RenewableHeaders(renewed.map(\.1)) {
      do {
        return try await CommandOutput.beside { run in
          try Self.fields(renewed.map(\.0), of: profile, environment, secrets, run: run)
        }
      } catch let failure as CommandFailure {
        throw CommandFailure.file("the server rejects the credentials, and they cannot be renewed: \(failure.message)")
      }
    }
  }

  private static func fields(
    _ headers: [Profile.Header], of profile: Profile, _ environment: [String: String], _ secrets: SecretValues,
    run: (String) throws(SecretTextError) -> String
  ) throws(CommandFailure) -> [HTTPHeaders.Field] {
    var fields: [HTTPHeaders.Field] = []
    for header in headers {
      do throws(SecretTextError) {
        let value = try profile.resolved(header.value, process: environment, run: run)
        secrets.add(header: header.name, value, isLive: header.value.isLive)
        fields.append(HTTPHeaders.Field(name: header.name, value: value))
      } catch {
        throw .file("the header \(header.name) of the profile '\(profile.name)': \(error)")
      }
    }
    return fields
  }

  /// `Name: value`, or a file with one such line for each header.
  private static func header(
    _ text: String, _ arguments: ParsedArguments
  ) throws(CommandFailure) -> [(String, String)] {
    guard !text.hasPrefix("@") else {
      let file = String(text.dropFirst())
      let lines = String(decoding: try LocalFile.read(file), as: UTF8.self).split(whereSeparator: \.isNewline)
      var fields: [(String, String)] = []
      for line in lines where !line.allSatisfy(\.isWhitespace) {
        guard let field = field(line) else {
          throw .usage("a line of \(file) is not 'Name: value'", command: arguments.command.name)
        }
        fields.append(field)
      }
      return fields
    }
    // The value may be a secret: it is not repeated in the message.
    guard let field = field(text[...]) else {
      throw .usage("--header takes 'Name: value' or @FILE", command: arguments.command.name)
    }
    return [field]
  }

  /// A typed value with the variables that it names, where the environment has them all; else nil, for a dollar sign may
  /// be one. A command is not run.
  private static func filled(_ value: String, _ environment: [String: String]) -> String? {
    guard let text = try? SecretText(value), !text.variables.isEmpty, text.commands.isEmpty else { return nil }
    return try? text.resolved(environment: environment)
  }

  private static func field(_ line: Substring) -> (String, String)? {
    // By scalars: a value may begin with a combining mark.
    guard let colon = line.unicodeScalars.firstIndex(of: ":") else { return nil }
    let name = line[..<colon].trimmingSpaces
    return name.isEmpty ? nil : (name, Substring(line.unicodeScalars[colon...].dropFirst()).trimmingSpaces)
  }
}

extension Substring {
  fileprivate var trimmingSpaces: String {
    let head = drop { $0.isWhitespace }
    return String(head[..<(head.lastIndex { !$0.isWhitespace }.map { head.index(after: $0) } ?? head.startIndex)])
  }
}
