/// A token that all requests of a client share, and that is renewed once however many of them wait for it.
public actor Credentials {
  private let refresh: @Sendable (_ rejected: String?) async throws -> String
  private var token: String?
  private var renewal: Task<String, any Error>?

  /// `refresh` gets a new token in place of one that the server rejected; nil the first time, when there is none.
  public init(token: String? = nil, refresh: @escaping @Sendable (_ rejected: String?) async throws -> String) {
    self.token = token
    self.refresh = refresh
  }

  /// The token at hand, or the first one.
  ///
  /// - Throws: What `refresh` throws.
  public func current() async throws -> String {
    if let token, renewal == nil { return token }
    return try await renewed(inPlaceOf: token)
  }

  /// A token other than `rejected`. Whoever asks while a renewal is under way gets its outcome; a renewal that failed
  /// is not repeated for those who waited for it.
  ///
  /// - Throws: What `refresh` throws, to all who wait.
  public func renewed(inPlaceOf rejected: String?) async throws -> String {
    if let renewal { return try await renewal.value }
    if let token, token != rejected { return token }
    let task = Task { [refresh] in try await refresh(rejected) }
    renewal = task
    defer { renewal = nil }
    let fresh = try await task.value
    token = fresh
    return fresh
  }
}
