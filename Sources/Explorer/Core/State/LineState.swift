import ExplorerText

/// A line to be filled in, and what it is for.
package struct LineState: Hashable, Sendable {
  package enum Purpose: Hashable, Sendable {
    case vimSearch(isBackward: Bool)
    case newName(of: String, TextSnapshot)
    case formValue(FormRow.Path, title: String)
    case tabName, fileName, importedRequest, responseFile, recordingFile
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

  package var title: String {
    switch purpose {
    case .vimSearch(let isBackward): isBackward ? "Search backward" : "Search"
    case .newName(let name, _): "Rename \(name) to"
    case .formValue(_, let title): title
    case .tabName: "Name of the tab"
    case .fileName: "Save as"
    case .importedRequest: "Paste a curl command or an HTTP request"
    case .responseFile: "Save the response as"
    case .recordingFile: "Record what arrives in"
    case .cacheFile(isWritable: false): "Open a cache to look at: SQLite or exported JSON"
    case .cacheFile(isWritable: true): "Open a cache to change it"
    }
  }
}
