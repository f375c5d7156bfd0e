/// What an entry of the history is opened for.
package enum HistoryPurpose: Hashable, Sendable {
  case open, runAgain, compare
  /// Run again, although it ran at another endpoint.
  case runHere
}
