import ApusConfiguration
import ApusDemo
import ApusExplorerPersistence
import Synchronization

/// The resources of a running explorer: the store of its saved session, and the demo API if it was started.
final class EndpointSession: Sendable {
  private struct State {
    var workspace: SessionStore?
    var demo: DemoServer?
    var isOpen = false
  }

  private let state = Mutex(State())

  var workspace: SessionStore? { state.withLock { $0.workspace } }

  /// Whether an endpoint has been opened.
  var isOpen: Bool {
    get { state.withLock { $0.isOpen } }
    set { state.withLock { $0.isOpen = newValue } }
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

  /// Stops the demo API if it was started.
  func stop() {
    let demo = state.withLock { state in
      defer { state.demo = nil }
      return state.demo
    }
    demo?.stop()
  }
}
