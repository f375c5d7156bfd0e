/// The purpose of loading a history entry.
package enum HistoryPurpose: Equatable, Sendable {
  case open, runAgain, compare
  /// Run again on this endpoint although it ran on another one.
  case runHere
}
