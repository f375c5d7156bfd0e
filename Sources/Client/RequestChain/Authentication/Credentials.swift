/// A token that all requests of a client share, and that is renewed once however many of them wait for it.
public actor Credentials {
  private let refresh: @Sendable (_ rejected: String?) async throws -> String
  private var token: String?
  /// Those who wait for the renewal under way; `nil` while there is none.
  private var waiters: [Int: CheckedContinuation<String, any Error>]?
  private var waiterCount = 0

  /// `refresh` gets a new token in place of one that the server rejected; nil the first time, when there is none. It may ask
  /// the server by the same client: its own requests go without a token.
  public init(token: String? = nil, refresh: @escaping @Sendable (_ rejected: String?) async throws -> String) {
    self.token = token
    self.refresh = refresh
  }

  /// The credentials whose token is being renewed by the task at hand.
  @TaskLocal private static var renewing: Set<ObjectIdentifier> = []

  /// Whether the task at hand makes the token: a request of its own goes without one, or it would wait for itself.
  nonisolated var areRenewedHere: Bool { Self.renewing.contains(ObjectIdentifier(self)) }

  /// The token at hand, or the first one.
  ///
  /// - Throws: What `refresh` throws.
  public func current() async throws -> String {
    if let token, waiters == nil { return token }
    return try await renewed(inPlaceOf: token)
  }

  /// A token other than `rejected`. Whoever asks while a renewal is under way gets its outcome; a renewal that failed
  /// is not repeated for those who waited for it. Who is cancelled waits no longer; the renewal goes on, as the server may
  /// have taken the old token back already.
  ///
  /// - Throws: What `refresh` throws, to all who wait; `CancellationError`.
  public func renewed(inPlaceOf rejected: String?) async throws -> String {
    if waiters == nil {
      if let token, token != rejected { return token }
      try Task.checkCancellation()
      waiters = [:]
      Task { await renew(rejected) }
    }
    waiterCount += 1
    let number = waiterCount
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { waiter in
        if Task.isCancelled { waiter.resume(throwing: CancellationError()) } else { waiters?[number] = waiter }
      }
    } onCancel: {
      Task { await leave(number) }
    }
  }

  private func renew(_ rejected: String?) async {
    let outcome: Result<String, any Error>
    do {
      let fresh = try await Self.$renewing.withValue(Self.renewing.union([ObjectIdentifier(self)])) {
        try await refresh(rejected)
      }
      token = fresh
      outcome = .success(fresh)
    } catch {
      outcome = .failure(error)
    }
    let waiters = waiters ?? [:]
    self.waiters = nil
    for waiter in waiters.values { waiter.resume(with: outcome) }
  }

  private func leave(_ number: Int) {
    waiters?.removeValue(forKey: number)?.resume(throwing: CancellationError())
  }
}
