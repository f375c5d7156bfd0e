import JSON

/// What keys do in a line to be filled in, and what its text is then used for.
extension ExplorerState {
  mutating func invokeInLine(_ command: Command, _ prompt: LineState) -> [Effect]? {
    switch command {
    case .popupClose:
      popups.removeLast()
      if vim != nil { leaveVimModes() }
      return []
    case .popupAccept:
      popups.removeLast()
      return accept(prompt)
    default: return nil
    }
  }

  private mutating func accept(_ prompt: LineState) -> [Effect] {
    switch prompt.purpose {
    case .vimSearch(let isBackward): return searchInVim(prompt.text, isBackward: isBackward)
    case .newName(_, let snapshot): return [.ask(.rename(snapshot, to: prompt.text))]
    case .formValue(let path, _): return change(.filledIn(path, prompt.text))
    case .tabName: renameTab(prompt.text)
    case .fileName: return saveAs(prompt.text)
    case .importedRequest: return importRequest(prompt.text)
    case .cacheFile(let isWritable):
      return prompt.text.isEmpty ? [] : [.openCache(ForeignCache(path: prompt.text, isWritable: isWritable))]
    case .recordingFile: return prompt.text.isEmpty ? [] : [.record(to: prompt.text)]
    case .responseFile:
      guard let data = response.data, !prompt.text.isEmpty else { return [] }
      return [.exportResponse(SharedJSON(data, without: response.hidden), to: prompt.text)]
    }
    return []
  }
}
