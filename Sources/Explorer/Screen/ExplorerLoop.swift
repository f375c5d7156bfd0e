import ApusExplorerCore
import ApusExplorerTerminal
import Synchronization

/// The explorer's main loop. It takes keys and events, draws frames, and never blocks in between.
///
/// 1. All messages in the mailbox are taken and turned into actions.
/// 2. `update` changes the state and returns effects, which the runner starts.
/// 3. One frame is drawn with the result.
@ScreenActor
package final class ExplorerLoop {
  private enum Message: Sendable {
    case terminal(TerminalEvent)
    case action(Action)
    /// The last effect has ended, or an observer wants to be notified.
    case settled
  }

  package private(set) var state: ExplorerState
  /// The number of terminal events handled.
  package private(set) var handledEvents = 0

  private let backend: any TerminalBackend
  private let themes: [ThemeChoice]
  private var shownTheme: (index: Int, theme: Theme)?
  private let keys: KeyTable
  private let inbox: Inbox<Message>
  private var taken = 0
  private let runner: EffectRunner
  /// The layout after the last action.
  private var layout: ScreenLayout
  private var drawn: HitRegions?
  private var pointer = MouseHandler()
  private var reader = KeyReader()
  private var observers:
    [Int: (isDone: @ScreenActor (ExplorerLoop) -> Bool, continuation: CheckedContinuation<Void, Never>)] = [:]
  private var nextObserver = 0
  package private(set) var hasStarted = false
  /// Keys held until the records they apply to arrive.
  private var held: [TerminalEvent] = []
  /// Documents open in an external editor.
  private let externalEditor = ExternalEditor()
  private var handovers = 0
  private let environment: ExplorerEnvironment
  private var answering: AnswerTiming
  private var shownTitle = ""
  private let log: ExplorerLog?
  private var lastInput = ContinuousClock.now
  private var lastSaved: SavedSession
  package private(set) var hasEnded = false

  package init(
    state: ExplorerState, environment: ExplorerEnvironment, unopened: ExplorerEnvironment? = nil,
    backend: any TerminalBackend,
    themes: [ThemeChoice],
    keys: KeyTable = .standard, log: ExplorerLog? = nil,
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    self.log = log
    answering = AnswerTiming(now: now)
    self.state = state
    self.environment = environment
    lastSaved = SavedSession(state)
    self.backend = backend
    self.themes = themes.isEmpty ? [ThemeChoice(.builtIn(capabilities: backend.capabilities))] : themes
    self.keys = keys
    self.state.screen.keyRows = keys.rows
    layout = ScreenLayout(state, size: backend.size)
    let inbox = Inbox<Message>()
    self.inbox = inbox
    runner = EffectRunner(
      environment: environment, unopened: unopened, send: { inbox.post([.action($0)]) },
      onSettled: { inbox.post([.settled]) })
  }

  /// Runs until the user quits or the terminal is closed.
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
      for message in Self.noting(messages) { handle(message) }
      draw()
      saveSession()
      notify()
    }
    events.cancel()
    await externalEditor.endAll()
    await runner.stop()
    environment.finishSaving()
    hasEnded = true
    notify()
    await log?.finish()
  }

  /// Marks each result that is followed by a newer one of the same run. Nothing is drawn between them, so no response
  /// tree needs to be built for it.
  private static func noting(_ messages: [Message]) -> [Message] {
    var messages = messages
    var followed: Set<Int> = []
    for (index, message) in messages.enumerated().reversed() {
      switch message {
      case .action(.run(let id, .resultReceived(var result))):
        if followed.insert(id).inserted { continue }
        result.isFollowed = true
        messages[index] = .action(.run(id, .resultReceived(result)))
      case .action(.run(_, .trafficObserved)), .action(.run(_, .clockTicked)), .action(.receiptReleased): break
      // A key applies to the state at that time, so results before it must be complete.
      case .action, .terminal, .settled: followed = []
      }
    }
    return messages
  }

  private func handle(_ message: Message) {
    switch message {
    case .action(let action):
      perform(action)
      while !held.isEmpty, !state.isAwaitingRecords { handle(held.removeFirst()) }
    case .settled: break
    case .terminal(let event):
      if case .key(let key) = event, key != "Ctrl-Q", key != "Ctrl-C", !held.isEmpty || state.isAwaitingRecords {
        held.append(event)
        return
      }
      handle(event)
    }
  }

  private func handle(_ event: TerminalEvent) {
    // The terminal itself reports the resumed screen, so it does not count.
    if event != .resumed { handledEvents += 1 }
    log?.log(event)
    noticeReturn(event)
    switch event {
    // The effect of keys would not be visible.
    case .key(let key) where drawn?.layout.isTooSmall == true && key != "Ctrl-Q" && key != "Ctrl-C": break
    case .paste where drawn?.layout.isTooSmall == true: break
    case .key(let key):
      for action in reader.actions(for: key, in: state, keys) where !answering.isTooEarly(action, in: state) {
        perform(action)
      }
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
      perform(.backgroundDetected(theme: index))
    case .focus(let isInFocus): perform(.focusChanged(isInFocus))
    case .resize, .resumed: break
    }
  }

  /// After a pause, files may have been changed by other programs.
  private func noticeReturn(_ event: TerminalEvent) {
    switch event {
    case .key, .mouse, .paste, .resumed, .focus(true): break
    case .resize, .hangup, .background, .focus(false): return
    }
    let now = ContinuousClock.now
    if now - lastInput > .seconds(2) { perform(.userReturned) }
    lastInput = now
  }

  private func perform(_ action: Action) {
    log?.log(action)
    change(by: action)
    // The layout must be current between two keys of a batch, because paging depends on the visible rows.
    layOut()
  }

  private func change(by action: Action) {
    for effect in update(&state, action) {
      log?.log(effect)
      if case .screen(let screenEffect) = effect {
        perform(screenEffect)
      } else {
        runner.run(effect, at: state.tabs.shown.endpoint)
      }
    }
  }

  /// Computes the layout after each action and after a resize; the frame is drawn from it.
  private func layOut() {
    layout = ScreenLayout(state, size: backend.size)
    change(by: .viewed(VisibleArea(of: state, layout)))
  }

  /// Performs effects that need the terminal, such as writing the clipboard.
  private func perform(_ effect: ScreenEffect) {
    switch effect {
    case .writeClipboard(let text): backend.copyToClipboard(text)
    case .editExternally(let pane, let text): openExternalEditor(pane, text)
    case .readExternally(let value): show(value)
    case .showJumpLabels:
      layOut()
      guard !layout.isTooSmall else { break }
      let painter = Painter(state, layout, theme: theme, glyphs: backend.capabilities.glyphs, keys: keys)
      perform(.targetsLabeled(painter.jumpTargets()))
    case .captureMouse(let isCaptured): backend.captureMouse(isCaptured)
    case .notify(let text): backend.notify(text)
    case .suspend: backend.suspend()
    }
  }

  /// Opens a document in `$EDITOR` and releases the screen to it. The file's contents replace the document.
  private func openExternalEditor(_ pane: PaneID, _ text: String) {
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

  /// Opens a response in `$EDITOR` and releases the screen to it.
  private func show(_ value: VisibleJSON) {
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

  /// Saves the session if it has changed.
  private func saveSession() {
    let workspace = SavedSession(state)
    guard workspace != lastSaved else { return }
    lastSaved = workspace
    environment.keepWorkspace(workspace) { [inbox] in inbox.post([.action($0)]) }
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
    let (frame, cursor, regions) = ExplorerScreen.draw(
      state, layout, theme: theme, glyphs: backend.capabilities.glyphs, keys: keys, pendingKeys: reader.pending)
    drawn = regions
    if state.windowTitle != shownTitle {
      shownTitle = state.windowTitle
      backend.setTitle(shownTitle)
    }
    backend.present(frame, cursor: cursor)
    answering.drawn(layout.isTooSmall ? nil : state.popups.last?.state as? ConfirmationPopup)
  }

  // MARK: Waiting, in tests and scripts

  /// Whether an effect, an external editor or a message is pending.
  package var isBusy: Bool { !runner.isSettled || handovers > 0 || taken < inbox.count }

  /// Waits until a condition holds, which is checked after each frame, until the explorer ends, or until the task is
  /// canceled, as a test's time limit does.
  package func wait(until isDone: @escaping @ScreenActor (ExplorerLoop) -> Bool) async {
    if hasEnded || isDone(self) { return }
    let number = nextObserver
    nextObserver += 1
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if Task.isCancelled { continuation.resume() } else { observers[number] = (isDone, continuation) }
      }
    } onCancel: {
      Task { @ScreenActor in observers.removeValue(forKey: number)?.continuation.resume() }
    }
  }

  private func notify() {
    for (number, observer) in observers.sorted(by: { $0.key < $1.key }) where hasEnded || observer.isDone(self) {
      observers[number] = nil
      observer.continuation.resume()
    }
  }
}

/// A mailbox that counts all messages ever posted, to determine whether all were taken.
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
