/// A question before something is sent or taken away. It takes its own keys and no other, so that nobody answers it by
/// pressing what they were about to press.
package struct Confirmation: PopupState {
  package var question: String
  package var detail: String
  /// What it is about, where that takes more than a line.
  package var lines: [String]
  /// What a yes does.
  package var effect: Effect
  /// The effect of a no; `nil` where it only closes the question.
  package var refusal: Effect?
  /// The first line in view.
  package var scroll = 0
  /// The lines after the last one that was ever in view; nil until it was drawn.
  private var linesBelow: Int?

  /// Whether it comes up without the person having done anything.
  private var isUnexpected: Bool { if case .trustProject = effect { true } else { false } }

  package init(question: String, detail: String, lines: [String] = [], effect: Effect, refusal: Effect? = nil) {
    self.question = question
    self.detail = detail
    self.lines = lines
    self.effect = effect
    self.refusal = refusal
  }

  package func contexts(in state: ExplorerState) -> [KeyContext] { [.confirmation] }

  package mutating func perform(_ command: Command, in state: ExplorerState) -> PopupAnswer {
    switch command {
    case .confirmYes: return wasShown ? .close(.effect(effect)) : .stay()
    case .confirmNo: return refusal.map { .close(.effect($0)) } ?? .close()
    default:
      guard let step = command.popupStep else { return .passOn }
      // The screen limits it: the number of rows depends on the size of the popup.
      scroll = max(0, scroll + step)
      return .stay()
    }
  }

  /// Whether all of it was in view, so that it can be agreed to.
  private var wasShown: Bool { linesBelow.map { $0 == 0 } ?? lines.isEmpty }

  /// The number of lines that were not yet in view.
  package var linesToCome: Int { linesBelow ?? 0 }

  /// Records the visible part.
  mutating func viewed(_ view: ScreenView.Question) {
    scroll = view.firstLine
    linesBelow = min(linesBelow ?? .max, view.linesBelow)
  }

  /// Says something else, which has not been seen.
  mutating func change(detail text: String) {
    detail = text
    linesBelow = nil
  }

  /// Nobody who types a query means to answer what came up under the fingers.
  package mutating func type(_ text: String, in state: ExplorerState) -> PopupAnswer {
    isUnexpected ? .closeAndPassOn : .stay()
  }
}
