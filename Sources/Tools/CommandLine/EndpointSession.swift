import ApusClientCore
import ApusClientNetwork
import ApusConfiguration
import ApusDemo
import ApusExplorerPersistence
import ApusGraphQLMediaTypes
import ApusSecrets
import Synchronization

/// The resources of a running explorer: its session store, the demo API if it was started, the endpoint of the
/// command line, and the settings of each opened endpoint.
final class EndpointSession: Sendable {
  private struct State {
    var workspace: SessionStore?
    var demo: DemoServer?
    var first: FirstEndpoint?
    var identities: [EndpointSettings] = []
    var clients: [GraphQLClient] = []
  }

  /// The endpoint for which the options of the command line were given.
  private struct FirstEndpoint {
    var profile: String?
    var url: String
    /// `nil` for a cache file, for the demo API, and for a project's endpoint that the user has not allowed yet.
    var origin: Origin?
  }

  private let state = Mutex(State())
  /// The sign-ins that are kept in memory.
  let signIns = MemoryTokenStores()

  var workspace: SessionStore? { state.withLock { $0.workspace } }

  /// Whether an endpoint has been opened.
  var isOpen: Bool { state.withLock { $0.first != nil } }

  /// Records an endpoint as the one of the command line, if it is the first, or the first allowed one of its name.
  func open(_ url: String, profile: String?, takesOptions: Bool = true) {
    state.withLock { state in
      if let first = state.first, first.origin != nil || profile == nil || first.profile != profile { return }
      let origin = takesOptions ? Origin(url: url) : nil
      state.first = FirstEndpoint(profile: profile, url: NormalizedURL.of(url), origin: origin)
    }
  }

  /// Whether an endpoint gets the connection options of the command line: before another endpoint is open, and later at the
  /// same origin, unless it is another profile with its own credentials.
  func takesOptions(_ url: String, _ profile: Profile?) -> Bool {
    state.withLock { state in
      guard let first = state.first else { return true }
      let isNamed = profile != nil && first.profile == profile?.name
      guard let origin = first.origin else { return isNamed }
      return (isNamed || profile?.hasCredentials != true) && Origin(url: url) == origin
    }
  }

  /// Whether an endpoint is the one of the command line, which has its schema and its cache file.
  func isFirst(_ url: String, _ profile: Profile?) -> Bool {
    guard takesOptions(url, profile) else { return false }
    return state.withLock { $0.first.map { $0.origin == nil || $0.url == NormalizedURL.of(url) } ?? true }
  }

  /// Whether an endpoint of this name may be the one of the command line.
  func mayBeFirst(named name: String) -> Bool { state.withLock { $0.first.map { $0.profile == name } ?? true } }

  /// Returns a number that endpoints with the same settings share.
  func identity(of settings: EndpointSettings) -> Int {
    state.withLock { state in
      if let index = state.identities.firstIndex(of: settings) { return index }
      state.identities.append(settings)
      return state.identities.count - 1
    }
  }

  func keep(in workspace: SessionStore?) { state.withLock { $0.workspace = workspace } }

  /// Returns the URL of the demo API, which is started on first use.
  func demoURL() async throws(CommandError) -> String {
    if let demo = state.withLock({ $0.demo }) { return demo.url }
    let started = try await DemoServer.start(delayScale: 1)
    let held = state.withLock { state in
      if state.demo == nil { state.demo = started }
      return state.demo ?? started
    }
    if held !== started { started.stop() }
    return held.url
  }

  /// Keeps the client of an endpoint until the explorer ends.
  func add(_ client: GraphQLClient) { state.withLock { $0.clients.append(client) } }

  /// Ends all subscriptions. Returns after the servers were notified.
  func closeSubscriptions() async {
    await withTaskGroup(of: Void.self) { group in
      for client in state.withLock({ $0.clients }) { group.addTask { await client.closeSubscriptions() } }
    }
  }

  /// Stops the demo API if it was started.
  func stop() {
    let demo = state.withLock { state in
      defer { state.demo = nil }
      return state.demo
    }
    demo?.stop()
  }
}

/// The settings on which the requests to an endpoint and their processing depend.
struct EndpointSettings: Equatable {
  private var request: HTTPRequest
  private var schema: String?
  private var subscriptionTransport: String?
  private var subscriptionURL: String?
  private var onError: String?
  private var connectionPayload: [Profile.Header]
  private var cacheKeys: CacheKeySettings
  private var environment: [Profile.Header]
  private var authentication: Authentication?
  /// Whether the subscription options of the command line apply.
  private var takesSubscriptionOptions: Bool

  init(_ request: HTTPRequest, _ profile: Profile?, schema: String?, takesSubscriptionOptions: Bool) {
    self.request = request
    self.request.url = NormalizedURL.of(request.url)
    self.schema = schema
    subscriptionTransport = profile?.subscriptionTransport
    subscriptionURL = profile?.subscriptionURL
    onError = profile?.onError
    connectionPayload = profile?.connectionPayload ?? []
    cacheKeys = profile?.cacheKeys ?? CacheKeySettings()
    environment = profile?.environment ?? []
    authentication = profile?.authentication
    self.takesSubscriptionOptions = takesSubscriptionOptions
  }
}

extension Profile {
  /// The `onError` parameter of requests.
  var errorBehavior: ErrorBehavior? { onError.flatMap { ErrorBehavior(rawValue: $0) } }

  fileprivate var hasCredentials: Bool {
    !headers.isEmpty || authentication != nil || !connectionPayload.isEmpty || certificate != nil
  }
}
