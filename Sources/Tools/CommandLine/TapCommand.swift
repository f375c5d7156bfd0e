import ApusASCII
import ApusClientCache
import ApusClientNetwork
import ApusClientTraffic
import ApusConfiguration
import ApusExplorerEnvironment
import ApusFormatting
import ApusGraphQLAnalysis
import ApusGraphQLSchema
import ApusPlatform
import ApusSecrets
import ApusTap

/// `apus tap`: forwards the requests of an application to its server, and shows or prints and records the responses.
struct TapCommand: Sendable {
  enum Form: String, CaseIterable {
    case ndjson, table
  }

  /// The maximum size of the cache in memory, in bytes.
  private static let cacheLimit = 256 << 20

  private let arguments: ParsedArguments
  /// The server, for requests of the user in the explorer.
  let reached: EndpointRequest.Reached
  /// The profile of the server; `nil` for a URL.
  let profile: Profile?
  /// The server, for the relay.
  private let server: HTTPRequest
  private let port: Int
  private let origins: Set<String>
  private let keys: [String: [String]]
  private let form: Form
  private let rules: DeliveryRules
  /// The rules while the tap runs, and the payloads that wait.
  let control: DeliveryControl

  /// - Parameter memory: The tokens of sign-ins that are kept in memory.
  init(_ arguments: ParsedArguments, memory: MemoryTokenStores = MemoryTokenStores()) throws(CommandError) {
    self.arguments = arguments
    let name = arguments.operands[0]
    profile = try EndpointRequest.profile(named: name, arguments)
    guard profile != nil || name.contains("://") else { throw try NamedEndpoints().unknown(name) }
    reached = try EndpointRequest.reached(
      profile?.url ?? name, profile, arguments, StandardStreams.secrets, memory: memory)
    var server = reached.request
    server.connection.version = .http1
    guard Origin(url: server.url) != nil else {
      throw .usage("'\(server.redactedURL)' is not a URL that begins with https:// or http://", command: "tap")
    }
    self.server = server
    port = try arguments.count("port") ?? 0
    guard port < 65_536 else { throw .usage("--port is at most 65535", command: "tap") }
    origins = Set(
      try arguments.values("origin").map { (text) throws(CommandError) in
        guard let name = PageOrigin.name(of: text) else {
          throw .usage("--origin takes an origin, such as https://app.example.com, without a path", command: "tap")
        }
        return name
      })
    keys = try Self.keys(arguments)
    rules = try TapRules.rules(arguments)
    control = DeliveryControl(rules)
    if let database = arguments.value("db") { try CacheFile.check(database) }
    form = arguments.choice("output", default: StandardStreams.outputIsTerminal ? Form.table : .ndjson)
  }

  /// Returns the key fields of types: `Bird=id`, or `Place=country,city` for a key of several fields.
  private static func keys(_ arguments: ParsedArguments) throws(CommandError) -> [String: [String]] {
    var keys: [String: [String]] = [:]
    for text in arguments.values("key") {
      let words = text.split(separator: "=", omittingEmptySubsequences: false)
      let fields = words.count == 2 ? words[1].split(separator: ",", omittingEmptySubsequences: false) : []
      guard let type = words.first, !fields.isEmpty, ([type] + fields).allSatisfy(isName) else {
        throw .usage("--key takes a type and its key fields, such as Bird=id or Place=country,city", command: "tap")
      }
      keys[String(type)] = fields.map(String.init)
    }
    return keys
  }

  private static func isName(_ text: Substring) -> Bool {
    text.utf8.first?.isNameStart == true && text.utf8.allSatisfy(\.isNameByte)
  }

  /// Whether the explorer shows the requests: on a terminal, unless an output format is named.
  static func opensExplorer(_ arguments: ParsedArguments) -> Bool {
    arguments.value("output") == nil && StandardStreams.inputIsTerminal && StandardStreams.outputIsTerminal
  }

  /// Forwards requests until the command is interrupted, or its output cannot be written.
  func run() async throws(CommandError) -> ExitCode {
    let tap = try await start()
    return try await tap.end().get()
  }

  /// Starts to forward requests, and prints the URL for the application.
  ///
  /// - Parameter observed: The requests that the explorer shows; `nil` to print them.
  func start(showing observed: ObservedTraffic? = nil) async throws(CommandError) -> RunningTap {
    let documents = try TapDocuments.documents(arguments)
    let cache = try await shadowCache()
    let destination = observed.map { TapOutput.Destination.explorer($0) } ?? .lines(form)
    var output = TapOutput(to: destination, url: server.url, secretPlaces: cache.schema?.secretPlaces)
    if let folder = arguments.value("record") { try output.record(to: folder) }
    let queue = TrafficQueue()
    let relay = try startRelay(queue) { refusal in
      let words = "\(refusal.status): \(refusal.reason)"
      if let observed { observed.note(words) } else { StandardStreams.narrate("apus: \(words)") }
    }
    let url = url(of: relay)
    StandardStreams.narrate(url)
    let analysis = TrafficAnalysis(url: server.redactedURL, cache: cache, documents: documents)
    // In the explorer, keys release payloads.
    let release = rules.holds && observed == nil ? TapRelease(control) : nil
    // Ends with the program, because reading cannot be interrupted.
    if let release { Task { await release.run() } }
    return RunningTap(url: url, cache: cache, relay, queue, analysis, output, release)
  }

  private func startRelay(
    _ queue: TrafficQueue, refused: @escaping @Sendable (Relay.Refusal) -> Void
  ) throws(CommandError) -> Relay {
    // Each connection of the application needs one to the server.
    if var limit = ResourceLimit.descriptors.current, limit.rlim_cur < limit.rlim_max {
      limit.rlim_cur = limit.rlim_max
      ResourceLimit.descriptors.set(limit)
    }
    do {
      return try Relay(
        to: server, port: port, origins: origins, control: control, refused: refused, observe: queue.add)
    } catch {
      throw CommandError(exitCode: .networkError, message: "\(error)")
    }
  }

  /// The URL for the application: that of the server with another scheme, host and port.
  private func url(of relay: Relay) -> String {
    let rest = server.url.firstRange(of: "://").map { server.url[$0.upperBound...].drop { !"/?#".contains($0) } } ?? ""
    return "http://127.0.0.1:\(relay.port)\(rest.hasPrefix("/") ? "" : "/")\(rest.prefix { !"?#".contains($0) })"
  }

  private func shadowCache() async throws(CommandError) -> ShadowCache {
    var schema: Schema?
    if let source = arguments.value("schema") { schema = try await SchemaSource.load(source, arguments) }
    var rules = try CacheConfiguration(for: arguments.operands[0])
    if let schema { rules.adopt(schema) }
    rules.add(keys: keys)
    guard let database = arguments.value("db") else {
      var policies = rules.policies
      policies.byteLimit = policies.byteLimit ?? Self.cacheLimit
      return ShadowCache(store: CacheStore(resolver: rules.resolver, policies: policies), schema: schema)
    }
    return ShadowCache(store: try await CacheFile.open(database, mode: .write, rules: rules), schema: schema)
  }
}
