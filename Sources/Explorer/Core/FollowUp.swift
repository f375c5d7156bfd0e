/// A consequence of a change in a feature. A feature accesses only itself and its arguments. It returns follow-ups for
/// the environment and for other features, and `ExplorerState.follow` performs them.
package indirect enum FollowUp: Equatable, Sendable {
  /// An effect for the environment.
  case effect(Effect)
  case notify(Notice)
  case present(Popup)
  /// Performs a command.
  case invoke(Command)
  /// Handles an action.
  case send(Action)
  /// Handles a choice that involves several features.
  case choose(PopupChoice)
  case focus(PaneID)
  /// Copies text to the clipboard.
  case copy(String)

  static func notice(_ text: String, _ kind: Notice.Kind = .information) -> FollowUp { .notify(Notice(text, kind)) }
}

extension ExplorerState {
  /// Performs the follow-ups in order and returns the effects among them.
  mutating func apply(_ followUps: [FollowUp]) -> [Effect] {
    followUps.flatMap { followUp -> [Effect] in
      switch followUp {
      case .effect(let effect): return [effect]
      case .notify(let notice): screen.notice = notice
      case .present(let popup): popups.present(popup)
      case .focus(let pane): return focus(on: pane)
      case .invoke(let command): return invoke(command)
      case .send(let action): return distribute(action)
      case .choose(let choice): return choose(choice)
      case .copy(let text): return copy(text)
      }
      return []
    }
  }
}
