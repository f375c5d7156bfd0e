import ApusClientAPI
import ApusJSON

/// Work for one run, performed at the endpoint where it was started.
package enum RunEffect: Equatable, Sendable {
  case start(RunRequest)
  case cancel
  /// Releases a run that no tab shows anymore.
  case forget
  /// Lets the tab's new cache policy decide whether data that the cache loses is fetched again.
  case changePolicy(CachePolicy)
  /// Ticks while the run is active, to update its elapsed time.
  case startClock
  case stopClock
  case loadPages(PageRequest, of: ResponsePath)
  case cancelPages
  /// Rereads the operation from the cache after a change to records that it depends on.
  case reread
  /// Refetches the data from the server because the cache no longer holds all of it.
  case refetch
  /// Counts the fields that were read from the cache and from the network.
  case measureCacheUse
  /// Finds the events that contain a string.
  case filterEvents(String, [EventLine], version: Int)
  /// Finds the record that contains a value of the response.
  case findRecord(ResponsePath, at: CacheRevision?)
  /// Finds the location of a record in the response.
  case findPath(ofRecord: String)
  case openWrite(ofPayload: Int)
  /// Writes a run that has ended to a recording.
  case save(to: String)

  private enum Key: Hashable {
    case run(Int), pages(Int), rereading(Int), measuring(Int), clock, events, counterpart
  }

  func work(for run: Int) -> EffectWork {
    switch self {
    case .start(let request): .start(Key.run(run)) { await $0.runs.start(request, $1) }
    case .cancel: .cancel(Key.run(run))
    case .forget: .immediately { $0.runs.forget(run) }
    case .changePolicy(let policy): .immediately { $0.runs.policyChanged(run, policy) }
    case .startClock: .restart(Key.clock, .isBackground) { await Self.tick(run, $0, $1) }
    case .stopClock: .cancel(Key.clock)
    case .loadPages(let request, let list): .start(Key.pages(run)) { await $0.runs.loadPages(run, request, list, $1) }
    case .cancelPages: .cancel(Key.pages(run))
    case .reread: .start(Key.rereading(run)) { await $0.runs.reread(run, $1) }
    case .refetch: .start(Key.run(run)) { await $0.runs.refetch(run, $1) }
    case .measureCacheUse:
      .start(Key.measuring(run)) { $1(.run(run, .cacheUseFound(await $0.runs.measureCacheUse(run)))) }
    case .filterEvents(let text, let lines, let version):
      .start(Key.events) { _, send in
        let verdicts = lines.map { ($0.payloadIndex, $0.contains(text)) }
        send(.run(run, .eventsFiltered(Dictionary(verdicts, uniquingKeysWith: { $1 }), version: version)))
      }
    case .findRecord(let path, let revision):
      .start(Key.counterpart) { environment, send in
        let found = await environment.runs.findRecord(run, path, revision)
        send(
          found.map { .cache(.recordFound($0.record, field: $0.field)) }
            ?? .operationFailed("The cache has no record of \(path)"))
      }
    case .findPath(let record):
      .start(Key.counterpart) { environment, send in
        let path = await environment.runs.findPath(run, record)
        send(
          path.map { .run(run, .recordPathFound($0)) } ?? .operationFailed("The response does not show \(record)"))
      }
    case .openWrite(let payload):
      .start(CacheEffect.Key.writes) { environment, send in
        let write = await environment.runs.openWrite(run, payload)
        send(
          write.map { .cache(.writeOpened($0)) }
            ?? .operationFailed("Payload \(payload + 1) wrote nothing, or its writes are no longer stored"))
      }
    case .save(let path):
      .start(ExportEffect.Key.file(path), .isFinishedFirst) { $1(await $0.runs.save(run, path)) }
    }
  }

  /// Sends ten ticks per second while an operation runs, so that an idle explorer never wakes up.
  private static func tick(_ run: Int, _ environment: ExplorerEnvironment, _ send: ExplorerEnvironment.Send) async {
    let start = ContinuousClock.now
    while !Task.isCancelled {
      await environment.wait(.milliseconds(100))
      guard !Task.isCancelled else { return }
      send(.run(run, .clockTicked(ContinuousClock.now - start)))
    }
  }
}

/// Access to the server and the cache for runs. Each function takes the number of a run.
package struct RunEnvironment: Sendable {
  package var start: @Sendable (RunRequest, ExplorerEnvironment.Send) async -> Void = { _, _ in }
  /// Releases a run that no tab shows anymore.
  package var forget: @Sendable (_ run: Int) -> Void = { _ in }
  /// Applies the cache policy that the user chose for the tab of a run.
  package var policyChanged: @Sendable (_ run: Int, CachePolicy) -> Void = { _, _ in }
  package var loadPages:
    @Sendable (_ run: Int, PageRequest, _ list: ResponsePath, ExplorerEnvironment.Send) async -> Void = { _, _, _, _ in
    }
  package var reread: @Sendable (_ run: Int, ExplorerEnvironment.Send) async -> Void = { _, _ in }
  package var refetch: @Sendable (_ run: Int, ExplorerEnvironment.Send) async -> Void = { _, _ in }
  package var measureCacheUse: @Sendable (_ run: Int) async -> CacheUsage = { _ in CacheUsage() }
  /// Returns the record that contains a value of a run's response, and the field of the value in it.
  package var findRecord:
    @Sendable (_ run: Int, ResponsePath, CacheRevision?) async -> (record: String, field: String?)? = { _, _, _ in nil }
  /// Returns the first path in a run's response that shows a record.
  package var findPath: @Sendable (_ run: Int, _ record: String) async -> ResponsePath? = { _, _ in nil }
  package var openWrite: @Sendable (_ run: Int, _ payload: Int) async -> CacheWriteDetail? = { _, _ in nil }
  /// Writes a run to a recording; returns `exported` or `operationFailed`.
  package var save: @Sendable (_ run: Int, _ path: String) async -> Action = { _, path in
    .operationFailed("\(path) cannot be written")
  }

  package init() {}
}
