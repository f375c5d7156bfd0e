/// A question before data is sent, overwritten or deleted. It responds only to its own keys; `AnswerTiming` ignores
/// those that were pressed before the user can have read it.
package struct ConfirmationPopup: PopupContent {
  package var question: String
  package var detail: String
  /// Details, if they need more than one line.
  package var lines: [String]
  /// The consequence of confirming.
  package var confirmation: FollowUp
  /// The consequence of declining; `nil` only closes the question.
  package var refusal: FollowUp?
  /// The first line in view.
  package var scroll = 0
  /// The number of lines that have not been visible yet; nil before the first drawing.
  private var linesBelow: Int?

  /// Whether the question can appear without a user action.
  private var isUnexpected: Bool {
    switch confirmation {
    case .effect(.at(_, .endpoint(.trustProject))), .effect(.endpoint(.trustProject)): true
    case .effect, .notify, .present, .invoke, .send, .choose, .focus, .copy: false
    }
  }

  package init(question: String, detail: String, lines: [String] = [], confirmation: FollowUp, refusal: FollowUp? = nil)
  {
    self.question = question
    self.detail = detail
    self.lines = lines
    self.confirmation = confirmation
    self.refusal = refusal
  }

  package func contexts(in state: ExplorerState) -> [KeyContext] { [.confirmation] }

  package mutating func perform(_ command: Command, in state: ExplorerState) -> PopupResult {
    switch command {
    case .confirmYes: return wasShown ? .close(confirmation) : .stay()
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

  /// Whether another value asks the same question, at any scroll position.
  package func isSame(as other: ConfirmationPopup) -> Bool {
    question == other.question && detail == other.detail && lines == other.lines
      && confirmation == other.confirmation
  }

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
