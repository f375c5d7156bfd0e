import ApusClientNetwork
import ApusClientRequestChain
import ApusConfiguration
import ApusDigest
import ApusSecrets

/// The endpoint that a command line names, with its connection options.
enum EndpointRequest {
  /// An endpoint's request, with the headers that a command of the profile can renew.
  struct Reached {
    var request: HTTPRequest
    var renewable: RenewableHeaders?
    /// The headers of the profile.
    var profileFields: [HTTPHeaders.Field] = []
    /// The lowercase names of the headers whose values come from the environment or a command.
    var resolvedFields: Set<String> = []
  }

  /// Returns the request for a URL, or for the endpoint of the named profile.
  static func request(
    for name: String, _ arguments: ParsedArguments, secrets: SecretValues = StandardStreams.secrets
  ) throws(CommandError) -> HTTPRequest {
    try reached(name, arguments, secrets: secrets).request
  }

  /// Returns the endpoint of a URL or of the named profile.
  static func reached(
    _ name: String, _ arguments: ParsedArguments, secrets: SecretValues = StandardStreams.secrets
  ) throws(CommandError) -> Reached {
    guard !name.contains("://") else { return try reached(name, nil, arguments, secrets) }
    guard let profile = try profile(named: name, arguments) else { throw try NamedEndpoints().unknown(name) }
    return try reached(profile.url, profile, arguments, secrets)
  }

  /// Returns the endpoint of a profile, or of a URL, with the options of the command line.
  static func reached(
    _ url: String, _ profile: Profile?, _ arguments: ParsedArguments, _ secrets: SecretValues
  ) throws(CommandError) -> Reached {
    var reached = Reached(request: HTTPRequest(url: url))
    if let profile { reached = try Self.reached(profile, arguments.environment, secrets) }
    reached.request = try request(reached.request, arguments, secrets)
    reached.resolvedFields.formUnion(resolvedFields(arguments))
    return reached
  }

  /// Returns the names of the header options that take values from the environment.
  private static func resolvedFields(_ arguments: ParsedArguments) -> Set<String> {
    Set(
      arguments.values("header").compactMap { option in
        guard !option.hasPrefix("@"), let field = field(option[...]), filled(field.1, arguments.environment) != nil
        else { return nil }
        return field.0.lowercased()
      })
  }

  /// Returns the named profile; `nil` for a URL or an unknown name.
  static func profile(named name: String, _ arguments: ParsedArguments) throws(CommandError) -> Profile? {
    guard !name.contains("://") else { return nil }
    return try NamedEndpoints().profile(
      named: name, isNamed: arguments.namesPlainEndpoints, environment: arguments.environment)
  }

  /// Returns a request with the options of the command line added.
  static func request(
    _ given: HTTPRequest, _ arguments: ParsedArguments, _ secrets: SecretValues
  ) throws(CommandError) -> HTTPRequest {
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
    if arguments.has("redirect-anywhere") { request.allowsCrossOriginBody = true }
    request.maximumResponseSize = try responseLimit(arguments)
    registerSecrets(request, secrets)
    return request
  }

  /// Records the credentials outside the request's headers: in its URL, its proxy, its netrc file and its cookies.
  private static func registerSecrets(_ request: HTTPRequest, _ secrets: SecretValues) {
    secrets.add(url: request.url)
    if let proxy = request.connection.proxy { secrets.add(url: proxy) }
    if let file = request.connection.netrcFile, let bytes = (try? UserFile.read(file)) ?? nil {
      let words = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
      for (name, value) in zip(words, words.dropFirst()) where ["password", "account"].contains(name) {
        secrets.add(unsplit: value.filter { $0 != "\"" })
      }
    }
    if let file = request.connection.cookieFile, let bytes = (try? UserFile.read(file)) ?? nil {
      // The seventh field of a line is the value of the cookie.
      for line in bytes.split(separator: 0x0A) {
        let fields = line.split(separator: 0x09, omittingEmptySubsequences: false)
        if fields.count == 7 { secrets.add(unsplit: String(decoding: fields[6], as: UTF8.self)) }
      }
    }
  }

  /// Returns the header of basic authentication (RFC 7617). Errors do not repeat the credentials.
  private static func basic(
    _ text: String, _ arguments: ParsedArguments, _ secrets: SecretValues
  ) throws(CommandError) -> String {
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

  /// The limit in bytes. A terminal does not need larger responses; another program may.
  private static var defaultResponseLimit: Int { (StandardStreams.outputIsTerminal ? 256 : 1024) << 20 }

  private static func responseLimit(_ arguments: ParsedArguments) throws(CommandError) -> Int {
    guard let megabytes = try arguments.number("max-megabytes", in: 0.001...1e6, allowsZero: false) else {
      return defaultResponseLimit
    }
    return Int(megabytes * Double(1 << 20))
  }

  /// Returns the request for a URL, without the options of the command line, which are for another endpoint.
  static func request(to url: String, _ secrets: SecretValues) -> HTTPRequest {
    secrets.add(url: url)
    var request = HTTPRequest(url: url)
    request.maximumResponseSize = defaultResponseLimit
    return request
  }

  /// Returns the endpoint of a profile, without the options of the command line. Every resolved value is recorded as a
  /// secret.
  static func reached(
    _ profile: Profile, _ environment: [String: String], _ secrets: SecretValues
  ) throws(CommandError) -> Reached {
    var request = request(to: profile.url, secrets)
    let fields = try fields(profile.headers, of: profile, environment, secrets, run: CommandOutput.of)
    for field in fields { request.headers.add(name: field.name, value: field.value) }
    if let timeout = profile.timeout { request.timeouts.total = timeout }
    request.connection.proxy = profile.proxy
    request.connection.isInsecure = profile.isInsecure
    request.connection.certificateAuthorityFile = profile.certificateAuthority
    request.connection.certificateFile = profile.certificate
    request.connection.keyFile = profile.key
    registerSecrets(request, secrets)
    return Reached(
      request: request, renewable: renewable(fields, of: profile, environment, secrets), profileFields: fields,
      resolvedFields: Set(profile.headers.filter(\.value.isLive).map { $0.name.lowercased() }))
  }

  /// Returns the headers that the profile's commands can renew; `nil` for a profile without commands.
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
      } catch let failure as CommandError {
        throw CommandError.file("the server rejects the credentials, and they cannot be renewed: \(failure.message)")
      }
    }
  }

  private static func fields(
    _ headers: [Profile.Header], of profile: Profile, _ environment: [String: String], _ secrets: SecretValues,
    run: (String) throws(SecretTextError) -> String
  ) throws(CommandError) -> [HTTPHeaders.Field] {
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

  /// Parses `Name: value`, or a file with one header per line.
  private static func header(
    _ text: String, _ arguments: ParsedArguments
  ) throws(CommandError) -> [(String, String)] {
    guard !text.hasPrefix("@") else {
      let file = String(text.dropFirst())
      let lines = String(decoding: try LocalFile.read(file), as: UTF8.self).split(whereSeparator: \.isNewline)
      var fields: [(String, String)] = []
      for line in lines where !line.allSatisfy(\.isWhitespace) {
        guard let field = field(line) else {
          throw .usage("\(file) has a line that is not 'Name: value'", command: arguments.command.name)
        }
        fields.append(field)
      }
      return fields
    }
    // The value may be a secret, so the message does not repeat it.
    guard let field = field(text[...]) else {
      throw .usage("--header takes 'Name: value' or @FILE", command: arguments.command.name)
    }
    return [field]
  }

  /// Returns a typed value with its variables replaced; `nil` if the environment lacks one, because the dollar sign may be
  /// literal. Commands are not run.
  private static func filled(_ value: String, _ environment: [String: String]) -> String? {
    guard let text = try? SecretText(value), !text.variables.isEmpty, text.commands.isEmpty else { return nil }
    return try? text.resolved(environment: environment)
  }

  private static func field(_ line: Substring) -> (String, String)? {
    // Compare Unicode scalars, because the value may begin with a combining mark.
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
