import ApusASCII

/// A program between this one and the terminal, which has its own screens and passes on only wrapped sequences.
package enum Multiplexer: Equatable, Sendable {
  case tmux
  case gnuScreen
}

/// The control sequence for a desktop notification.
package enum NotificationForm: Equatable, Sendable {
  /// OSC 9: iTerm2, kitty, WezTerm, Ghostty.
  case text
  /// OSC 777, with a title: VTE, urxvt, foot, Konsole.
  case titled
}

/// Control sequences that address the terminal itself: clipboard, title and notifications.
package enum ControlSequences {
  /// Copies text to the clipboard of the terminal's user, also over a remote connection (OSC 52):
  /// `ESC ] 52 ; c ; T3ds BEL` for "Owl".
  package static func clipboard(_ text: String, throughGNUScreen isWrapped: Bool = false) -> String {
    wrapped("\u{1B}]52;c;" + Base64.encode(Array(text.utf8)) + "\u{7}", through: isWrapped ? [.gnuScreen] : [])
  }

  /// Shows a desktop notification. Control characters and field separators are removed and the text is truncated to 200
  /// characters, because it may be untrusted. It never begins with a digit, which would be another command of OSC 9.
  package static func notification(
    _ text: String, as form: NotificationForm, through multiplexers: [Multiplexer] = []
  ) -> String {
    let shown = String(withoutControls(text).map { $0 == ";" ? "," : $0 }.prefix(200))
    let sequence =
      switch form {
      case .text: "\u{1B}]9;Apus: \(shown)\u{7}"
      case .titled: "\u{1B}]777;notify;Apus;\(shown)\u{7}"
      }
    return wrapped(sequence, through: multiplexers)
  }

  /// Wraps a sequence so that it passes through multiplexers, innermost first.
  ///
  /// tmux accepts it as one string with each Escape doubled; GNU screen accepts pieces of at most 240 bytes. `ESC \`
  /// would end a piece early, so no piece contains both bytes.
  package static func wrapped(_ sequence: String, through multiplexers: [Multiplexer]) -> String {
    multiplexers.reversed().reduce(sequence) { (sequence, multiplexer) -> String in
      switch multiplexer {
      case .tmux:
        return "\u{1B}Ptmux;"
          + sequence.split(separator: "\u{1B}", omittingEmptySubsequences: false)
          .joined(separator: "\u{1B}\u{1B}") + "\u{1B}\\"
      case .gnuScreen:
        var pieces = "\u{1B}P"
        var size = 0
        var previous: Unicode.Scalar = " "
        for scalar in sequence.unicodeScalars {
          let count = UTF8.width(scalar)
          if size + count > 240 || (previous == "\u{1B}" && scalar == "\\") {
            pieces += "\u{1B}\\\u{1B}P"
            size = 0
          }
          pieces.unicodeScalars.append(scalar)
          size += count
          previous = scalar
        }
        return pieces + "\u{1B}\\"
      }
    }
  }

  /// The terminal displays nothing that is written between these (mode 2026).
  static let synchronizedStart = "\u{1B}[?2026h"
  package static let synchronizedEnd = "\u{1B}[?2026l"

  /// Sets the title of the window (OSC 2): `ESC ] 2 ; TITLE BEL`. Control characters are removed.
  package static func title(_ title: String) -> String {
    "\u{1B}]2;\(withoutControls(title))\u{7}"
  }

  private static func withoutControls(_ text: String) -> String {
    let shown = text.unicodeScalars.filter { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
    return String(String.UnicodeScalarView(shown))
  }
}
