/// Commands for the topmost popup.
extension Command {
  static let popups: [Command] = [
    popupAccept, acceptOrNewline, popupUp, popupDown, popupPageUp, popupPageDown, popupFirst, popupLast,
    popupDelete, completePath, popupNextField, replaceAll, schemaBack, schemaForward, schemaToQuery, runAgain,
    compareRun,
    confirmYes, confirmNo, openSignInPage, copySignInPage, errorToQuery, copyError, searchTraffic, nextInTraffic,
    previousInTraffic, copyTraffic,
    saveTraffic, filterAudits, copyAudits, saveAudits, filterRequests, listConflicts, copyTapURL,
    popupClose,
  ]

  package static let popupAccept = Command(
    popup: "popupAccept", "Accept",
    .keys(.completion, "Tab", footer: "accept"),
    .keys(.help, "Enter", footer: "open or run", help: "Open the topic, or run the command of the key"),
    .keys(.palette, "Enter", footer: "run"),
    .keys(.form, "Enter", footer: "fill in", help: "Fill in (or start typing a variable), otherwise open or close"),
    .keys(.find, "Enter", "Ctrl-G", footer: "next", help: "Next match; in the replacement, replace the match"),
    .keys(.schema, "Enter", "Right", footer: "open", help: "Open the row's target"),
    .keys(.choice, "Enter", footer: "accept"),
    .keys(.errors, "Enter", footer: "to the response", help: "Go to the error in the response"),
    .keys(.audits, "Enter", footer: "request and bytes", help: "Show the rule, the request and the response bytes"),
    .keys(.requests, "Enter", footer: "open", help: "Open the request in a tab that follows its response"),
    .keys(.rules, "Enter", footer: "use", help: "Use the rules for new requests"),
    .keys(.picker, "Enter", "Tab", footer: "choose"),
    .keys(.history, "Enter", footer: "open"),
    .keys(.difference, "Enter", footer: "show in response", help: "Show the change in the response"),
    .keys(.line, "Enter", footer: "accept")
  )

  package static let acceptOrNewline = Command(
    popup: "acceptOrNewline", "Accept the selected completion, otherwise insert a new line",
    .keys(.completion, "Enter")
  )

  package static let completePath = Command(
    popup: "completePath", "Complete the path of a file",
    .keys(.line, "Tab")
  )

  package static let popupUp = Command(
    popup: "popupUp", "Up",
    .keys(.completion, "Up", "Ctrl-P"),
    .keys(.palette, "Up"),
    .keys(.help, "Up"),
    .keys(.form, "Up", "Ctrl-P"),
    .keys(.find, "Up", "Ctrl-P", footer: "previous", help: "Previous"),
    .keys(.hover, "Up"),
    .keys(.value, "Up", "k"),
    .keys(.schema, "Up", "Ctrl-P"),
    .keys(.topic, "Up", "k"),
    .keys(.traffic, "Up", "k"),
    .keys(.audit, "Up", "k"),
    .keys(.errors, "Up", "k"),
    .keys(.audits, "Up", "k"),
    .keys(.requests, "Up", "k"),
    .keys(.choice, "Up", "k"),
    .keys(.rules, "Up"),
    .keys(.picker, "Up", "Ctrl-P"),
    .keys(.confirmation, "Up", help: "Scroll up"),
    .keys(.difference, "Up", "k")
  )

  package static let popupDown = Command(
    popup: "popupDown", "Down",
    .keys(.completion, "Down", "Ctrl-N"),
    .keys(.palette, "Down"),
    .keys(.help, "Down"),
    .keys(.form, "Down", "Ctrl-N"),
    .keys(.find, "Down", "Ctrl-N", help: "Next"),
    .keys(.hover, "Down"),
    .keys(.value, "Down", "j"),
    .keys(.schema, "Down", "Ctrl-N"),
    .keys(.topic, "Down", "j"),
    .keys(.traffic, "Down", "j"),
    .keys(.audit, "Down", "j"),
    .keys(.errors, "Down", "j"),
    .keys(.audits, "Down", "j"),
    .keys(.requests, "Down", "j"),
    .keys(.choice, "Down", "j"),
    .keys(.rules, "Down", footer: "next rule", help: "Next rule, or a new one after the last"),
    .keys(.picker, "Down", "Ctrl-N"),
    .keys(.confirmation, "Down", help: "Scroll down"),
    .keys(.difference, "Down", "j")
  )

  package static let popupPageUp = Command(
    popup: "popupPageUp", "Page up",
    .keys(.completion, "PageUp"),
    .keys(.palette, "PageUp"),
    .keys(.help, "PageUp"),
    .keys(.form, "PageUp"),
    .keys(.hover, "PageUp"),
    .keys(.value, "PageUp"),
    .keys(.schema, "PageUp"),
    .keys(.topic, "PageUp"),
    .keys(.traffic, "PageUp"),
    .keys(.audit, "PageUp"),
    .keys(.errors, "PageUp", help: "Scroll details up"),
    .keys(.audits, "PageUp"),
    .keys(.requests, "PageUp"),
    .keys(.choice, "PageUp"),
    .keys(.picker, "PageUp"),
    .keys(.confirmation, "PageUp", help: "Scroll a page up"),
    .keys(.difference, "PageUp")
  )

  package static let popupPageDown = Command(
    popup: "popupPageDown", "Page down",
    .keys(.completion, "PageDown"),
    .keys(.palette, "PageDown"),
    .keys(.help, "PageDown"),
    .keys(.form, "PageDown"),
    .keys(.hover, "PageDown"),
    .keys(.value, "PageDown", "Space"),
    .keys(.schema, "PageDown"),
    .keys(.topic, "PageDown", "Space"),
    .keys(.traffic, "PageDown", "Space"),
    .keys(.audit, "PageDown", "Space"),
    .keys(.errors, "PageDown", "Space", help: "Scroll details down"),
    .keys(.audits, "PageDown", "Space"),
    .keys(.requests, "PageDown"),
    .keys(.choice, "PageDown"),
    .keys(.picker, "PageDown"),
    .keys(.confirmation, "PageDown", help: "Scroll a page down"),
    .keys(.difference, "PageDown")
  )

  package static let popupFirst = Command(
    popup: "popupFirst", "First",
    .keys(.palette, "Home", "Ctrl-Home"),
    .keys(.help, "Home", "Ctrl-Home"),
    .keys(.form, "Home"),
    .keys(.schema, "Home", "Ctrl-Home"),
    .keys(.topic, "Home", "g"),
    .keys(.traffic, "Home", "g"),
    .keys(.audit, "Home", "g"),
    .keys(.value, "Home", "g"),
    .keys(.errors, "Home", "g"),
    .keys(.audits, "Home", "g"),
    .keys(.requests, "Home", "g"),
    .keys(.choice, "Home", "g"),
    .keys(.picker, "Home", "Ctrl-Home"),
    .keys(.confirmation, "Home", help: "Go to the start"),
    .keys(.difference, "Home", "g")
  )

  package static let popupLast = Command(
    popup: "popupLast", "Last",
    .keys(.palette, "End", "Ctrl-End"),
    .keys(.help, "End", "Ctrl-End"),
    .keys(.form, "End"),
    .keys(.schema, "End", "Ctrl-End"),
    .keys(.topic, "End", "G"),
    .keys(.traffic, "End", "G"),
    .keys(.audit, "End", "G"),
    .keys(.value, "End", "G"),
    .keys(.errors, "End", "G"),
    .keys(.audits, "End", "G"),
    .keys(.requests, "End", "G"),
    .keys(.choice, "End", "G"),
    .keys(.picker, "End", "Ctrl-End"),
    .keys(.confirmation, "End", help: "Go to the end"),
    .keys(.difference, "End", "G")
  )

  package static let popupDelete = Command(
    popup: "popupDelete", "Remove", .keys(.form, "Delete", footer: "remove"))

  package static let popupNextField = Command(
    popup: "popupNextField", "Switch between search and replacement", .keys(.find, "Tab"))

  package static let replaceAll = Command(
    popup: "replaceAll", "Replace all",
    .keys(.find, "Alt-Enter", "Alt-a", footer: "replace all")
  )

  package static let schemaBack = Command(
    popup: "schemaBack", "Back", .keys(.schema, "Left", "Alt-Left", footer: "back"))

  package static let schemaForward = Command(
    popup: "schemaForward", "Forward",
    .keys(.schema, "Alt-Right", footer: "forward")
  )

  package static let schemaToQuery = Command(
    popup: "schemaToQuery", "Query the type or field", .keys(.schema, "Ctrl-T", footer: "query"))

  package static let runAgain = Command(
    popup: "runAgain", "Run again", .keys(.history, "Ctrl-R", "F5", footer: "run again"))

  package static let compareRun = Command(
    popup: "compareRun", "Compare its response with the current one",
    .keys(.history, "Ctrl-D", footer: "compare")
  )

  package static let confirmYes = Command(popup: "confirmYes", "Yes", .keys(.confirmation, "y", footer: "yes"))

  package static let confirmNo = Command(
    popup: "confirmNo", "No", .keys(.confirmation, "Esc", "n", "Ctrl-C", footer: "no"))

  package static let openSignInPage = Command(
    popup: "openSignInPage", "Open the page in the browser", .keys(.signIn, "Enter", footer: "open in browser"))

  package static let copySignInPage = Command(
    popup: "copySignInPage", "Copy the page's address", .keys(.signIn, "Ctrl-Y", footer: "copy address"))

  package static let errorToQuery = Command(
    popup: "errorToQuery", "Go to the error in the query", .keys(.errors, "Tab", footer: "to the query"))

  package static let copyError = Command(
    popup: "copyError", "Copy the error as JSON", .keys(.errors, "y", footer: "copy"))

  package static let searchTraffic = Command(
    popup: "searchTraffic", "Search the traffic", .keys(.traffic, "/", footer: "search"))

  package static let nextInTraffic = Command(
    popup: "nextInTraffic", "Next match", .keys(.traffic, "n", footer: "next"))

  package static let previousInTraffic = Command(
    popup: "previousInTraffic", "Previous match", .keys(.traffic, "N"))

  package static let copyTraffic = Command(
    popup: "copyTraffic", "Copy the traffic without secret headers", .keys(.traffic, "y", footer: "copy"))

  package static let saveTraffic = Command(
    popup: "saveTraffic", "Save the traffic to a file without secret headers",
    .keys(.traffic, "s", footer: "save"))

  package static let filterAudits = Command(
    popup: "filterAudits", "Filter the audits", .keys(.audits, "/", footer: "filter"))

  package static let copyAudits = Command(
    popup: "copyAudits", "Copy the listed audits", .keys(.audits, "y", footer: "copy"))

  package static let saveAudits = Command(
    popup: "saveAudits", "Save the listed audits to a file", .keys(.audits, "s", footer: "save"))

  package static let filterRequests = Command(
    popup: "filterRequests", "Filter the requests by text, operation:, client:, state:, from: and to:",
    .keys(.requests, "/", footer: "filter"))

  package static let listConflicts = Command(
    popup: "listConflicts", "List the queries that take each other's fields",
    .keys(.requests, "c", footer: "conflicts"))

  package static let copyTapURL = Command(
    popup: "copyTapURL", "Copy the URL for the application", .keys(.requests, "y", footer: "copy URL"))

  package static let popupClose = Command(
    popup: "popupClose", "Close",
    .keys(.completion, "Esc", footer: "close"),
    .keys(.palette, "Esc", footer: "close"),
    .keys(.help, "Esc", footer: "close"),
    .keys(.topic, "Esc", "Enter", "q", "F3", footer: "close"),
    .keys(.jump, "Esc", "Alt-j", footer: "close"),
    .keys(.form, "Esc", footer: "close"),
    .keys(.find, "Esc", footer: "close"),
    .keys(.hover, "Esc", "Enter", footer: "close"),
    .keys(.schema, "Esc", "F4", footer: "close"),
    .keys(.traffic, "Esc", "Enter", footer: "close"),
    .keys(.audit, "Esc", "Enter", "q", footer: "close"),
    .keys(.value, "Esc", "Enter", "q", footer: "close"),
    .keys(.choice, "Esc", "q", footer: "close"),
    .keys(.errors, "Esc", "q", footer: "close"),
    .keys(.audits, "Esc", "q", footer: "close"),
    .keys(.requests, "Esc", "q", footer: "close"),
    .keys(.rules, "Esc", footer: "cancel", help: "Close and keep the rules in use"),
    .keys(.signIn, "Esc", "Ctrl-C", footer: "cancel", help: "Cancel the sign-in"),
    .keys(.picker, "Esc", footer: "close"),
    .keys(.difference, "Esc", "q", footer: "close"),
    .keys(.line, "Esc", footer: "close")
  )
}
