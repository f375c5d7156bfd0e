/// The callbacks of a stream of changes.
struct Listener: Sendable {
  let hear: @Sendable (CacheChange) -> Void
  let finish: @Sendable () -> Void
}

extension CacheStore {
  /// Returns a stream of all changes from now on. Each call creates an independent stream, which ends when its consumer
  /// stops or the store is released.
  ///
  /// - Parameter bufferingPolicy: The changes to keep for a slow consumer. If changes are dropped, their `number`s have a
  ///   gap.
  public func changes(
    bufferingPolicy: AsyncStream<CacheChange>.Continuation.BufferingPolicy = .bufferingNewest(10_000)
  ) -> AsyncStream<CacheChange> {
    changes(bufferingPolicy: bufferingPolicy) { $0 }.stream
  }

  /// Returns a stream of changes as events of another type, and its continuation for other events. By default, no change is
  /// dropped.
  package func changes<Event: Sendable>(
    bufferingPolicy: AsyncStream<Event>.Continuation.BufferingPolicy = .unbounded,
    as event: @escaping @Sendable (CacheChange) -> Event
  ) -> (stream: AsyncStream<Event>, continuation: AsyncStream<Event>.Continuation) {
    let id = nextListener
    nextListener += 1
    let (stream, continuation) = AsyncStream.makeStream(of: Event.self, bufferingPolicy: bufferingPolicy)
    listeners[id] = Listener(hear: { continuation.yield(event($0)) }, finish: { continuation.finish() })
    continuation.onTermination = { [weak self] _ in
      Task { await self?.removeListener(id) }
    }
    monitorExternalChanges()
    return (stream, continuation)
  }

  private func removeListener(_ id: Int) {
    listeners[id] = nil
    stopFollowing()
  }

  /// Stops monitoring the cache file if there are no listeners or observers.
  func stopFollowing() {
    guard listeners.isEmpty, observers.isEmpty else { return }
    following?.cancel()
    following = nil
  }

  /// Monitors the cache file for writes by other processes while there are listeners or observers.
  func monitorExternalChanges() {
    guard cache.isShared, following == nil, !(listeners.isEmpty && observers.isEmpty) else { return }
    let writes = cache.writes
    following = Task { [weak self] in
      // Publish writes from before the monitoring started.
      try? await self?.refresh()
      for await _ in writes {
        guard let self else { return }
        try? await self.refresh()
      }
    }
  }
}
