import ApusExplorerText
import ApusJSON

/// A prompt for one line of text.
package struct LinePopup: PopupContent {
  package enum Purpose: Equatable, Sendable {
    case vimSearch(isBackward: Bool)
    case newName(of: String, EditorSnapshot)
    case formValue(FormRow.Path, title: String)
    case tabName, requestExtensions, fileName, importedRequest, responseFile, recordingFile, schemaFile, trafficFile,
      runFile, payload
    case cacheFile(isWritable: Bool)

    /// Whether the line takes the name of a file to write. The proposed name is replaced by typing.
    var namesFileToWrite: Bool {
      switch self {
      case .fileName, .responseFile, .recordingFile, .trafficFile, .runFile: true
      case .vimSearch, .newName, .formValue, .tabName, .requestExtensions, .importedRequest, .schemaFile, .payload,
        .cacheFile:
        false
      }
    }
  }

  package var purpose: Purpose
  package var input: LineEditor

  package init(_ purpose: Purpose, text: String = "") {
    self.purpose = purpose
    input = LineEditor(text, isOffered: purpose.namesFileToWrite && !text.isEmpty)
  }

  /// Creates a prompt for the value of a form row.
  init(_ row: FormRow, text: String) {
    self.init(.formValue(row.path, title: "\(row.name): \(row.type)"), text: text)
  }

  package var text: String { input.text }

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
    case .payload: "Number of the payload"
    case .requestExtensions: "Extensions of this tab's requests (JSON object)"
    case .fileName: "Save as"
    case .importedRequest: "Paste a curl command or an HTTP request, or enter a file or folder name"
    case .responseFile: "Save the response as"
    case .recordingFile: "Record incoming data to"
    case .trafficFile: "Save the traffic as"
    case .runFile: "Save the run as a recording in"
    case .schemaFile: "Load the schema from (SDL or introspection JSON)"
    case .cacheFile(isWritable: false): "Open an external cache (SQLite or exported JSON)"
    case .cacheFile(isWritable: true): "Open an external cache for editing"
    }
  }

  package func contexts(in state: ExplorerState) -> [KeyContext] { [.line, .input, .everywhere] }

  package mutating func perform(_ command: Command, in state: ExplorerState) -> PopupResult {
    switch command {
    case .popupClose: return .close(state.typing.vim == nil ? [] : [.choose(.vimModesLeft)])
    case .popupAccept: return .close(accepted.map { [$0] } ?? [])
    default: return .passOn
    }
  }

  private var accepted: FollowUp? {
    switch purpose {
    case .vimSearch(let isBackward): return .choose(.vimSearch(text, isBackward: isBackward))
    case .newName(_, let snapshot): return .effect(.queryLanguageService(.rename(snapshot, to: text)))
    case .formValue(let path, _): return .choose(.form(.filledIn(path, text)))
    case .tabName: return .choose(.tabName(text))
    case .payload: return text.isEmpty ? nil : .choose(.payload(text))
    case .requestExtensions: return .choose(.requestExtensions(text))
    case .fileName: return .choose(.textFile(text))
    case .importedRequest: return .effect(.importRequest(text))
    case .responseFile: return .choose(.responseFile(text))
    case .trafficFile: return .choose(.trafficFile(text))
    case .runFile: return .choose(.runFile(text))
    case .cacheFile, .recordingFile, .schemaFile: return text.isEmpty ? nil : opened
    }
  }

  /// The follow-up for purposes that only open or write the named file.
  private var opened: FollowUp? {
    switch purpose {
    case .cacheFile(let isWritable): .effect(.openCache(ExternalCache(path: text, isWritable: isWritable)))
    case .recordingFile: .effect(.record(to: text))
    case .schemaFile: .choose(.schemaFile(text))
    case .vimSearch, .newName, .formValue, .tabName, .requestExtensions, .fileName, .importedRequest, .responseFile,
      .trafficFile, .runFile, .payload:
      nil
    }
  }

  package mutating func leaveEmptyLine(in state: ExplorerState) -> PopupResult { .close() }
}
