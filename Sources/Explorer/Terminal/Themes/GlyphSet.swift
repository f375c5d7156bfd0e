/// The characters for borders, bars and states, in a Unicode and an ASCII version.
package struct GlyphSet: Equatable, Sendable {
  package struct Border: Equatable, Sendable {
    package var horizontal: Character
    package var vertical: Character
    package var topLeft: Character
    package var topRight: Character
    package var bottomLeft: Character
    package var bottomRight: Character
    package var teeLeft: Character
    package var teeRight: Character
  }

  package var border: Border
  /// The border of the focused pane, which differs even without colors.
  package var focusedBorder: Border
  package var scrollTrack: Character
  package var scrollThumb: Character
  /// The steps of a one-cell bar, from empty to full.
  package var barSteps: [Character]
  package var spinner: [Character]
  package var folded: Character
  package var unfolded: Character
  package var bullet: Character
  package var selected: Character
  package var pending: Character
  package var fulfilled: Character
  package var failed: Character
  package var notExecuted: Character
  package var withErrors: Character
  package var null: Character
  package var cut: Character
  package var cancelled: Character
  package var neverCame: Character
  package var fromCache: Character
  /// The bars of the timeline: before an item was announced, and from then on.
  package var barUnknown: Character
  package var bar: Character
  package var barFromCache: Character
  package var axis: Character
  package var tick: Character
  package var scrubber: Character
  package var error: Character
  package var warning: Character
  package var info: Character
  package var reference: Character
  package var ellipsis: Character
  package var cutLeft: Character
  package var cutRight: Character
  package var checked: Character
  package var unchecked: Character
  package var tab: Character
  package var separator: Character
  package var treeBranch: Character
  package var treeLast: Character
  /// Whether a list has pages that are not loaded, and in which direction.
  package var pagesBefore: Character
  package var pagesAfter: Character
  package var pagesBothWays: Character
  package var pagesNone: Character
  /// The marks of headers that use environment variables or commands.
  package var environment: Character
  package var command: Character

  package static let unicode = GlyphSet(
    border: Border(
      horizontal: "─", vertical: "│", topLeft: "╭", topRight: "╮", bottomLeft: "╰", bottomRight: "╯", teeLeft: "├",
      teeRight: "┤"),
    focusedBorder: Border(
      horizontal: "━", vertical: "┃", topLeft: "┏", topRight: "┓", bottomLeft: "┗", bottomRight: "┛", teeLeft: "┣",
      teeRight: "┫"),
    scrollTrack: "│", scrollThumb: "█", barSteps: Array(" ▏▎▍▌▋▊▉█"), spinner: Array("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"), folded: "▸",
    unfolded: "▾", bullet: "•", selected: "▌", pending: "◌", fulfilled: "●", failed: "✗", notExecuted: "⊘",
    withErrors: "◐", null: "∅", cut: "⊣", cancelled: "⊗", neverCame: "○", fromCache: "◆", barUnknown: "╌", bar: "━",
    barFromCache: "┅", axis: "─", tick: "┴", scrubber: "▼", error: "✗",
    warning: "▲", info: "ℹ", reference: "→", ellipsis: "…", cutLeft: "‹", cutRight: "›", checked: "☑", unchecked: "☐",
    tab: "→", separator: "│", treeBranch: "├", treeLast: "└",
    pagesBefore: "↑", pagesAfter: "↓", pagesBothWays: "↕", pagesNone: "•", environment: "$", command: "»")

  /// The glyphs in the fonts of text consoles: single and double box drawing characters, no thin blocks.
  package static let console: GlyphSet = {
    var glyphs = GlyphSet.ascii
    glyphs.border = Border(
      horizontal: "─", vertical: "│", topLeft: "┌", topRight: "┐", bottomLeft: "└", bottomRight: "┘", teeLeft: "├",
      teeRight: "┤")
    glyphs.focusedBorder = Border(
      horizontal: "═", vertical: "║", topLeft: "╔", topRight: "╗", bottomLeft: "╚", bottomRight: "╝", teeLeft: "╠",
      teeRight: "╣")
    glyphs.scrollTrack = "│"
    glyphs.scrollThumb = "█"
    glyphs.barSteps = Array("░█")
    glyphs.bullet = "·"
    glyphs.separator = "│"
    glyphs.treeBranch = "├"
    glyphs.treeLast = "└"
    return glyphs
  }()

  package static let ascii = GlyphSet(
    border: Border(
      horizontal: "-", vertical: "|", topLeft: "+", topRight: "+", bottomLeft: "+", bottomRight: "+", teeLeft: "+",
      teeRight: "+"),
    focusedBorder: Border(
      horizontal: "=", vertical: "#", topLeft: "#", topRight: "#", bottomLeft: "#", bottomRight: "#", teeLeft: "#",
      teeRight: "#"),
    scrollTrack: "|", scrollThumb: "#", barSteps: Array(" #"), spinner: Array("|/-\\"), folded: ">", unfolded: "v",
    bullet: "*", selected: ">", pending: "o", fulfilled: "*", failed: "x", notExecuted: "/",
    withErrors: "%", null: "0", cut: "]", cancelled: "c", neverCame: ".", fromCache: "#", barUnknown: ".", bar: "=",
    barFromCache: ":", axis: "-", tick: "+", scrubber: "v", error: "x", warning: "!",
    info: "i", reference: ">", ellipsis: "~", cutLeft: "<", cutRight: ">", checked: "x", unchecked: "-", tab: ">",
    separator: "|", treeBranch: "|", treeLast: "`", pagesBefore: "^", pagesAfter: "v", pagesBothWays: "|",
    pagesNone: ".", environment: "$", command: ">")
}
