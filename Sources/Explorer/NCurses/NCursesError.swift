/// The reason why the terminal cannot be used.
package enum NCursesError: Error, Equatable, CustomStringConvertible {
  case noTerminal
  case unknownTerminal(name: String)
  case tooSimple(name: String)

  package var description: String {
    switch self {
    case .noTerminal: "no terminal to draw on: run it in one, or use `apus query` without a screen"
    case .unknownTerminal(let name):
      name.isEmpty
        ? "TERM is not set: set it to the terminal's name, xterm-256color say"
        : "no terminfo entry for TERM=\(name): install its entry (ncurses-term) or try TERM=xterm-256color"
    case .tooSimple(let name): "TERM=\(name) cannot place its cursor: a terminal like xterm is needed"
    }
  }
}
