import ApusClientAPI
import ApusJSON

/// A run in the history.
package struct HistoryEntry: Equatable, Sendable {
  package enum Status: String, Equatable, Sendable { case complete, failed, cancelled }

  package var id: Int
  /// The time at which the run was recorded, in seconds since 1970.
  package var time: Int
  package var endpoint: String
  /// The name of the endpoint's profile; nil for a URL, and in older entries.
  package var profile: String?
  package var operation: String
  package var query: String
  package var variables: String
  package var cachePolicy: CachePolicy
  package var options = RunOptions()
  /// The request's `extensions` as JSON; empty if there were none.
  package var extensions = ""
  package var status: Status
  package var errorCount: Int
  package var elapsed: Duration
  package var byteCount: Int
  /// The response, unless it was too large to store; loaded separately from the list.
  package var response: JSONValue?
  /// The response's fields that the explorer added; not stored.
  package var hidden: HiddenFields?

  package init(
    id: Int = 0, time: Int = 0, endpoint: String, operation: String, query: String, variables: String,
    cachePolicy: CachePolicy = .networkOnly, status: Status, errorCount: Int = 0, elapsed: Duration = .zero,
    byteCount: Int = 0, response: JSONValue? = nil,
    hidden: HiddenFields? = nil
  ) {
    self.id = id
    self.time = time
    self.endpoint = endpoint
    self.operation = operation
    self.query = query
    self.variables = variables
    self.cachePolicy = cachePolicy
    self.status = status
    self.errorCount = errorCount
    self.elapsed = elapsed
    self.byteCount = byteCount
    self.response = response
    self.hidden = hidden
  }

  /// The endpoint with the name of its profile.
  var endpointWords: String { profile.map { "\($0): \(endpoint)" } ?? endpoint }
}
