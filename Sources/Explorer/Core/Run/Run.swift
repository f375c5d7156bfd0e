import ApusClientAPI
import ApusClientRequests
import ApusJSON
import ApusSecrets

/// A request to execute an operation.
package struct RunRequest: Equatable, Sendable {
  package var id: Int
  /// The request, without headers and without the operation's name: `offset` selects the operation.
  package var draft: RequestDraft
  /// The byte offset of the cursor in the text, which selects the operation.
  package var offset: Int
  /// Header lines as written; the environment expands the references in them.
  package var headers: TabHeaders
  /// The folder of the document's file; empty for the current directory.
  package var folder = ""
  /// The only server that may receive the extensions; `nil` if no endpoint is open or there are no extensions.
  package var extensionsOrigin: Origin?
  /// Files outside the folder, or hidden ones, that the user allowed to be uploaded.
  package var allowedFiles: [UploadCandidate] = []
  /// The number of the application's request whose response is shown, so that nothing is sent; `nil` for a request of the
  /// user.
  package var observed: Int?

  package init(id: Int, draft: RequestDraft, offset: Int = 0, headers: TabHeaders = []) {
    self.id = id
    self.draft = draft
    self.offset = offset
    self.headers = headers
  }
}

/// An error that ended a run, with the stage in which it occurred.
package struct RunError: Equatable, Sendable {
  package enum Stage: String, Equatable, Sendable {
    /// The document or its variables are invalid; nothing was sent.
    case document, variables
    case network, server, response
  }

  package var stage: Stage
  package var message: String
  /// The text for the status line; `nil` if the run's status is enough.
  package var summary: String?

  package init(_ stage: Stage, _ message: String, summary: String? = nil) {
    self.stage = stage
    self.message = message
    self.summary = summary
  }
}

/// Facts about an operation that are determined before it is sent.
package struct OperationInfo: Equatable, Sendable {
  package var name: String?
  package var kind: String
  package var hidden: HiddenFields
  /// The local time at which the operation was sent.
  package var startedAt: ClockTime?

  package init(name: String?, kind: String, hidden: HiddenFields = HiddenFields(), startedAt: ClockTime? = nil) {
    self.name = name
    self.kind = kind
    self.hidden = hidden
    self.startedAt = startedAt
  }

  package var title: String { name.map { "\(kind) \($0)" } ?? kind }
}

package struct RunResult: Equatable, Sendable {
  package var data: JSONValue?
  package var errors: [GraphQLError]
  package var extensions: JSONValue?
  package var fragments: [DeferredFragment]
  package var streams: [StreamedList]
  package var missing: [ResponsePath]
  package var changedPaths: [ResponsePath]
  package var isComplete: Bool
  package var isFromCache: Bool
  package var payloadIndex: Int
  package var elapsed: Duration
  /// Whether a newer result of the run has already arrived.
  package var isFollowed = false
  package var byteCount: Int
  /// Lists whose other pages can be loaded, outer lists first.
  package var lists: [PagedList]

  package init(
    data: JSONValue?, errors: [GraphQLError] = [], fragments: [DeferredFragment] = [], missing: [ResponsePath] = [],
    changedPaths: [ResponsePath] = [], isComplete: Bool = true, isFromCache: Bool = false, payloadIndex: Int = 0,
    elapsed: Duration = .zero, byteCount: Int = 0, lists: [PagedList] = [], extensions: JSONValue? = nil,
    streams: [StreamedList] = []
  ) {
    self.streams = streams
    self.data = data
    self.errors = errors
    self.extensions = extensions
    self.fragments = fragments
    self.missing = missing
    self.changedPaths = changedPaths
    self.isComplete = isComplete
    self.isFromCache = isFromCache
    self.payloadIndex = payloadIndex
    self.elapsed = elapsed
    self.byteCount = byteCount
    self.lists = lists
  }
}

/// An operation that the user ran, from the key press to its current state.
package struct Run: Equatable, Sendable {
  package enum Phase: Equatable, Sendable {
    case sending, receiving, complete, failed, cancelled
  }

  package var id: Int
  /// The request; nil for a restored run.
  package var request: RunRequest?
  /// The endpoint that the request was sent to; nil for a restored run.
  package var endpoint: String?
  /// The name of that endpoint's profile; nil for a URL.
  package var profile: String?
  package var operation: OperationInfo?
  package var phase = Phase.sending
  package var payloadCount = 0
  /// Payloads that continued an event of a subscription.
  package var continuations = 0
  /// Pages that were loaded after the response and are shown with it.
  package var pages = 0
  package var byteCount = 0
  package var elapsed = Duration.zero
  /// The time that the user has waited. It exceeds `elapsed` if received results take long to appear on the screen.
  package var waited = Duration.zero
  package var errors: [GraphQLError] = []
  /// Subscription events that contained errors.
  package var failedEvents = 0
  package var extensions: JSONValue?
  package var failure: RunError?
  package var fragments: [DeferredFragment] = []
  package var streams: [StreamedList] = []
  package var isFromCache = false
  /// Lists whose other pages can be loaded, outer lists first.
  package var lists: [PagedList] = []
  /// The path of the list that pages were last loaded for.
  package var pagedPath: ResponsePath?
  package var paging: PagingState?
  /// Whether evicted data was refetched.
  package var hasFetchedAgain = false
  /// Fields read from the cache and from the network; nil until they have been counted.
  package var cacheUse: CacheUsage?
  /// The number of times that the run was reread after changes to the cache.
  package var rereads = 0

  package init(id: Int) {
    self.id = id
  }

  /// The number of events of a subscription. One event can have several payloads.
  package var eventCount: Int { payloadCount - continuations }
  package var isActive: Bool { phase == .sending || phase == .receiving }
  /// Whether the run is from an earlier session, of which only the response was saved.
  package var isRestored: Bool { request == nil && !isActive }
}

extension [DeferredFragment] {
  /// Whether a fragment is missing at the end of the response without a server error that explains it.
  package var lackOneSilently: Bool { contains { $0.shortfall?.isSilent == true } }
}
