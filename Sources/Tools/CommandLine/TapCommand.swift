import ApusASCII
import ApusClientCache
import ApusClientNetwork
import ApusClientTraffic
import ApusConfiguration
import ApusFormatting
import ApusGraphQLAnalysis
import ApusGraphQLSchema
import ApusPlatform
import ApusSecrets
import ApusTap

/// `apus tap`: forwards the requests of an application to its server, and prints and records the responses.
struct TapCommand: Sendable {
  enum Form: String, CaseIterable {
    case ndjson, table
  }

  /// The maximum size of the cache in memory, in bytes.
  private static let cacheLimit = 256 << 20

  private let arguments: ParsedArguments
  private let server: HTTPRequest
  private let port: Int
  private let origins: Set<String>
  private let keys: [String: [String]]
  private let form: Form
  private let rules: DeliveryRules

  init(_ arguments: ParsedArguments) throws(CommandError) {
    self.arguments = arguments
    let name = arguments.operands[0]
    var server = try EndpointRequest.request(for: name, arguments)
    // For this command, --key is a cache key; the key of a client certificate is in the profile or beside the certificate.
    server.connection.keyFile = try EndpointRequest.profile(named: name, arguments)?.key
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

  /// Forwards requests until the command is interrupted, or its output cannot be written.
  func run() async throws(CommandError) -> ExitCode {
    let documents = try TapDocuments.documents(arguments)
    let cache = try await shadowCache()
    var output = TapOutput(form: form, url: server.url, secretPlaces: cache.schema?.secretPlaces)
    if let folder = arguments.value("record") { try output.record(to: folder) }
    let queue = TrafficQueue()
    let analysis = TrafficAnalysis(url: server.redactedURL, cache: cache, documents: documents)
    let control = DeliveryControl(rules)
    let relay = try startRelay(queue, control)
    StandardStreams.narrate(url(of: relay))
    let release = rules.holds ? TapRelease(control) : nil
    // Ends with the program, because reading cannot be interrupted.
    if let release { Task { await release.run() } }
    let processing = Task { [output] in await Self.process(queue, analysis, output, release) }
    let result = await withTaskCancellationHandler {
      await processing.value
    } onCancel: {
      relay.stop()
      // The facts of the connections that are open now are still printed.
      let hasStarted = SystemThread.start {
        relay.waitUntilStopped(limit: .milliseconds(500))
        queue.finish()
      }
      if !hasStarted { queue.finish() }
    }
    relay.stop()
    return try result.get()
  }

  private static func process(
    _ queue: TrafficQueue, _ given: TrafficAnalysis, _ output: TapOutput, _ release: TapRelease?
  ) async -> Result<ExitCode, CommandError> {
    var (analysis, output) = (given, output)
    var failure: CommandError?
    await queue.process { event in
      do throws(CommandError) {
        for report in await analysis.receive(event) {
          release?.receive(report)
          guard try output.receive(report) else { return false }
        }
        return true
      } catch {
        failure = error
        return false
      }
    }
    output.finish()
    return failure.map { .failure($0) } ?? .success(.success)
  }

  private func startRelay(_ queue: TrafficQueue, _ control: DeliveryControl) throws(CommandError) -> Relay {
    // Each connection of the application needs one to the server.
    if var limit = ResourceLimit.descriptors.current, limit.rlim_cur < limit.rlim_max {
      limit.rlim_cur = limit.rlim_max
      ResourceLimit.descriptors.set(limit)
    }
    do {
      return try Relay(
        to: server, port: port, origins: origins, control: control,
        refused: { StandardStreams.narrate("apus: \($0.status): \($0.reason)") }, observe: queue.add)
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
