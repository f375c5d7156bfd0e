import ApusExplorerText
import ApusJSON

/// A prompt for one line of text.
package struct LinePopup: PopupContent {
  package enum Purpose: Equatable, Sendable {
    case vimSearch(isBackward: Bool)
    case newName(of: String, EditorSnapshot)
    case formValue(FormRow.Path, title: String)
    case tabName, requestExtensions, subscriptionURL, fileName, importedRequest, responseFile, recordingFile,
      schemaFile, trafficFile,
      runFile, payload, timeLimit
    case cacheFile(isWritable: Bool)
    /// The header that a value of a response becomes.
    case headerOfValue(ResponsePath, run: Int, host: String)
    /// A file for the text of the audits.
    case auditFile(String)

    /// Whether the line takes the name of a file.
    var namesFile: Bool {
      switch self {
      case .fileName, .responseFile, .recordingFile, .trafficFile, .runFile, .schemaFile, .cacheFile, .auditFile: true
      // The importer finds out whether the text is a path.
      case .vimSearch, .newName, .formValue, .tabName, .requestExtensions, .subscriptionURL, .importedRequest, .payload,
        .timeLimit, .headerOfValue, .reference:
        false
      }
    }
    /// The value of a reference of an import.
    case reference(String)

    /// Whether the line takes the name of a file to write. The proposed name is replaced by typing.
    var namesFileToWrite: Bool {
      switch self {
      case .fileName, .responseFile, .recordingFile, .trafficFile, .runFile, .auditFile: true
      case .vimSearch, .newName, .formValue, .tabName, .requestExtensions, .subscriptionURL, .importedRequest,
        .schemaFile,
        .payload, .timeLimit, .cacheFile, .headerOfValue, .reference:
        false
      }
    }
  }

  package var purpose: Purpose
  package var input: LineEditor
  /// Whether the value of the form row is the path of a file to upload.
  private var isUpload = false

  package init(_ purpose: Purpose, text: String = "") {
    self.purpose = purpose
    input = LineEditor(text, isOffered: purpose.namesFileToWrite && !text.isEmpty)
  }

  /// Creates a prompt for the value of a form row.
  init(_ row: FormRow, text: String) {
    self.init(.formValue(row.path, title: "\(row.name): \(row.type)"), text: text)
    isUpload = row.type.filter { !"[]!".contains($0) } == "Upload"
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
    case .headerOfValue(_, _, let host): "Use this value as a header of \(host)"
    case .timeLimit: "Time limit in seconds (empty: none)"
    case .requestExtensions: "Extensions of this tab's requests (JSON object)"
    case .subscriptionURL: "URL of this tab's subscriptions (empty: that of the endpoint)"
    case .reference(let name): "Value of {{\(name)}}, not stored (empty: none)"
    case .fileName: "Save as"
    case .importedRequest: "Paste a curl command or an HTTP request, or enter a file or folder name"
    case .responseFile: "Save the response as"
    case .recordingFile: "Record incoming data to"
    case .trafficFile: "Save the traffic as"
    case .auditFile: "Save the audits as"
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
    case .popupAccept:
      let text = purpose.namesFile ? state.path(typed: text) : text
      return .close(accepted(text).map { [$0] } ?? [])
    case .completePath:
      return isUpload || purpose.namesFile || purpose == .importedRequest
        ? .stay(.effect(.file(.complete(text)))) : .stay()
    default: return .passOn
    }
  }

  /// Continues the typed path as far as all found paths agree.
  mutating func complete(_ typed: String, _ paths: [String]) {
    guard text == typed, let first = paths.first else { return }
    let common = paths.dropFirst().reduce(first) { common, path in
      String(zip(common, path).prefix { $0 == $1 }.map(\.0))
    }
    if common.utf8.count > typed.utf8.count { input = LineEditor(common) }
  }

  /// A notice with the last components of paths.
  static func words(for paths: [String]) -> String {
    if paths.isEmpty { return "No file begins with this" }
    let names = paths.map { path in
      let parts = path.split(separator: "/")
      return (parts.last.map(String.init) ?? path) + (path.hasSuffix("/") ? "/" : "")
    }
    return names.prefix(20).joined(separator: "  ") + (names.count > 20 ? "  and \(names.count - 20) more" : "")
  }

  private func accepted(_ text: String) -> FollowUp? {
    switch purpose {
    case .vimSearch(let isBackward): return .choose(.vimSearch(text, isBackward: isBackward))
    case .newName(_, let snapshot): return .effect(.text(.queryLanguageService(.rename(snapshot, to: text))))
    case .formValue(let path, _): return .choose(.form(.filledIn(path, text)))
    case .tabName: return .choose(.tabName(text))
    case .payload: return text.isEmpty ? nil : .choose(.payload(text))
    case .timeLimit: return .choose(.timeLimit(text))
    case .requestExtensions: return .choose(.requestExtensions(text))
    case .headerOfValue(let path, let run, _): return .choose(.headerOfValue(text, path, run: run))
    case .subscriptionURL: return .choose(.subscriptionURL(text))
    case .reference(let name): return .choose(.reference(name, text))
    case .fileName: return .choose(.textFile(text))
    case .importedRequest: return .effect(.exchange(.importRequest(text)))
    case .responseFile: return .choose(.responseFile(text))
    case .trafficFile: return .choose(.trafficFile(text))
    case .runFile: return .choose(.runFile(text))
    case .cacheFile, .recordingFile, .schemaFile, .auditFile: return text.isEmpty ? nil : opened(text)
    }
  }

  /// The follow-up for purposes that only open or write the named file.
  private func opened(_ text: String) -> FollowUp? {
    switch purpose {
    case .cacheFile(let isWritable): .effect(.cache(.open(ExternalCache(path: text, isWritable: isWritable))))
    case .recordingFile: .effect(.export(.record(to: text)))
    case .schemaFile: .choose(.schemaFile(text))
    case .auditFile(let audits): .effect(.export(.text(audits, to: text, overwrites: false)))
    case .vimSearch, .newName, .formValue, .tabName, .requestExtensions, .subscriptionURL, .fileName, .importedRequest,
      .responseFile, .trafficFile, .runFile, .payload, .timeLimit, .headerOfValue, .reference:
      nil
    }
  }

  package mutating func leaveEmptyLine(in state: ExplorerState) -> PopupResult { .close() }
}
