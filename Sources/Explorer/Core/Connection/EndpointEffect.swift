import ApusJSON

/// Work for an endpoint. One effect of a kind runs at each endpoint.
package enum EndpointEffect: Equatable, Sendable {
  /// Opens the endpoint by its name or URL. `restoring` is the URL that it had in a saved session.
  case connect(String, restoring: String? = nil)
  /// Trusts the project file with this digest and opens its endpoint.
  case trustProject(String, endpoint: String)
  /// No tab uses the endpoint any more.
  case close
  case loadSchema(SchemaRequest)
  /// Runs the commands that supply the endpoint's credentials again.
  case renewCredentials
  /// Signs in with the user's help.
  case signIn
  case cancelSignIn
  case signOut
  /// Uses a value of a run's response as a header of all requests to the endpoint.
  case useValue(HeaderOfValue, at: ResponsePath, run: Int)
  /// Checks the endpoint against the specifications.
  case audit(Int)
  case cancelAudit

  private enum Key: Hashable {
    case connection(EndpointID), schema(EndpointID), credentials(EndpointID), signIn(EndpointID), audit(EndpointID)
  }

  func work(at id: EndpointID) -> EffectWork {
    switch self {
    case .connect(let word, let url): .open(Key.connection(id)) { await $0.endpoint.connect(word, url) }
    case .trustProject(let file, let name): .open(Key.connection(id)) { await $0.endpoint.trustProject(file, name) }
    case .close: .close
    case .loadSchema(let request): .restart(Key.schema(id)) { await $0.endpoint.loadSchema(request, $1) }
    case .renewCredentials: .start(Key.credentials(id)) { $1(await $0.endpoint.renewCredentials()) }
    case .signIn: .restart(Key.signIn(id), .isBackground) { await $0.endpoint.signIn($1) }
    case .cancelSignIn: .cancel(Key.signIn(id))
    case .signOut: .start(Key.credentials(id)) { await $0.endpoint.signOut($1) }
    case .useValue(let header, let path, let run):
      .start(Key.credentials(id)) { $1(await $0.endpoint.useValue(header, path, run)) }
    case .audit(let number):
      .restart(Key.audit(id)) { environment, send in await environment.endpoint.audit { send(.audit(number, $0)) } }
    case .cancelAudit: .cancel(Key.audit(id))
    }
  }
}

/// Access to one endpoint.
package struct EndpointEnvironment: Sendable {
  /// Opens an endpoint by name or URL. For one of a saved session, the URL that it had then is given too.
  package var connect: @Sendable (_ word: String, _ restoring: String?) async -> EndpointAnswer = { word, _ in
    .operationFailed("there is no endpoint \(word)")
  }
  /// Trusts the project file with this digest and opens its endpoint of this name; returns the same
  /// as `connect`.
  package var trustProject: @Sendable (_ file: String, _ endpoint: String) async -> EndpointAnswer = { _, name in
    .operationFailed("there is no project with the endpoint \(name)")
  }
  /// Sends `loaded`, twice if a saved schema was shown before the server's arrived, or `failed`.
  package var loadSchema: @Sendable (SchemaRequest, ExplorerEnvironment.Send) async -> Void = {
    $1(.schema(.failed("there is no server")))
  }
  /// Runs the commands that supply the endpoint's credentials again; returns `credentialsRenewed` or `operationFailed`.
  package var renewCredentials: @Sendable () async -> Action = { .operationFailed("There are no credentials to renew") }
  /// Signs in with the user's help; sends `shown` for each step, then `completed` or `failed`. A canceled sign-in sends
  /// nothing more.
  package var signIn: @Sendable (@escaping ExplorerEnvironment.Send) async -> Void = {
    $0(.signIn(.failed("There is nothing to sign in to")))
  }
  /// Removes the tokens; sends `signedOut` or `failed`.
  package var signOut: @Sendable (ExplorerEnvironment.Send) async -> Void = {
    $0(.signIn(.failed("There is nothing to sign out of")))
  }
  /// Uses the value at a path of a run's response as a header; returns `valueUsed` or `operationFailed`.
  package var useValue: @Sendable (HeaderOfValue, ResponsePath, _ run: Int) async -> Action = { _, _, _ in
    .operationFailed("There is no server for the header")
  }
  /// Checks the endpoint against the specifications; returns when the last audit has ended.
  package var audit: @Sendable (@escaping @Sendable (AuditAction) -> Void) async -> Void = {
    $0(.ended("there is no server to audit"))
  }

  package init() {}
}

/// The result of opening an endpoint.
package enum EndpointAnswer: Sendable {
  /// The endpoint is open. The saved session is given for the first endpoint; the environment is the one of the endpoint,
  /// if it differs from the one that opened it.
  case connected(EndpointChoice, SavedSession? = nil, ExplorerEnvironment? = nil)
  /// A question must be answered first.
  case confirmationRequested(ConfirmationPopup)
  case operationFailed(String)
}
