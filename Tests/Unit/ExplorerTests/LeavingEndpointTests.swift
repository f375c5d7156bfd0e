import ApusClientCache
import ApusClientCore
import ApusExplorerCore
import ApusExplorerWorld
import Synchronization
import Testing

/// Switching endpoints: the cache is shared, so runs of the previous endpoint must not write to it afterwards.
@Suite struct LeavingEndpointTests {
  @Test(arguments: [Effect.connect("other"), .trustProject("digest", endpoint: "other")])
  func `switching endpoints cancels the runs of all tabs`(leaving: Effect) {
    var state = BirdStation.state(after: BirdStation.running + [.commandInvoked(.newTab)])
    #expect(state.tabs.all.map(\.content.response.isBusy) == [true, false])
    let question = Confirmation(question: "Go there?", detail: "", effect: leaving)
    _ = update(&state, .asked(question))
    let effects = update(&state, .commandInvoked(.confirmYes))
    #expect(effects.prefix(1) == [.cancelRun(1)])
    #expect(effects.contains(leaving))
    #expect(state.tabs.all[0].content.response.run?.phase == .cancelled)
  }

  @Test func `runs end before the cache is cleared`() async {
    let order = Mutex<[String]>([])
    let (began, begun) = AsyncStream<Void>.makeStream()
    var world = ExplorerWorld()
    world.run = { _, _ in
      begun.yield()
      // Emitted results are written before a canceled run ends.
      await withTaskCancellationHandler {
        while !Task.isCancelled { await Task.yield() }
      } onCancel: {
      }
      order.withLock { $0.append("ran") }
    }
    world.connect = { _ in
      order.withLock { $0.append("connected") }
      return .operationFailed("")
    }
    let (settled, settle) = AsyncStream<Void>.makeStream()
    let runner = EffectRunner(world: world, send: { _ in }, onSettled: { settle.yield() })
    let request = RunRequest(id: 1, text: "{ a }", offset: 0, variables: "")
    runner.run(.run(request))
    for await _ in began { break }
    runner.run(.connect("other"))
    for await _ in settled { break }
    #expect(order.withLock { $0 } == ["ran", "connected"])
  }

  @Test func `a schema request that is canceled by switching endpoints sends nothing`() async {
    let (asked, ask) = AsyncStream<Void>.makeStream()
    let live = LiveWorld(
      client: GraphQLClient(url: "http://127.0.0.1:1/graphql", store: CacheStore()),
      schema: {
        ask.yield()
        while !Task.isCancelled { await Task.yield() }
        throw CancellationError()
      })
    let world = live.world
    let told = Mutex<[Action]>([])
    let loading = Task {
      await world.loadSchema(.server([]), { action in told.withLock { $0.append(action) } })
    }
    for await _ in asked { break }
    loading.cancel()
    await loading.value
    #expect(told.withLock { $0 } == [])
  }
}
