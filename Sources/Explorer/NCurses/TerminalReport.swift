import ApusExplorerTerminal
import CApusNCurses

/// The capabilities of the terminal, determined without opening it.
package struct TerminalReport: Sendable {
  package let name: String
  /// The number of colors; nil if terminfo has no entry with the name.
  package let colors: ColorDepth?
  /// Whether the entry has a sequence to position the cursor, which the explorer needs.
  package let positionsCursor: Bool
  /// The entry used instead if terminfo has no entry with the name; nil if it has one or none is suitable.
  package let fallbackName: String?
  package let isUTF8: Bool
  package let size: Size?
  package let isTmux: Bool
  package let isGNUScreen: Bool
  package let isConsole: Bool
  package let forbidsColor: Bool
  package let ncursesVersion: String

  package init(environment variables: [String: String]) {
    let environment = TerminalEnvironment(variables)
    name = environment.name
    fallbackName = Terminfo.fallbackName(environment)
    colors = apus_terminfo_load(nil) ? Terminfo.colorDepth(environment) : nil
    positionsCursor = colors == nil || Terminfo.string("cup") != nil
    isUTF8 = apus_screen_is_utf8()
    var (columns, rows): (Int32, Int32) = (0, 0)
    size = apus_screen_size(&columns, &rows) ? Size(width: Int(columns), height: Int(rows)) : nil
    isTmux = environment.isTmux
    isGNUScreen = environment.isGNUScreen
    isConsole = environment.isConsole
    forbidsColor = environment.forbidsColor
    ncursesVersion = String(cString: apus_ncurses_version())
  }
}
