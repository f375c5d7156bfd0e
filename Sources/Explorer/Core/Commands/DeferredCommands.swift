/// Commands of the deferred pane.
extension Command {
  static let deferredRows: [Command] = [
    filterDeferred, sortDeferred, reverseDeferred, nextFailedFragment, nextSlowestFragment, copyDeferredRow,
  ]

  package static let filterDeferred = Command(
    "filterDeferred", "Filter the deferred fragments",
    .keys(.deferred, "/", footer: "filter", help: "Filter by name, path, state and error"),
    unless: { $0.tab.response.reasonAgainstDeferred }
  ) { $0.apply($0.tab.response.filterDeferred()) }

  package static let sortDeferred = Command(
    "sortDeferred", "Sort the deferred fragments by start, time or state",
    .keys(.deferred, "s", footer: "sort", help: "Sort by start, own time or state"),
    unless: { $0.tab.response.reasonAgainstDeferred }
  ) { $0.apply($0.tab.response.sortDeferred()) }

  package static let reverseDeferred = Command(
    "reverseDeferred", "Reverse the order of the deferred fragments",
    .keys(.deferred, "S", help: "Reverse the order"),
    unless: { $0.tab.response.reasonAgainstDeferred }
  ) { $0.apply($0.tab.response.reverseDeferred()) }

  package static let nextFailedFragment = Command(
    "nextFailedFragment", "Go to the next failed fragment",
    .keys(.deferred, "f", footer: "next failed"),
    unless: { $0.tab.response.reasonAgainstNextFailed }
  ) { $0.apply($0.tab.response.selectNextFailed()) }

  package static let nextSlowestFragment = Command(
    "nextSlowestFragment", "Go to the slowest fragment, then to the next slower one",
    .keys(.deferred, "t", footer: "slowest"),
    unless: { $0.tab.response.reasonAgainstShownDeferred }
  ) { $0.apply($0.tab.response.selectNextSlowest()) }

  package static let copyDeferredRow = Command(
    "copyDeferredRow", "Copy the deferred fragment: name, path, state, times and errors",
    .keys(.deferred, "y", help: "Copy the row with its errors"),
    unless: { $0.tab.response.selectedDelivery == nil ? "No deferred fragment is selected" : nil }
  ) { $0.apply($0.tab.response.copyDeferredRow()) }
}
