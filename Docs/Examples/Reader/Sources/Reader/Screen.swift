import ReaderAPI

/// The output on the terminal. Control characters of a server's text are removed here.
struct Screen: Sendable {
  /// Every state has its own symbol, so that no color is needed.
  enum Mark {
    static let pending = "…"
    static let done = "✓"
    static let failed = "✗"
  }

  func show(_ text: String) { print(Self.plain(text)) }

  func prompt() { print("> ", terminator: "") }

  /// Returns a number padded to three columns.
  static func number(_ number: Int) -> String {
    let text = "\(number)"
    return String(repeating: " ", count: max(0, 3 - text.count)) + text
  }

  /// Returns the text without control characters and characters that change its direction.
  static func plain(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.filter { scalar in
          switch scalar.properties.generalCategory {
          case .control: scalar == "\n"
          case .format, .lineSeparator, .paragraphSeparator, .surrogate: false
          default: true
          }
        }))
  }
}

/// Repeated lines, each of which is shown only when its text changes.
struct ShownLines {
  private let screen: Screen
  private var texts: [String: String] = [:]

  init(_ screen: Screen) {
    self.screen = screen
  }

  mutating func show(_ name: String, _ text: String) {
    guard texts.updateValue(text, forKey: name) != text else { return }
    screen.show(text)
  }
}
