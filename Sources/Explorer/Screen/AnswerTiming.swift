import ApusExplorerCore

/// Decides whether a key answers a question. A key that was pressed before the user can have read the question was meant
/// for something else: an answer counts only after all lines have been visible, and the last one for 400 ms.
struct AnswerTiming {
  private static let delay = Duration.milliseconds(400)

  private let now: @Sendable () -> ContinuousClock.Instant
  /// The question on the screen, if all its lines have been visible, and the time when the last one appeared.
  private var shown: (question: ConfirmationPopup, since: ContinuousClock.Instant)?

  init(now: @escaping @Sendable () -> ContinuousClock.Instant) { self.now = now }

  /// Records the question that a frame shows; `nil` if it shows none.
  mutating func drawn(_ question: ConfirmationPopup?) {
    guard let question, question.linesToCome == 0 else {
      shown = nil
      return
    }
    if let shown, shown.question.isSame(as: question) { return }
    shown = (question, now())
  }

  /// Whether an action answers a question too early. Closing a question without an effect is always possible.
  func isTooEarly(_ action: Action, in state: ExplorerState) -> Bool {
    guard case .commandInvoked(let command) = action, let question = state.popups.last?.state as? ConfirmationPopup,
      command == .confirmYes || command == .confirmNo && question.refusal != nil
    else { return false }
    guard let shown, shown.question.isSame(as: question) else { return true }
    return now() - shown.since < Self.delay
  }
}
