import ApusJSON
import FuzzHarness

@testable import ApusExplorerCore
@testable import ApusExplorerKeeping

/// A saved session is decoded or rejected. Encoding it again does not change it, and the explorer can restore any
/// session.
@main enum WorkspaceTarget: FuzzTarget {
  static func check(_ bytes: [UInt8]) {
    guard let json = try? JSONDocument(parsing: bytes).root else { return }
    if let response = WorkspaceCoding.decodeResponse(json) {
      let written = WorkspaceCoding.encode(response)
      let again = WorkspaceCoding.decodeResponse(written).map { WorkspaceCoding.encode($0).description }
      expect(again == written.description, "rewriting changes the response: \(written)")
    }
    guard var workspace = WorkspaceCoding.decode(json) else { return }
    let written = WorkspaceCoding.encode(workspace)
    let again = WorkspaceCoding.decode(written).map { WorkspaceCoding.encode($0).description }
    expect(again == written.description, "rewriting changes the session: \(written)")

    // The response of the first tab is stored in a separate file.
    if let response = json["response"].flatMap(WorkspaceCoding.decodeResponse) { workspace.tabs[0].response = response }
    var state = ExplorerState(endpoint: "https://birds.example/graphql")
    state.restore(workspace)
    for command in [Command.undo, .undo, .redo, .newTab, .nextTab, .undo, .nextTab, .redo, .closeTab, .reopenTab] {
      _ = update(&state, .commandInvoked(command))
      _ = update(&state, .textTyped("x"))
    }
    _ = WorkspaceCoding.encode(Workspace(state))
  }
}
