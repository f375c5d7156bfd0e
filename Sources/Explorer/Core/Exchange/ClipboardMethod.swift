/// The method that put text on the clipboard.
package enum ClipboardMethod: Equatable, Sendable {
  /// The named program accepted the text.
  case program(String)
  /// The text was sent to the terminal (OSC 52), which does not confirm it.
  case terminal
  /// No method is available.
  case none

  /// The maximum length in bytes; terminals and multiplexers truncate or drop longer sequences.
  static let terminalLimit = 750_000
}
