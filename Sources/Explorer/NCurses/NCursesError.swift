/// The reason why the terminal cannot be used.
package enum NCursesError: Error, Equatable, CustomStringConvertible {
  case noTerminal
  case unknownTerminal(name: String)
  case tooSimple(name: String)

  package var description: String {
    switch self {
    case .noTerminal: "not a terminal: run apus in a terminal, or use `apus query`"
    case .unknownTerminal(let name):
      name.isEmpty
        ? "TERM is not set: set it to the terminal's name, such as xterm-256color"
        : "no terminfo entry for TERM=\(name): install its entry (ncurses-term) or try TERM=xterm-256color"
    case .tooSimple(let name): "TERM=\(name) cannot position the cursor: use a terminal such as xterm"
    }
  }
}
