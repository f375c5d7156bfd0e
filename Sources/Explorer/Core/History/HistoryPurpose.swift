/// What an entry of the history is opened for.
package enum HistoryPurpose: Equatable, Sendable {
  case open, runAgain, compare
  /// Run again, although it ran at another endpoint.
  case runHere
}
