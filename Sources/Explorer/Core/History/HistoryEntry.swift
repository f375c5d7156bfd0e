import ApusClientAPI
import ApusClientRequests
import ApusJSON

/// A run in the history.
package struct HistoryEntry: Equatable, Sendable {
  package enum Status: String, Equatable, Sendable { case complete, failed, cancelled }

  package var id: Int
  /// The time at which the run was recorded, in seconds since 1970.
  package var time: Int
  /// The name of the endpoint's profile; nil for a URL, and in older entries.
  package var profile: String?
  package var operation: String
  /// The request, without headers. Its URL is the endpoint, and its secrets are references.
  package var request: RequestDraft
  package var status: Status
  package var errorCount: Int
  package var elapsed: Duration
  package var byteCount: Int
  /// The data of the response, unless it was too large to store. Data, errors, extensions and failure are loaded
  /// separately from the list.
  package var response: JSONValue?
  package var errors: [GraphQLError] = []
  package var extensions: JSONValue?
  /// The error that ended the run, which has the part of the response that arrived before it.
  package var failure: RunError?
  /// The response's fields that the explorer added; not stored.
  package var hidden: HiddenFields?

  package init(
    id: Int = 0, time: Int = 0, operation: String, request: RequestDraft, status: Status, errorCount: Int = 0,
    elapsed: Duration = .zero, byteCount: Int = 0, response: JSONValue? = nil, hidden: HiddenFields? = nil
  ) {
    self.id = id
    self.time = time
    self.operation = operation
    self.request = request
    self.status = status
    self.errorCount = errorCount
    self.elapsed = elapsed
    self.byteCount = byteCount
    self.response = response
    self.hidden = hidden
  }

  package var endpoint: String { request.url }
  /// The endpoint with the name of its profile.
  var endpointWords: String { profile.map { "\($0): \(endpoint)" } ?? endpoint }
}
