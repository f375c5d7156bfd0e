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

  package func contexts(in state: ExplorerState) -> [KeyContext] { [.confirmation] }

  package mutating func perform(_ command: Command, in state: ExplorerState) -> PopupAnswer {
    switch command {
    case .confirmYes: .close(.effect(effect))
    case .confirmNo: .close()
    default: .passOn
    }
  }

  /// Nobody who types a query means to answer what came up under the fingers.
  package mutating func type(_ text: String, in state: ExplorerState) -> PopupAnswer {
    isUnexpected ? .closeAndPassOn : .stay()
  }
}
