import ApusExplorerCore
import Synchronization
import Testing

/// Effects that are started while another one with their key runs.
@Suite(.timeLimit(.minutes(1))) struct EffectRunnerTests {
  /// Runs effects while the first one is held up; returns the names of the performed ones.
  private func run(_ effects: [Effect]) async -> [String] {
    let done = Mutex<[String]>([])
    let (began, begun) = AsyncStream<Void>.makeStream()
    let (opened, open) = AsyncStream<Void>.makeStream()
    let hold: @Sendable (String) async -> Void = { name in
      let isFirst = done.withLock { done in
        done.append(name)
        return done.count == 1
      }
      if isFirst {
        begun.yield()
        for await _ in opened { break }
      }
    }
    var environment = ExplorerEnvironment()
    environment.cache.edit = { edit in
      await hold("\(edit)")
      return ""
    }
    environment.cache.listRecords = { listing in
      await hold(listing.filter)
      return RecordPage()
    }
    let (settled, settle) = AsyncStream<Void>.makeStream()
    let runner = EffectRunner(environment: environment, send: { _ in }, onSettled: { settle.yield() })
    runner.run(effects[0])
    for await _ in began { break }
    for effect in effects.dropFirst() { runner.run(effect) }
    open.yield()
    for await _ in settled { break }
    return done.withLock { $0 }
  }

  @Test func `every cache edit is made, in order`() async {
    let edits = ["a", "b", "c"].map { CacheEdit.evictRecords([$0]) }
    #expect(await run(edits.map { .cache(.edit($0)) }) == edits.map { "\($0)" })
  }

  @Test func `only the last of several waiting listings runs`() async {
    let listings = ["a", "b", "c"].map { filter in
      var listing = RecordListing()
      listing.filter = filter
      return Effect.cache(.listRecords(listing))
    }
    #expect(await run(listings) == ["a", "c"])
  }

  @Test func `a waiting copy is made before the explorer exits`() async {
    let done = Mutex<[String]>([])
    let (began, begun) = AsyncStream<Void>.makeStream()
    let (opened, open) = AsyncStream<Void>.makeStream()
    var environment = ExplorerEnvironment()
    environment.exchange.putOnClipboard = { text in
      begun.yield()
      if text == "a" { for await _ in opened { break } }
      done.withLock { $0.append(text) }
      return .none
    }
    // This effect ends only when it is canceled, and it then releases the first copy.
    environment.cache.listRecords = { _ in
      begun.yield()
      await withTaskCancellationHandler {
        while !Task.isCancelled { await Task.yield() }
      } onCancel: {
        open.yield()
      }
      return RecordPage()
    }
    let runner = EffectRunner(environment: environment, send: { _ in })
    runner.run(.exchange(.putOnClipboard("a")))
    runner.run(.cache(.listRecords(RecordListing())))
    var begins = began.makeAsyncIterator()
    for _ in 0..<2 { _ = await begins.next() }
    runner.run(.exchange(.putOnClipboard("b")))
    await runner.stop()
    #expect(done.withLock { $0 } == ["a", "b"])
  }
}
