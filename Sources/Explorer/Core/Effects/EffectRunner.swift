import Synchronization

/// Performs effects, each in a task that is registered before it starts, so that it is known when no effect is running.
///
/// - Effects with the same key (the analysis of a document, the list of records) run one at a time. Of those that arrive in
///   the meantime only the last one runs, so that no outdated result is computed.
/// - Each endpoint has its environment. An effect about a run is performed by the one where the run was started.
/// - Effects that never end by themselves (the clock) run in the background and do not count as activity.
package final class EffectRunner: Sendable {
  private struct Job {
    var perform: EffectWork.Perform
    var traits: EffectTraits
    var endpoint: EndpointID
    var isFinishedFirst: Bool { traits.contains(.isFinishedFirst) }
  }

  private struct State {
    var tasks: [EffectKey: (id: Int, task: Task<Void, Never>, job: Job)] = [:]
    var waiting: [EffectKey: [Job]] = [:]
    var environments: [EndpointID: ExplorerEnvironment]
    /// The endpoints of the runs.
    var runs: [Int: EndpointID] = [:]
    var foreground = 0
    var lastID = 0
    var isStopped = false
  }

  /// The environment for an endpoint that is not open.
  private let unopened: ExplorerEnvironment
  private let send: ExplorerEnvironment.Send
  private let onSettled: @Sendable () -> Void
  private let state: Mutex<State>

  /// Calls `onSettled` each time the last foreground task has ended, after all the actions that it sent. `environment` is
  /// the one of the first endpoint, and also of those that are not open if `unopened` is nil.
  package init(
    environment: ExplorerEnvironment, unopened: ExplorerEnvironment? = nil, send: @escaping ExplorerEnvironment.Send,
    onSettled: @escaping @Sendable () -> Void = {}
  ) {
    self.unopened = unopened ?? environment
    self.send = send
    self.onSettled = onSettled
    state = Mutex(State(environments: [.first: environment]))
    environment.listen(sender(of: .first))
  }

  package var isSettled: Bool { state.withLock { $0.foreground == 0 } }

  /// Runs an effect at the endpoint of the shown tab, unless it is about another endpoint or about a run.
  package func run(_ effect: Effect, at shown: EndpointID = .first) {
    switch effect {
    case .at(let endpoint, let effect): run(effect, at: endpoint)
    case .run(let id, let runEffect):
      let endpoint = state.withLock { $0.runs[id] } ?? shown
      perform(runEffect.work(for: id), at: endpoint)
      state.withLock { state in
        if case .start = runEffect { state.runs[id] = endpoint }
        if case .forget = runEffect { state.runs[id] = nil }
      }
    case .screen, .reading, .text, .cache, .endpoint, .history, .session, .file, .export, .exchange, .requests:
      if let work = effect.work(at: shown) { perform(work, at: shown) }
    }
  }

  private func perform(_ work: EffectWork, at endpoint: EndpointID) {
    switch work {
    case .start(let key, let traits, let perform):
      start(Job(perform: perform, traits: traits, endpoint: endpoint), EffectKey(key))
    case .restart(let key, let traits, let perform):
      cancel(EffectKey(key))
      start(Job(perform: perform, traits: traits, endpoint: endpoint), EffectKey(key))
    case .cancel(let key): cancel(EffectKey(key))
    case .immediately(let perform): perform(environment(of: endpoint))
    case .open(let key, let open):
      let perform: EffectWork.Perform = { [self] environment, _ in receive(await open(environment), of: endpoint) }
      start(Job(perform: perform, traits: [], endpoint: endpoint), EffectKey(key))
    case .close: close(endpoint)
    }
  }

  // MARK: Endpoints

  private func environment(of endpoint: EndpointID) -> ExplorerEnvironment {
    state.withLock { $0.environments[endpoint] } ?? unopened
  }

  /// Returns a function that sends actions, those about the endpoint with its identity.
  private func sender(of endpoint: EndpointID) -> ExplorerEnvironment.Send {
    { [send] action in send(action.isAboutEndpoint ? .from(endpoint, action) : action) }
  }

  private func receive(_ answer: EndpointAnswer, of endpoint: EndpointID) {
    guard !Task.isCancelled else { return }
    switch answer {
    case .connected(let choice, let workspace, let environment):
      let environment = environment ?? unopened
      state.withLock { $0.environments[endpoint] = environment }
      environment.listen(sender(of: endpoint))
      send(.from(endpoint, .connected(choice, workspace)))
    case .confirmationRequested(let question): send(.from(endpoint, .confirmationRequested(question)))
    case .operationFailed(let reason): send(.from(endpoint, .operationFailed(reason)))
    }
  }

  /// Ends the effects at an endpoint and releases its environment.
  private func close(_ endpoint: EndpointID) {
    let tasks = state.withLock { state in
      state.environments[endpoint] = nil
      state.runs = state.runs.filter { $0.value != endpoint }
      state.waiting = state.waiting.mapValues { $0.filter { $0.endpoint != endpoint || $0.isFinishedFirst } }
        .filter { !$0.value.isEmpty }
      return state.tasks.values.filter { $0.job.endpoint == endpoint && !$0.job.isFinishedFirst }.map(\.task)
    }
    for task in tasks { task.cancel() }
  }

  // MARK: Tasks

  /// Cancels the running effects and accepts no new ones. Effects with results that the user expects to find are
  /// finished first, such as saving a file and recording the history.
  package func stop() async {
    let tasks = state.withLock { state in
      state.isStopped = true
      state.waiting = state.waiting.filter { $0.value.allSatisfy(\.isFinishedFirst) }
      return state.tasks.values.filter { !$0.job.isFinishedFirst }.map(\.task)
    }
    for task in tasks { task.cancel() }
    while let task = state.withLock({ $0.tasks.values.first { $0.job.isFinishedFirst }?.task }) { await task.value }
  }

  private func cancel(_ key: EffectKey) {
    let task = state.withLock { state in
      state.waiting[key] = nil
      return state.tasks[key]?.task
    }
    task?.cancel()
  }

  private func start(_ job: Job, _ key: EffectKey) {
    state.withLock { state in
      guard !state.isStopped else { return }
      guard state.tasks[key] != nil, !job.traits.contains(.isBackground) else { return launch(job, key, &state) }
      state.waiting[key] = (job.traits.contains(.isQueued) ? state.waiting[key] ?? [] : []) + [job]
    }
  }

  private func launch(_ job: Job, _ key: EffectKey, _ state: inout State) {
    state.lastID += 1
    let id = state.lastID
    if !job.traits.contains(.isBackground) { state.foreground += 1 }
    let task = Task { [self] in
      await job.perform(environment(of: job.endpoint), sender(of: job.endpoint))
      finish(key, id, job.traits)
    }
    state.tasks[key] = (id, task, job)
  }

  private func finish(_ key: EffectKey, _ id: Int, _ traits: EffectTraits) {
    let isSettled = state.withLock { state in
      if state.tasks[key]?.id == id {
        state.tasks[key] = nil
        if var waiting = state.waiting.removeValue(forKey: key) {
          let next = waiting.removeFirst()
          if !waiting.isEmpty { state.waiting[key] = waiting }
          launch(next, key, &state)
        }
      }
      guard !traits.contains(.isBackground) else { return false }
      state.foreground -= 1
      return state.foreground == 0
    }
    if isSettled { onSettled() }
  }
}
