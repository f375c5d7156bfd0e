/// A question before something is sent or taken away. It takes its own keys and no other, so that nobody answers it by
/// pressing what they were about to press.
package struct Confirmation: PopupState {
  package var question: String
  package var detail: String
  /// What it is about, where that takes more than a line.
  package var lines: [String]
  /// What a yes does.
  package var effect: Effect

  /// Whether it comes up without the person having done anything.
  private var isUnexpected: Bool { if case .trustProject = effect { true } else { false } }

  package init(question: String, detail: String, lines: [String] = [], effect: Effect) {
    self.question = question
    self.detail = detail
    self.lines = lines
    self.effect = effect
  }

  package var popup: Popup { .confirmation(self) }

  package func contexts(in state: ExplorerState) -> [KeyContext] { [.confirmation] }

  package func perform(_ command: Command, on state: inout ExplorerState) -> [Effect]? {
    switch command {
    case .confirmYes: close(on: &state) + [effect]
    case .confirmNo: close(on: &state)
    default: nil
    }
  }

  /// Nobody who types a query means to answer what came up under the fingers.
  package func type(_ text: String, on state: inout ExplorerState) -> [Effect]? {
    guard isUnexpected else { return [] }
    _ = close(on: &state)
    return nil
  }
}
