import ApusExplorerCore
import ApusExplorerTerminal
import Synchronization

/// The loop of the explorer: keys and answers in, frames out, nothing that waits in between.
///
/// 1. All that gathered in the mailbox is taken at once and turned into actions.
/// 2. `update` changes the state and tells effects, which the runner starts.
/// 3. One frame is drawn of what came of it all.
@ScreenActor
package final class ExplorerLoop {
  private enum Message: Sendable {
    case terminal(TerminalEvent)
    case action(Action)
    /// The last effect has ended, or somebody wants to know.
    case settled
  }

  package private(set) var state: ExplorerState
  /// How many of the terminal's events have been dealt with.
  package private(set) var handledEvents = 0

  private let backend: any TerminalBackend
  private let themes: [ThemeChoice]
  private var shownTheme: (index: Int, theme: Theme)?
  private let keys: KeyTable
  private let inbox: Inbox<Message>
  private var taken = 0
  private let runner: EffectRunner
  /// Where everything stands since the last action.
  private var layout: ScreenLayout
  private var drawn: DrawnPlaces?
  private var pointer = Pointer()
  private var reader = KeyReader()
  private var observers:
    [(isDone: @ScreenActor (ExplorerLoop) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []
  package private(set) var hasStarted = false
  /// Keys that wait for the records that they are meant for.
  private var held: [TerminalEvent] = []
  /// Texts that are with another program.
  private let externalEditor = ExternalEditor()
  private var handovers = 0
  private let world: ExplorerWorld
  private let log: ExplorerLog?
  private var lastInput = ContinuousClock.now
  private var kept: Workspace
  package private(set) var hasEnded = false

  package init(
    state: ExplorerState, world: ExplorerWorld, backend: any TerminalBackend, themes: [ThemeChoice],
    keys: KeyTable = .standard, log: ExplorerLog? = nil
  ) {
    self.log = log
    self.state = state
    self.world = world
    kept = Workspace(state)
    self.backend = backend
    self.themes = themes.isEmpty ? [ThemeChoice(.builtIn(capabilities: backend.capabilities))] : themes
    self.keys = keys
    self.state.screen.keyRows = keys.rows
    layout = ScreenLayout(state, size: backend.size)
    let inbox = Inbox<Message>()
    self.inbox = inbox
    runner = EffectRunner(
      world: world, send: { inbox.post([.action($0)]) }, onSettled: { inbox.post([.settled]) })
  }

  /// Runs until the explorer is quit or the terminal goes away.
  package func run() async {
    let events = Task { @ScreenActor [backend, inbox] in
      while !Task.isCancelled {
        inbox.post(await backend.nextEvents().map { .terminal($0) })
      }
    }
    layOut()
    draw()
    perform(.started)
    hasStarted = true
    while !state.isQuitting {
      let messages = await inbox.next()
      if messages.isEmpty { break }
      taken += messages.count
      for message in Self.noting(messages) { take(message) }
      draw()
      keep()
      notify()
    }
    events.cancel()
    await externalEditor.endAll()
    await runner.stop()
    world.finishKeeping()
    hasEnded = true
    notify()
    await log?.finish()
  }

  /// Says of each result behind which a newer one of its run waits already that it is followed: nothing is drawn in between,
  /// so the tree of the response need not be made of it.
  private static func noting(_ messages: [Message]) -> [Message] {
    var messages = messages
    var followed: Set<Int> = []
    for (index, message) in messages.enumerated().reversed() {
      switch message {
      case .action(.run(let id, .resultReceived(var result))):
        if followed.insert(id).inserted { continue }
        result.isFollowed = true
        messages[index] = .action(.run(id, .resultReceived(result)))
      case .action(.run(_, .trafficObserved)), .action(.run(_, .clockTicked)), .action(.deliveryTaken): break
      // What a key does, it does to what is there by then.
      case .action, .terminal, .settled: followed = []
      }
    }
    return messages
  }

  private func take(_ message: Message) {
    switch message {
    case .action(let action):
      perform(action)
      while !held.isEmpty, !state.isAwaitingRecords { take(held.removeFirst()) }
    case .settled: break
    case .terminal(let event):
      if case .key(let key) = event, key != "Ctrl-Q", key != "Ctrl-C", !held.isEmpty || state.isAwaitingRecords {
        held.append(event)
        return
      }
      take(event)
    }
  }

  private func take(_ event: TerminalEvent) {
    // That it has the screen again, the terminal says by itself.
    if event != .resumed { handledEvents += 1 }
    log?.note(event)
    noticeReturn(event)
    switch event {
    // Nobody sees what they would do.
    case .key(let key) where drawn?.layout.isTooSmall == true && key != "Ctrl-Q" && key != "Ctrl-C": break
    case .paste where drawn?.layout.isTooSmall == true: break
    case .key(let key):
      for action in reader.actions(for: key, in: state, keys) { perform(action) }
    case .paste(let text): perform(.textPasted(text))
    case .mouse(let event):
      guard let drawn, !drawn.layout.isTooSmall else { break }
      if let action = pointer.action(for: event, in: state, drawn) { perform(action) }
    case .hangup: state.isQuitting = true
    case .background(let color):
      guard let variant = Theme.Variant(background: color),
        themes[min(state.screen.theme, themes.count - 1)].variant != variant,
        let index = themes.firstIndex(where: { $0.variant == variant })
      else { break }
      perform(.backgroundSeen(theme: index))
    case .focus(let isInFocus): perform(.focusChanged(isInFocus))
    case .resize, .resumed: break
    }
  }

  /// Who was away for a while may have changed files elsewhere.
  private func noticeReturn(_ event: TerminalEvent) {
    switch event {
    case .key, .mouse, .paste, .resumed, .focus(true): break
    case .resize, .hangup, .background, .focus(false): return
    }
    let now = ContinuousClock.now
    if now - lastInput > .seconds(2) { perform(.personReturned) }
    lastInput = now
  }

  private func perform(_ action: Action) {
    log?.note(action)
    change(by: action)
    // Between two keys of one batch what is in view must be true too: a page is what is in view.
    layOut()
  }

  private func change(by action: Action) {
    for effect in update(&state, action) {
      log?.note(effect)
      if case .screen(let own) = effect { perform(own) } else { runner.run(effect) }
    }
  }

  /// Once for each action, and when the terminal has another size; the frame is drawn by it.
  private func layOut() {
    layout = ScreenLayout(state, size: backend.size)
    change(by: .viewed(ScreenView(of: state, layout)))
  }

  /// The clipboard is the terminal's, and the terminal is here.
  private func perform(_ effect: ScreenEffect) {
    switch effect {
    case .writeClipboard(let text): backend.copyToClipboard(text)
    case .editExternally(let pane, let text): handOver(pane, text)
    case .readExternally(let value): show(value)
    case .labelPlaces:
      layOut()
      guard !layout.isTooSmall else { break }
      let painter = Painter(state, layout, theme: theme, glyphs: backend.capabilities.glyphs, keys: keys)
      perform(.placesLabelled(painter.jumpTargets()))
    case .captureMouse(let isCaptured): backend.captureMouse(isCaptured)
    case .notify(let text): backend.notify(text)
    case .suspend: backend.suspend()
    }
  }

  /// Leaves the screen to `$EDITOR` with a text; what is left in the file is the new one.
  private func handOver(_ pane: PaneID, _ text: String) {
    handovers += 1
    Task { @ScreenActor in
      let answer: Action
      do {
        let edited = try await backend.withScreenReleased {
          try await externalEditor.edit(text, isJSON: pane == .variables)
        }
        answer = .text(.editedExternally(pane, edited))
      } catch {
        answer = .operationFailed("\(error)")
      }
      handovers -= 1
      inbox.post([.action(answer)])
    }
  }

  /// Leaves the screen to `$EDITOR` with the text of a response.
  private func show(_ value: SharedJSON) {
    handovers += 1
    Task { @ScreenActor in
      let answer: Action?
      do {
        let text = await Task.detached { value.pretty }.value
        _ = try await backend.withScreenReleased { try await externalEditor.edit(text, isJSON: true) }
        answer = nil
      } catch {
        answer = .operationFailed("\(error)")
      }
      handovers -= 1
      inbox.post(answer.map { [.action($0)] } ?? [.settled])
    }
  }

  /// Hands the workspace on when something of it has changed.
  private func keep() {
    let workspace = Workspace(state)
    guard workspace != kept else { return }
    kept = workspace
    world.keepWorkspace(workspace) { [inbox] in inbox.post([.action($0)]) }
  }

  private var theme: Theme {
    let index = min(state.screen.theme, themes.count - 1)
    if let shownTheme, shownTheme.index == index { return shownTheme.theme }
    let theme = themes[index].theme
    shownTheme = (index, theme)
    return theme
  }

  private func draw() {
    if layout.size != backend.size { layOut() }
    let (frame, cursor, places) = ExplorerScreen.draw(
      state, layout, theme: theme, glyphs: backend.capabilities.glyphs, keys: keys, pendingKeys: reader.pending)
    drawn = places
    backend.present(frame, cursor: cursor)
  }

  // MARK: Waiting for it, in tests and scripts

  /// Whether an effect, a text in another program or a message is yet to be dealt with.
  package var isBusy: Bool { !runner.isSettled || handovers > 0 || taken < inbox.count }

  /// Returns as soon as the condition holds; it is asked after each frame. Ends too when the explorer has ended.
  package func wait(until isDone: @escaping @ScreenActor (ExplorerLoop) -> Bool) async {
    if hasEnded || isDone(self) { return }
    await withCheckedContinuation { observers.append((isDone, $0)) }
  }

  private func notify() {
    let (done, waiting) = observers.reduce(into: ([CheckedContinuation<Void, Never>](), observers.prefix(0))) {
      result, observer in
      if hasEnded || observer.isDone(self) { result.0.append(observer.continuation) } else { result.1.append(observer) }
    }
    observers = Array(waiting)
    for continuation in done { continuation.resume() }
  }
}

/// A mailbox that knows how much was ever put into it, so that it is known whether all of it was taken.
private final class Inbox<Message: Sendable>: Sendable {
  private let mailbox = Mailbox<Message>()
  private let posted = Atomic(0)

  var count: Int { posted.load(ordering: .acquiring) }

  func post(_ messages: [Message]) {
    posted.add(messages.count, ordering: .acquiringAndReleasing)
    mailbox.post(messages)
  }

  func next() async -> [Message] { await mailbox.next() }
}
