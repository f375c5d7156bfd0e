import ApusExplorerText
import ApusJSON

/// A line to be filled in, and what it is for.
package struct LineState: PopupState {
  package enum Purpose: Hashable, Sendable {
    case vimSearch(isBackward: Bool)
    case newName(of: String, TextSnapshot)
    case formValue(FormRow.Path, title: String)
    case tabName, fileName, importedRequest, responseFile, recordingFile, schemaFile
    case cacheFile(isWritable: Bool)
  }

  package var purpose: Purpose
  package var input: LineEditor

  package init(_ purpose: Purpose, text: String = "") {
    self.purpose = purpose
    input = LineEditor(text)
  }

  /// For the value of a form's row.
  init(_ row: FormRow, text: String) {
    self.init(.formValue(row.path, title: "\(row.name): \(row.type)"), text: text)
  }

  package var text: String { input.text }
  package var popup: Popup { .line(self) }

  package var line: LineEditor? {
    get { input }
    set { if let newValue { input = newValue } }
  }

  package var title: String {
    switch purpose {
    case .vimSearch(let isBackward): isBackward ? "Search backward" : "Search"
    case .newName(let name, _): "Rename \(name) to"
    case .formValue(_, let title): title
    case .tabName: "Name of the tab"
    case .fileName: "Save as"
    case .importedRequest: "Paste a curl command, an HTTP request, or name a file"
    case .responseFile: "Save the response as"
    case .recordingFile: "Record what arrives in"
    case .schemaFile: "Read the schema from: SDL or introspection JSON"
    case .cacheFile(isWritable: false): "Open a cache to look at: SQLite or exported JSON"
    case .cacheFile(isWritable: true): "Open a cache to change it"
    }
  }

  package func contexts(in state: ExplorerState) -> [KeyContext] { [.line, .input, .everywhere] }

  package func perform(_ command: Command, on state: inout ExplorerState) -> [Effect]? {
    switch command {
    case .popupClose:
      _ = close(on: &state)
      if state.typing.vim != nil { state.leaveVimModes() }
      return []
    case .popupAccept: return close(on: &state) + accept(on: &state)
    default: return nil
    }
  }

  private func accept(on state: inout ExplorerState) -> [Effect] {
    switch purpose {
    case .vimSearch(let isBackward): return state.searchInVim(text, isBackward: isBackward)
    case .newName(_, let snapshot): return [.ask(.rename(snapshot, to: text))]
    case .formValue(let path, _): return state.change(.filledIn(path, text))
    case .tabName: state.tabs.renameShown(text)
    case .fileName: return state.follow(state.tabs.save(as: text))
    case .importedRequest: return [.importRequest(text)]
    case .cacheFile(let isWritable):
      return text.isEmpty ? [] : [.openCache(ForeignCache(path: text, isWritable: isWritable))]
    case .recordingFile: return text.isEmpty ? [] : [.record(to: text)]
    case .schemaFile: return text.isEmpty ? [] : state.follow(state.connection.loadSchema(.file(text)))
    case .responseFile: return state.follow(state.tab.response.save(as: text))
    }
    return []
  }

  package func leaveEmptyLine(on state: inout ExplorerState) -> [Effect] { close(on: &state) }
}
