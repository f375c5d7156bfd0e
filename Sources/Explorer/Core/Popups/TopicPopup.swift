package struct TopicPopup: PopupContent {
  package let topic: Topic
  package var scroll = 0

  package init(_ topic: Topic) { self.topic = topic }

  package func contexts(in state: ExplorerState) -> [KeyContext] { [.topic, .everywhere] }

  package mutating func perform(_ command: Command, in state: ExplorerState) -> PopupResult {
    if let step = command.popupStep {
      scroll = min(max(0, scroll + step), topic.lineLimit)
      return .stay()
    }
    return [.popupAccept, .popupClose, .showTopic].contains(command) ? .close() : .passOn
  }
}
