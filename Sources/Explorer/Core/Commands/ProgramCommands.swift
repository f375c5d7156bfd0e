/// Commands for the program, its panes and layout.
extension Command {
  static let program: [Command] = [
    showPalette, nextPane, previousPane, showHelp, showTopic, quit, copyOrCancel, close, focusQuery, focusVariables,
    focusResponse, focusDeferred, focusCache, focusHeaders, showJumpLabels, nextLayout, zoomPane, widenEditors,
    narrowEditors, growUpperPanes, shrinkUpperPanes, pickTheme, nextTheme, pickEndpoint, renewCredentials, signIn,
    signOut, showAudits,
    repeatAudit,
    cancelAudit, showRequests, releasePayload, releaseResponse, holdPayloads, editRules,
    toggleVim, toggleMouse, suspend,
  ]

  package static let showPalette = Command(
    "showPalette", "Command palette",
    .keys(.everywhere, "Ctrl-P", footer: "commands"),
    inPalette: false
  ) { $0.present(PalettePopup(in: $0)) }

  package static let nextPane = Command(
    "nextPane", "Next pane",
    .keys(.everywhere, "F6", footer: "next pane"),
    .keys(.panes, "Tab")
  ) { $0.focus(on: $0.screen.focus.next(by: 1)) }

  package static let previousPane = Command(
    "previousPane", "Previous pane",
    .keys(.everywhere, "Shift-F6"),
    .keys(.panes, "Shift-Tab")
  ) { $0.focus(on: $0.screen.focus.next(by: -1)) }

  package static let showHelp = Command(
    "showHelp", "Help topics and keys",
    .keys(.everywhere, "F1", footer: "help"),
    .keys(.panes, "?")
  ) { $0.present(HelpPopup()) }

  package static let showTopic = Command(
    "showTopic", "Read about the selected item",
    .keys(.lists, "F3"),
    .keys(.errors, "F3", footer: "explain"),
    .keys(.difference, "F3"),
    .keys(.help, "F3", footer: "read more", help: "Read the topic that describes the key")
  ) { $0.present(TopicPopup($0.topicHere)) }

  package static let quit = Command(
    "quit", "Quit", .keys(.everywhere, "Ctrl-Q", footer: "quit"), .keys(.confirmation, "Ctrl-Q")
  ) { $0.quit() }

  package static let copyOrCancel = Command(
    "copyOrCancel", "Copy the selection, otherwise cancel the request",
    .keys(.everywhere, "Ctrl-C", footer: "cancel"),
    inPalette: false
  ) { $0.copyOrCancel() }

  package static let close = Command(
    "close", "Close popup, search, filter, table or zoom",
    .keys(.everywhere, "Esc"),
    inPalette: false
  ) { $0.leave() }

  package static let focusQuery = Command(
    "focusQuery", "Go to the query",
    .keys(.everywhere, "Alt-1"),
    .keys(.choice, "Tab", help: "Go to the error in the query")
  ) { $0.focus(on: .query) }

  package static let focusVariables = Command(
    "focusVariables", "Go to the variables",
    .keys(.everywhere, "Alt-2")
  ) { $0.focus(on: .variables) }

  package static let focusResponse = Command(
    "focusResponse", "Go to the response",
    .keys(.everywhere, "Alt-3")
  ) { $0.focus(on: .response) }

  package static let focusDeferred = Command(
    "focusDeferred", "Go to the deferred pane",
    .keys(.everywhere, "Alt-4")
  ) { $0.focus(on: .deferred) }

  package static let focusCache = Command(
    "focusCache", "Go to the cache",
    .keys(.everywhere, "Alt-5")
  ) { $0.focus(on: .cache) }

  package static let focusHeaders = Command(
    "focusHeaders", "Go to the headers",
    .keys(.everywhere, "Alt-6"),
    .keys(.noSchema, "h", footer: "edit headers", help: "Edit the headers, then request the schema again")
  ) { $0.focus(on: .headers) }

  package static let showJumpLabels = Command(
    "showJumpLabels", "Jump to a visible item by its label",
    .keys(.everywhere, "Alt-j")
  ) { _ in [.screen(.showJumpLabels)] }

  package static let nextLayout = Command(
    "nextLayout", "Next layout",
    .keys(.everywhere, "F10", "Alt-l")
  ) { $0.apply($0.screen.showNextLayout()) }

  package static let zoomPane = Command(
    "zoomPane", "Zoom the pane to the whole screen, or restore it",
    .keys(.everywhere, "F11")
  ) { $0.apply($0.screen.changeArrangement { $0.isZoomed.toggle() }) }

  package static let widenEditors = Command(
    "widenEditors", "Widen the editor column",
    .keys(.everywhere, "Alt-Right")
  ) { $0.apply($0.screen.changeArrangement { $0.grow(width: 5, height: 0) }) }

  package static let narrowEditors = Command(
    "narrowEditors", "Narrow the editor column",
    .keys(.everywhere, "Alt-Left")
  ) { $0.apply($0.screen.changeArrangement { $0.grow(width: -5, height: 0) }) }

  package static let growUpperPanes = Command(
    "growUpperPanes", "Grow the upper panes",
    .keys(.everywhere, "Alt-Shift-Down")
  ) { $0.apply($0.screen.changeArrangement { $0.grow(width: 0, height: 5) }) }

  package static let shrinkUpperPanes = Command(
    "shrinkUpperPanes", "Shrink the upper panes",
    .keys(.everywhere, "Alt-Shift-Up")
  ) { $0.apply($0.screen.changeArrangement { $0.grow(width: 0, height: -5) }) }

  package static let pickTheme = Command(
    "pickTheme", "Choose a theme",
    .keys(.everywhere, "F7"),
    unless: { $0.screen.themes.count < 2 ? "There is no other theme" : nil }
  ) { $0.apply($0.screen.pickTheme()) }

  package static let nextTheme = Command(
    "nextTheme", "Next theme",
    unless: { $0.screen.themes.count < 2 ? "There is no other theme" : nil }
  ) { $0.apply($0.screen.showNextTheme()) }

  package static let pickEndpoint = Command(
    "pickEndpoint", "Open another endpoint: by name, by URL, or a recent one",
    .keys(.everywhere, "Alt-s")
  ) { $0.apply($0.pickEndpoint()) }

  package static let renewCredentials = Command(
    "renewCredentials", renewCredentialsTitle,
    unless: { $0.connection.reasonAgainstRenewing }
  ) { _ in [.endpoint(.renewCredentials)] }

  /// Also used in messages about rejected credentials.
  package static let renewCredentialsTitle = "Renew credentials"

  package static let signIn = Command(
    "signIn", "Sign in to the endpoint",
    unless: { $0.connection.reasonAgainstSigningIn }
  ) { $0.beginSignIn() }

  package static let signOut = Command(
    "signOut", "Sign out of the endpoint",
    unless: { $0.connection.reasonAgainstSigningIn }
  ) { _ in [.endpoint(.signOut)] }

  package static let showAudits = Command(
    "showAudits", "Audit the server against the specifications",
    .keys(.everywhere, "Alt-A"),
    unless: { $0.reasonAgainstAudits }
  ) { $0.showAudits() }

  package static let repeatAudit = Command(
    "repeatAudit", "Audit the server again",
    .keys(.audits, "r", footer: "repeat"),
    inPalette: false,
    unless: { $0.audit?.isRunning == true ? "The audit is still running" : $0.reasonAgainstAudits }
  ) { $0.askForAudit() }

  package static let cancelAudit = Command(
    "cancelAudit", "Cancel the audit",
    .keys(.audits, "Ctrl-C", footer: "cancel"),
    inPalette: false,
    unless: { $0.audit?.isRunning == true ? nil : "No audit is running" }
  ) { $0.cancelAudit() }

  package static let showRequests = Command(
    "showRequests", "Requests of the application (apus tap)",
    .keys(.everywhere, "Alt-R"),
    unless: { $0.reasonAgainstRequests }
  ) { $0.present(RequestsPopup()) }

  package static let releasePayload = Command(
    "releasePayload", "Release the next payload of the application's request",
    .keys(.panes, "F8"),
    .keys(.requests, "Space", footer: "release"),
    unless: { $0.reasonAgainstReleasing }
  ) { $0.release(all: false) }

  package static let releaseResponse = Command(
    "releaseResponse", "Release the whole response to the application",
    .keys(.requests, "a", footer: "all of it"),
    unless: { $0.reasonAgainstReleasing }
  ) { $0.release(all: true) }

  package static let holdPayloads = Command(
    "holdPayloads", "Hold the payloads of the application's next requests, or release everything",
    .keys(.requests, "h", footer: "hold"),
    unless: { $0.reasonAgainstRequests }
  ) { $0.apply($0.requests?.toggleHold() ?? []) }

  package static let editRules = Command(
    "editRules", "Rules that change responses to the application (apus tap)",
    .keys(.requests, "r", footer: "rules"),
    unless: { $0.reasonAgainstRequests }
  ) { $0.present(RulesPopup($0.requests?.rules ?? [])) }

  package static let toggleVim = Command("toggleVim", "Turn vim keys on or off") { $0.toggleVimKeys() }

  package static let toggleMouse = Command(
    "toggleMouse", "Turn mouse support on or off",
    .keys(.everywhere, "Alt-m")
  ) { $0.apply($0.screen.toggleMouse()) }

  package static let suspend = Command("suspend", "Suspend and return to the shell") { _ in [.screen(.suspend)] }
}
