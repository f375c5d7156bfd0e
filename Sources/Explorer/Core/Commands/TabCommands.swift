/// Commands for tabs, files, the history, and importing and exporting requests.
extension Command {
  static let tabs: [Command] = [
    newTab, duplicateTab, closeTab, reopenTab, nextTab, previousTab, pickTab, renameTab, showHistory, clearHistory,
    showSessions, openFile, saveFile, saveFileAs, importRequest, showImportNotes, copyAsCurl, copyAsHTTP, copyAsCommand,
    saveResponse, saveRun, recordSession,
  ]

  package static let newTab = Command("newTab", "New tab", .keys(.everywhere, "Ctrl-T")) { $0.newTab() }

  package static let duplicateTab = Command("duplicateTab", "Duplicate the tab") { $0.duplicateTab() }

  package static let closeTab = Command("closeTab", "Close the tab", .keys(.everywhere, "Alt-x")) { $0.closeTab() }

  package static let reopenTab = Command(
    "reopenTab", "Reopen the last closed tab",
    unless: { $0.tabs.closed.isEmpty ? "No tab was closed" : nil }
  ) { $0.reopenTab() }

  package static let nextTab = Command(
    "nextTab", "Next tab",
    .keys(.everywhere, "Ctrl-PageDown"),
    unless: { $0.tabs.count < 2 ? "There is no other tab" : nil }
  ) { $0.showTab(($0.tabs.shownIndex + 1) % $0.tabs.count) }

  package static let previousTab = Command(
    "previousTab", "Previous tab",
    .keys(.everywhere, "Ctrl-PageUp"),
    unless: { $0.tabs.count < 2 ? "There is no other tab" : nil }
  ) { $0.showTab(($0.tabs.shownIndex + $0.tabs.count - 1) % $0.tabs.count) }

  package static let pickTab = Command("pickTab", "Choose a tab", .keys(.everywhere, "Alt-t")) {
    $0.pickTab()
  }

  package static let renameTab = Command(
    "renameTab", "Rename the tab"
  ) { $0.present(LinePopup(.tabName, text: $0.tabs.shown.name ?? "")) }

  package static let showHistory = Command(
    "showHistory", "History of runs",
    .keys(.everywhere, "Alt-H")
  ) { $0.present(PickerPopup(.history, items: [])) + [.history(.search(""))] }

  package static let clearHistory = Command("clearHistory", "Clear the history") {
    $0.present(
      ConfirmationPopup(
        question: "Clear the history?", detail: "Removes the runs of all endpoints, with their responses.",
        confirmation: .effect(.history(.clear))))
  }

  package static let showSessions = Command("showSessions", "Earlier sessions of the endpoint") {
    $0.present(PickerPopup(.sessions, items: [])) + [.session(.list)]
  }

  package static let openFile = Command("openFile", "Open a file", .keys(.everywhere, "Alt-O")) {
    $0.present(PickerPopup(.files, items: [])) + [.file(.list)]
  }

  package static let saveFile = Command(
    "saveFile", "Save the query and variables",
    .keys(.everywhere, "Ctrl-S"),
    unless: { $0.reasonAgainstHandingOn }
  ) { $0.askForSecretOfFile() ?? $0.apply($0.tabs.save()) }

  package static let saveFileAs = Command(
    "saveFileAs", "Save as",
    unless: { $0.reasonAgainstHandingOn }
  ) { $0.apply($0.tabs.askForFileName()) }

  package static let importRequest = Command(
    "importRequest",
    "Import requests: curl, .http, .hurl, Postman, Insomnia, Bruno, Altair, Thunder Client, " + "Hoppscotch, HAR"
  ) { $0.present(LinePopup(.importedRequest)) }

  package static let showImportNotes = Command(
    "showImportNotes", "Notes of the import",
    unless: { $0.importNotes.isEmpty ? "The last import had no notes" : nil }
  ) { $0.presentImportNotes() }

  package static let copyAsCurl = Command(
    "copyAsCurl", "Copy as a curl command",
    unless: { $0.reasonAgainstHandingOn }
  ) { $0.copyRequest(as: .curlCommand) }

  package static let copyAsHTTP = Command(
    "copyAsHTTP", "Copy as an HTTP file",
    unless: { $0.reasonAgainstHandingOn }
  ) { $0.copyRequest(as: .httpFile) }

  package static let copyAsCommand = Command(
    "copyAsCommand", "Copy as an apus command",
    unless: { $0.reasonAgainstHandingOn }
  ) { $0.copyRequest(as: .apusCommand) }

  package static let saveResponse = Command(
    "saveResponse", "Save the response",
    unless: { $0.tab.response.reasonAgainstReading }
  ) { $0.apply($0.tab.response.askForFileName()) }

  package static let saveRun = Command(
    "saveRun", "Save the run as a recording for apus replay",
    unless: { $0.tab.response.reasonAgainstSavingRun }
  ) { $0.apply($0.tab.response.askForRunFile()) }

  package static let recordSession = Command(
    "recordSession", "Record incoming data to a file, or stop recording"
  ) { $0.recordSession() }
}

extension ExplorerState {
  fileprivate var reasonAgainstHandingOn: String? { tab.editors.query.buffer.isEmpty ? "The query is empty" : nil }
}
