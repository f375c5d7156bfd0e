/// What follows from a change in a room. A room reaches only itself and what it is handed; what it wants of the world or
/// of another room it returns, and `ExplorerState.follow` sees to it.
package indirect enum FollowUp: Equatable, Sendable {
  /// For the world to do.
  case effect(Effect)
  case tell(Notice)
  case present(Popup)
  /// Does what a command does, or what an action is.
  case invoke(Command)
  case act(Action)
  /// What was chosen, for several rooms.
  case choose(Choice)
  case focus(PaneID)
  /// To the clipboard.
  case copy(String)

  static func tell(_ text: String, _ kind: Notice.Kind = .information) -> FollowUp { .tell(Notice(text, kind)) }
}

extension ExplorerState {
  /// Does what rooms asked for, in its order; what is for the world is left.
  mutating func follow(_ followUps: [FollowUp]) -> [Effect] {
    followUps.flatMap { followUp -> [Effect] in
      switch followUp {
      case .effect(let effect): return [effect]
      case .tell(let notice): screen.notice = notice
      case .present(let popup): popups.present(popup)
      case .focus(let pane): return focus(on: pane)
      case .invoke(let command): return invoke(command)
      case .act(let action): return distribute(action)
      case .choose(let choice): return choose(choice)
      case .copy(let text): return copy(text)
      }
      return []
    }
  }
}
