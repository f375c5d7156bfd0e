import ApusClientCache
import ApusClientCore
import ApusClientTraffic
import ApusExplorerCore
import ApusExplorerEnvironment
import Synchronization

/// `apus tap` on a terminal: the explorer shows the requests of an application while they are forwarded.
extension ExploreCommand {
  /// The tap whose requests the explorer shows.
  struct Tap: Sendable {
    let running: RunningTap
    /// The rules at the beginning, each as a line.
    let rules: [String]
    let observed: ObservedTraffic

    var store: CacheStore { running.cache.store }

    /// The access to the requests.
    var requests: RequestsEnvironment {
      var requests = RequestsEnvironment()
      requests.watch = { [observed] in await observed.watch($0) }
      requests.open = { [observed] in observed.open($0) }
      requests.release = { [observed] in observed.release($0, all: $1) }
      requests.hold = { [observed] in observed.hold($0) }
      requests.use = { [observed] in observed.use($0) }
      return requests
    }

    /// Returns the server with the cache of the application. It gets no request that the user does not send.
    func endpoint(_ client: GraphQLClient) -> LiveEnvironment.Endpoint {
      var endpoint = LiveEnvironment.Endpoint(
        client: client, keys: store.resolver,
        fetchSchema: { [schema = running.cache.schema] _ in
          if let schema { return schema }
          throw CommandError.file("apus tap requests none; name it with --schema")
        })
      endpoint.observed = observed
      return endpoint
    }
  }

  static func tap(_ arguments: ParsedArguments) throws(CommandError) -> ExitCode {
    let opened = EndpointSession()
    let command = try TapCommand(arguments, memory: opened.signIns)
    let observed = ObservedTraffic(command.control)
    let started = Mutex<RunningTap?>(nil)
    _ = try AsyncRunner.toEnd { () throws(CommandError) in
      let running = try await command.start(showing: observed)
      started.withLock { $0 = running }
      return .success
    }
    guard let running = started.withLock({ $0 }) else { return .interrupted }
    let result: Result<ExitCode, CommandError>
    do throws(CommandError) {
      result = .success(
        try ExploreCommand(
          arguments, command, Tap(running: running, rules: command.control.rules.lines, observed: observed), opened
        ).run())
    } catch {
      result = .failure(error)
    }
    running.stop()
    _ = try AsyncRunner.toEnd { () throws(CommandError) in try await running.end().get() }
    return try result.get()
  }
}
