/// A stream of changes.
struct Listener: Sendable {
  let hear: @Sendable (CacheChange) -> Void
  let finish: @Sendable () -> Void
}

extension CacheStore {
  /// Every change from now on. Each listener has a separate stream, which ends with its consumer or with the store.
  ///
  /// - Parameter bufferingPolicy: What is kept for one who does not read. Where changes were dropped, their `number`s have
  ///   a gap.
  public func changes(
    bufferingPolicy: AsyncStream<CacheChange>.Continuation.BufferingPolicy = .bufferingNewest(10_000)
  ) -> AsyncStream<CacheChange> {
    changes(bufferingPolicy: bufferingPolicy) { $0 }.stream
  }

  /// The same for one who listens to other things as well: they go into the same stream. Nothing is dropped.
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
    followOthers()
    return (stream, continuation)
  }

  private func removeListener(_ id: Int) {
    listeners[id] = nil
    stopFollowing()
  }

  /// When nobody is left to be told.
  func stopFollowing() {
    guard listeners.isEmpty, observers.isEmpty else { return }
    following?.cancel()
    following = nil
  }

  /// Hears of what other processes write to the file, as long as somebody wants to know.
  func followOthers() {
    guard cache.isShared, following == nil, !(listeners.isEmpty && observers.isEmpty) else { return }
    let writes = cache.writes
    following = Task { [weak self] in
      // What was written before anybody listened to the file.
      try? await self?.refresh()
      for await _ in writes {
        guard let self else { return }
        try? await self.refresh()
      }
    }
  }
}
