/// A token shared by all requests of a client, renewed once for all requests that wait for it.
public actor Credentials {
  /// Whether the current token must be renewed before the next request.
  private let isExpiring: @Sendable () -> Bool
  private let refresh: @Sendable (_ rejected: String?) async throws -> String
  private var token: String?
  /// Requests that wait for the renewal in progress; `nil` if there is none.
  private var waiters: [Int: CheckedContinuation<String, any Error>]?
  private var waiterCount = 0

  /// Creates credentials. `refresh` returns a new token to replace a rejected one, which is nil if there was no token.
  /// It may use the same client: its own requests are sent without a token.
  public init(token: String? = nil, refresh: @escaping @Sendable (_ rejected: String?) async throws -> String) {
    self.init(token: token, isExpiring: { false }, refresh: refresh)
  }

  /// Creates credentials whose token is also renewed before a request if `isExpiring` says so.
  package init(
    token: String?, isExpiring: @escaping @Sendable () -> Bool,
    refresh: @escaping @Sendable (_ rejected: String?) async throws -> String
  ) {
    self.token = token
    self.isExpiring = isExpiring
    self.refresh = refresh
  }

  /// The credentials that the current task renews.
  @TaskLocal private static var renewing: Set<ObjectIdentifier> = []

  /// Whether the current task renews the token. Its own requests are sent without a token, to avoid waiting for
  /// themselves.
  nonisolated var areRenewedHere: Bool { Self.renewing.contains(ObjectIdentifier(self)) }

  /// Returns the current token, or the first one.
  ///
  /// - Throws: The errors of `refresh`.
  public func current() async throws -> String {
    if let token, waiters == nil, !isExpiring() { return token }
    return try await renewed(inPlaceOf: token)
  }

  /// Returns a token other than `rejected`. Calls during a renewal share its outcome; a failed renewal is not repeated
  /// for them. Canceling a caller does not cancel the renewal, because the server may have revoked the old token
  /// already.
  ///
  /// - Throws: The errors of `refresh`, to all waiting callers; `CancellationError`.
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
