import ApusASCII
import ApusAlgorithms
import ApusClientNetwork
import ApusClientRequestChain
import ApusConfiguration
import ApusSecrets

/// The endpoint that a command line names, with its connection options.
enum EndpointRequest {
  /// An endpoint's request, with the headers that a command of the profile can renew.
  struct Reached {
    var request: HTTPRequest
    var renewable: RenewableHeaders?
    /// The sign-in of the profile, if its credentials come from requests.
    var signIn: ProfileSignIn?
    var profileFields: [HTTPHeaders.Field] = []
    /// Lowercase names of the headers whose values come from the environment or a command.
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
    _ url: String, _ profile: Profile?, _ arguments: ParsedArguments, _ secrets: SecretValues,
    memory: MemoryTokenStores = MemoryTokenStores()
  ) throws(CommandError) -> Reached {
    var reached = Reached(request: HTTPRequest(url: url))
    if let profile { reached = try Self.reached(profile, arguments.environment, secrets, memory: memory) }
    // A header that the user typed replaces the credentials of `auth`.
    if let header = profile?.authentication?.header, try names(ofHeaders: arguments).contains(header.lowercased()) {
      reached.request.headers[header] = nil
    }
    reached.request = try request(reached.request, arguments, secrets, profile)
    reached.resolvedFields.formUnion(try resolvedFields(arguments))
    return reached
  }

  /// Returns the lowercase names of the header options.
  private static func names(ofHeaders arguments: ParsedArguments) throws(CommandError) -> Set<String> {
    var names: Set<String> = []
    for option in arguments.values("header") {
      names.formUnion(try HeaderOption(option, arguments).fields.map { $0.name.lowercased() })
    }
    return names
  }

  /// Returns the names of the header options that take values from the environment.
  private static func resolvedFields(_ arguments: ParsedArguments) throws(CommandError) -> Set<String> {
    var names: Set<String> = []
    for option in arguments.values("header") where !option.hasPrefix("@") {
      names.formUnion(try HeaderOption(option, arguments).fields.filter(\.isLive).map { $0.name.lowercased() })
    }
    return names
  }

  /// Returns the named profile; `nil` for a URL or an unknown name.
  static func profile(named name: String, _ arguments: ParsedArguments) throws(CommandError) -> Profile? {
    guard !name.contains("://") else { return nil }
    return try NamedEndpoints().profile(
      named: name, isNamed: arguments.namesPlainEndpoints, environment: arguments.environment)
  }

  /// Returns a request with the options of the command line added.
  static func request(
    _ given: HTTPRequest, _ arguments: ParsedArguments, _ secrets: SecretValues, _ profile: Profile? = nil
  ) throws(CommandError) -> HTTPRequest {
    var request = given
    for option in arguments.values("header") {
      let header = try HeaderOption(option, arguments) { (text) throws(CommandError) in
        try ProfileReferences.filled(text, .plain, profile, arguments, secrets)
      }
      for field in header.fields {
        secrets.add(header: field.name, field.value, isLive: field.isLive)
        request.headers.add(name: field.name, value: field.value)
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
    request.connection.cookieProblems = arguments.cookieProblems
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
    // For tap, --key is a cache key; the key of a client certificate is in the profile or beside the certificate.
    if arguments.command.name != "tap", let file = arguments.value("key") { request.connection.keyFile = file }
    if let proxy = arguments.value("proxy") { request.connection.proxy = proxy }
    if arguments.has("proxy-insecure") { request.connection.isProxyInsecure = true }
    if let file = arguments.value("proxy-cacert") { request.connection.proxyCertificateAuthorityFile = file }
    if arguments.has("redirect-anywhere") { request.allowsCrossOriginBody = true }
    request.maximumResponseSize = try responseLimit(arguments)
    registerSecrets(request, secrets)
    return request
  }

  /// Records the credentials outside the request's headers: in its URL, its proxy, its netrc file and its cookies.
  private static func registerSecrets(_ request: HTTPRequest, _ secrets: SecretValues) {
    secrets.add(url: request.url)
    for proxy in request.connection.namedProxies { secrets.add(url: proxy) }
    if let file = request.connection.netrcFile, let bytes = (try? UserFile.read(file)) ?? nil {
      secrets.add(netrc: bytes)
    }
    if let file = request.connection.cookieFile, let bytes = (try? UserFile.read(file)) ?? nil {
      secrets.add(cookieFile: bytes)
    }
  }

  /// Returns the header of basic authentication (RFC 7617) for `--user`: `Basic YW5uOm93bA==` for `ann:owl`. Errors do
  /// not repeat the credentials.
  private static func basic(
    _ text: String, _ arguments: ParsedArguments, _ secrets: SecretValues
  ) throws(CommandError) -> String {
    let user: String
    do throws(SecretTextError) {
      user = try SecretText(text).resolved(environment: arguments.environment)
    } catch {
      throw .unresolved("--user", error, command: arguments.command.name)
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
    _ profile: Profile, _ environment: [String: String], _ secrets: SecretValues,
    memory: MemoryTokenStores = MemoryTokenStores()
  ) throws(CommandError) -> Reached {
    var request = request(to: profile.url, secrets)
    let sources = fieldSources(of: profile, environment)
    let fields = try fields(sources, of: profile, secrets, run: CommandOutput.of)
    for field in fields { request.headers.add(name: field.name, value: field.value) }
    if let timeout = profile.timeout { request.timeouts.total = timeout }
    for value in profile.resolvedInURL { secrets.add(header: "URL", value, isLive: true) }
    request.connection.proxy = profile.proxy
    request.connection.isProxyInsecure = profile.isProxyInsecure
    request.connection.proxyCertificateAuthorityFile = profile.proxyCertificateAuthority
    request.connection.isInsecure = profile.isInsecure
    request.connection.certificateAuthorityFile = profile.certificateAuthority
    request.connection.certificateFile = profile.certificate
    request.connection.keyFile = profile.key
    registerSecrets(request, secrets)
    let signIn = try ProfileSignIn.of(profile, request, environment, secrets, memory: memory)
    return Reached(
      request: request, renewable: renewable(zip(sources, fields), of: profile, signIn, secrets), signIn: signIn,
      profileFields: fields, resolvedFields: Set(sources.filter(\.isLive).map { $0.name.lowercased() }))
  }

  /// A header of a profile whose value is resolved when it is needed.
  private struct FieldSource: Sendable {
    let name: String
    /// Whether the value comes from the environment or a command, or is a credential.
    let isLive: Bool
    let runsCommand: Bool
    let value: @Sendable (_ run: (String) throws(SecretTextError) -> String) throws(SecretTextError) -> String
  }

  /// Returns the headers of a profile, and the one of its `auth` if that needs no sign-in.
  private static func fieldSources(of profile: Profile, _ environment: [String: String]) -> [FieldSource] {
    var sources = profile.headers.map { header in
      FieldSource(
        name: header.name, isLive: header.value.isLive, runsCommand: profile.runsCommand(in: header.value)
      ) { (run) throws(SecretTextError) in try profile.resolved(header.value, process: environment, run: run) }
    }
    if let authentication = profile.authentication, !authentication.isSignIn {
      sources.append(
        FieldSource(
          name: authentication.header, isLive: true,
          runsCommand: authentication.texts.contains(where: profile.runsCommand)
        ) { (run) throws(SecretTextError) in try profile.authenticationValue(process: environment, run: run) ?? "" })
    }
    return sources
  }

  /// Returns the headers that the profile's commands or its sign-in can renew; `nil` for a profile without them.
  private static func renewable(
    _ fields: some Sequence<(FieldSource, HTTPHeaders.Field)>, of profile: Profile, _ signIn: ProfileSignIn?,
    _ secrets: SecretValues
  ) -> RenewableHeaders? {
    guard profile.hasCommandCredentials || signIn != nil else { return nil }
    let renewed = fields.filter(\.0.runsCommand)
    return RenewableHeaders(renewed.map(\.1), signIn: signIn?.field) { [sources = renewed.map(\.0)] in
      do {
        return try await CommandOutput.beside { run in
          try Self.fields(sources, of: profile, secrets, run: run)
        }
      } catch let failure as CommandError {
        throw CommandError.file("the server rejects the credentials, and they cannot be renewed: \(failure.message)")
      }
    }
  }

  private static func fields(
    _ sources: [FieldSource], of profile: Profile, _ secrets: SecretValues,
    run: (String) throws(SecretTextError) -> String
  ) throws(CommandError) -> [HTTPHeaders.Field] {
    var fields: [HTTPHeaders.Field] = []
    for source in sources {
      do throws(SecretTextError) {
        let value = try source.value(run)
        secrets.add(header: source.name, value, isLive: source.isLive)
        fields.append(HTTPHeaders.Field(name: source.name, value: value))
      } catch {
        throw .file("the header \(source.name) of the profile '\(profile.name)': \(error)")
      }
    }
    return fields
  }
}
