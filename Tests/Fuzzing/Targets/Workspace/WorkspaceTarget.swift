import ApusJSON
import FuzzHarness

@testable import ApusExplorerCore
@testable import ApusExplorerPersistence

/// A saved session is decoded or rejected. Encoding it again does not change it, and the explorer can restore any
/// session.
@main enum WorkspaceTarget: FuzzTarget {
  static func check(_ bytes: [UInt8]) {
    guard let json = try? JSONDocument(parsing: bytes).root else { return }
    if let response = SessionCoding.decodeResponse(json) {
      let written = SessionCoding.encode(response)
      let again = SessionCoding.decodeResponse(written).map { SessionCoding.encode($0).description }
      expect(again == written.description, "rewriting changes the response: \(written)")
    }
    guard var workspace = SessionCoding.decode(json) else { return }
    let written = SessionCoding.encode(workspace)
    let again = SessionCoding.decode(written).map { SessionCoding.encode($0).description }
    expect(again == written.description, "rewriting changes the session: \(written)")

    // The response of the first tab is stored in a separate file.
    if let response = json["response"].flatMap(SessionCoding.decodeResponse) { workspace.tabs[0].response = response }
    var state = ExplorerState(endpoint: "https://birds.example/graphql")
    state.restore(workspace)
    for command in [Command.undo, .undo, .redo, .newTab, .nextTab, .undo, .nextTab, .redo, .closeTab, .reopenTab] {
      _ = update(&state, .commandInvoked(command))
      _ = update(&state, .textTyped("x"))
    }
    _ = SessionCoding.encode(SavedSession(state))
  }
}
