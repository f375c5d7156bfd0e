/// How a text got to the person's clipboard.
package enum ClipboardWay: Equatable, Sendable {
  /// A program took it, and said so.
  case program(String)
  /// Nobody but the terminal is there to ask (OSC 52), which does not say whether it does.
  case terminal
  /// Nobody at all.
  case none

  /// In bytes: terminals and multiplexers cut or drop longer sequences.
  static let terminalLimit = 750_000
}
