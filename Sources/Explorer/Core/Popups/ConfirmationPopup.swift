/// A question before data is sent or deleted. It responds only to its own keys, so that a key pressed just before it
/// appeared does not answer it.
package struct ConfirmationPopup: PopupContent {
  package var question: String
  package var detail: String
  /// The details, if they need more than one line.
  package var lines: [String]
  /// The effect of confirming.
  package var effect: Effect
  /// The effect of declining; `nil` only closes the question.
  package var refusal: FollowUp?
  /// The first line in view.
  package var scroll = 0
  /// The number of lines that have not been visible yet; nil before the first drawing.
  private var linesBelow: Int?

  /// Whether the question can appear without a user action.
  private var isUnexpected: Bool {
    if case .at(_, .trustProject) = effect { return true }
    if case .trustProject = effect { return true }
    return false
  }

  package init(question: String, detail: String, lines: [String] = [], effect: Effect, refusal: FollowUp? = nil) {
    self.question = question
    self.detail = detail
    self.lines = lines
    self.effect = effect
    self.refusal = refusal
  }

  package func contexts(in state: ExplorerState) -> [KeyContext] { [.confirmation] }

  package mutating func perform(_ command: Command, in state: ExplorerState) -> PopupResult {
    switch command {
    case .confirmYes: return wasShown ? .close(.effect(effect)) : .stay()
    case .confirmNo: return refusal.map { .close($0) } ?? .close()
    default:
      guard let step = command.popupStep else { return .passOn }
      // The screen sets the upper limit, which depends on the size of the popup.
      scroll = max(0, scroll + step)
      return .stay()
    }
  }

  /// Whether all lines have been visible; required for confirming.
  private var wasShown: Bool { linesBelow.map { $0 == 0 } ?? lines.isEmpty }

  /// The number of lines that have not been visible yet.
  package var linesToCome: Int { linesBelow ?? 0 }

  /// Records the visible part.
  mutating func viewed(_ view: VisibleArea.Question) {
    scroll = view.firstLine
    linesBelow = min(linesBelow ?? .max, view.linesBelow)
  }

  /// Replaces the detail and treats it as unseen.
  mutating func change(detail text: String) {
    detail = text
    linesBelow = nil
  }

  /// Typing closes an unexpected question instead of answering it.
  package mutating func type(_ text: String, in state: ExplorerState) -> PopupResult {
    isUnexpected ? .closeAndPassOn : .stay()
  }
}
