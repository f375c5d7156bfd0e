import ApusClientAPI
import ApusJSON
import ApusSecrets

/// What is asked of the world when an operation is to run.
package struct RunRequest: Equatable, Sendable {
  package var id: Int
  package var text: String
  /// Where the cursor is in the text, in bytes: it picks the operation.
  package var offset: Int
  package var variables: String
  /// Header lines as they were written; the world puts in what they refer to.
  package var headers: TabHeaders
  /// The folder of the document's file; empty for the one that the program was started in.
  package var folder = ""
  /// Where a query looks first.
  package var cachePolicy = CachePolicy.networkOnly
  /// The request's `extensions`, as JSON text; empty for none.
  package var extensions = ""
  /// The server that the extensions are for; `nil` where there is none, and where there are no extensions.
  package var extensionsOrigin: Origin?
  /// Files that the person allowed to go along although they lie elsewhere, or are hidden.
  package var allowedFiles: [AskedFile] = []

  package init(id: Int, text: String, offset: Int, variables: String, headers: TabHeaders = []) {
    self.id = id
    self.text = text
    self.offset = offset
    self.variables = variables
    self.headers = headers
  }
}

/// What went wrong with a run as a whole, in one line, and whose fault it is.
package struct RunFailure: Equatable, Sendable {
  package enum Stage: String, Equatable, Sendable {
    /// The text or its variables: nothing was sent.
    case document, variables
    case network, server, response
  }

  package var stage: Stage
  package var message: String
  /// The status line's words for it; `nil` where the run's status says enough.
  package var summary: String?

  package init(_ stage: Stage, _ message: String, summary: String? = nil) {
    self.stage = stage
    self.message = message
    self.summary = summary
  }
}

/// What the world learned of an operation before it was sent.
package struct RunningOperation: Equatable, Sendable {
  package var name: String?
  package var kind: String
  package var hidden: HiddenFields
  /// When it was sent, where the person is.
  package var startedAt: ClockTime?

  package init(name: String?, kind: String, hidden: HiddenFields = HiddenFields(), startedAt: ClockTime? = nil) {
    self.name = name
    self.kind = kind
    self.hidden = hidden
    self.startedAt = startedAt
  }

  package var title: String { name.map { "\(kind) \($0)" } ?? kind }
}

/// One result as the explorer keeps it.
package struct RunResult: Equatable, Sendable {
  package var data: JSONValue?
  package var errors: [GraphQLError]
  package var extensions: JSONValue?
  package var fragments: [DeferredFragment]
  package var streams: [DeferredStream]
  package var missing: [ResponsePath]
  package var changedPaths: [ResponsePath]
  package var isComplete: Bool
  package var isFromCache: Bool
  package var part: Int
  package var elapsed: Duration
  /// Whether a newer result of the run is here already.
  package var isFollowed = false
  package var byteCount: Int
  /// The lists whose other pages can be loaded, the outer ones first.
  package var lists: [PagedList]

  package init(
    data: JSONValue?, errors: [GraphQLError] = [], fragments: [DeferredFragment] = [], missing: [ResponsePath] = [],
    changedPaths: [ResponsePath] = [], isComplete: Bool = true, isFromCache: Bool = false, part: Int = 0,
    elapsed: Duration = .zero, byteCount: Int = 0, lists: [PagedList] = [], extensions: JSONValue? = nil,
    streams: [DeferredStream] = []
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
    self.part = part
    self.elapsed = elapsed
    self.byteCount = byteCount
    self.lists = lists
  }
}

/// An operation that was asked for, from the key press to what is known of it now.
package struct Run: Equatable, Sendable {
  package enum Phase: Equatable, Sendable {
    case sending, receiving, complete, failed, cancelled
  }

  package var id: Int
  /// What was asked for; nil for a run that was restored.
  package var request: RunRequest?
  /// The endpoint that it was sent to; nil for a run that was restored.
  package var endpoint: String?
  package var operation: RunningOperation?
  package var phase = Phase.sending
  package var parts = 0
  /// The pages that were loaded behind the response and are shown with it.
  package var pages = 0
  package var byteCount = 0
  package var elapsed = Duration.zero
  /// How long the person has waited, which is longer where what came takes long to be shown.
  package var waited = Duration.zero
  package var errors: [GraphQLError] = []
  /// How many events of a subscription came with errors.
  package var failedEvents = 0
  package var extensions: JSONValue?
  package var failure: RunFailure?
  package var fragments: [DeferredFragment] = []
  package var streams: [DeferredStream] = []
  package var isFromCache = false
  /// The lists whose other pages can be loaded, the outer ones first.
  package var lists: [PagedList] = []
  /// The list that pages were loaded of last.
  package var pagedPath: ResponsePath?
  package var paging: Paging?
  /// Whether what the cache lost was fetched again.
  package var hasFetchedAgain = false
  /// What it took from the cache and what from the network; nil until that was asked for.
  package var cacheUse: CacheUse?
  /// How often it was read again from the cache, because others changed what it shows.
  package var rereads = 0

  package init(id: Int) {
    self.id = id
  }

  package var isActive: Bool { phase == .sending || phase == .receiving }
  /// Whether it is of an earlier session, of which the response alone was kept.
  package var isRestored: Bool { request == nil && !isActive }
  package var pendingCount: Int { fragments.count { $0.state.isPending } }
}

extension [DeferredFragment] {
  /// Whether the response ended without one of them, and no error of the server's tells so.
  package var lackOneSilently: Bool { contains { $0.shortfall?.isSilent == true } }
}
