import ApusConfiguration
import ApusDemo
import ApusExplorerKeeping
import Synchronization

/// What the explorer holds as long as it is open: where its tabs are kept, and the demo API if that was started in it.
final class OpenedEndpoint: Sendable {
  private struct State {
    var workspace: WorkspaceStore?
    var demo: DemoServer?
  }

  private let state = Mutex(State())

  var workspace: WorkspaceStore? { state.withLock { $0.workspace } }

  func keep(in workspace: WorkspaceStore?) { state.withLock { $0.workspace = workspace } }

  /// The demo API's URL; started when it is first asked for.
  func demoURL() async throws(CommandFailure) -> String {
    if let demo = state.withLock({ $0.demo }) { return demo.url }
    let started = try await DemoServer.start(delayScale: 1)
    let held = state.withLock { state in
      if state.demo == nil { state.demo = started }
      return state.demo ?? started
    }
    if held !== started { started.stop() }
    return held.url
  }

  /// Ends what was started.
  func stop() {
    let demo = state.withLock { state in
      defer { state.demo = nil }
      return state.demo
    }
    demo?.stop()
  }
}
