/// How the screen is arranged: the focus, the panes, the theme, the mouse, and the line that tells what just happened.
package struct ScreenState: Equatable, Sendable {
  package var themes: [String]
  package var theme = 0
  /// The theme's name, where it was chosen in the explorer.
  package var chosenTheme: String?
  package var focus = PaneID.query
  /// The panes, last looked at first: where several share a place on the screen, the first of them is shown.
  package var recentPanes = PaneID.walk
  package var arrangement = Arrangement()
  /// Whether the mouse is the explorer's; else the terminal selects with it.
  package var hasMouse = true
  /// Whether the terminal's window is the one that is typed into, as far as the terminal tells.
  package var isInFocus = true
  /// How long a run must have taken for its end to be told on the desktop while the terminal is out of focus; nil for none.
  package var notifiesAfter: Duration?
  package var viewports: [PaneID: Viewport] = [:]
  /// Whether the fields of the response are marked with where they came from.
  package var isShowingSources = false
  package var notice: Notice?
  /// Advances while something runs, for what turns on the screen meanwhile.
  package var ticks = 0

  /// Every key as the person has it: what the help lists.
  package var keyRows: [KeyRow] = []
  /// What was chosen in the palette, the last one first.
  package var recentCommands: [Command] = []

  init(themes: [String]) { self.themes = themes }

  package func viewportRows(_ pane: PaneID) -> Int { max(1, viewports[pane]?.rows ?? 10) }

  mutating func focus(on pane: PaneID) {
    focus = pane
    recentPanes.removeAll { $0 == pane }
    recentPanes.insert(pane, at: 0)
  }

  /// Brings a pane to the front without going to it.
  mutating func bringForward(_ pane: PaneID) {
    recentPanes.removeAll { $0 == pane }
    recentPanes.insert(pane, at: min(1, recentPanes.count))
  }

  // MARK: Themes

  mutating func showNextTheme() -> [FollowUp] {
    chooseTheme((theme + 1) % max(1, themes.count))
    return [.tell("Theme: \(themes[theme])")]
  }

  mutating func chooseTheme(_ index: Int) {
    guard themes.indices.contains(index) else { return }
    theme = index
    chosenTheme = themes[index]
  }

  /// One that an endpoint asks for is not chosen by the person.
  mutating func showTheme(named name: String?) {
    if let index = name.flatMap({ themes.firstIndex(of: $0) }) { theme = index }
  }

  /// The terminal told its background: the theme that suits it.
  mutating func backgroundSeen(theme index: Int) {
    if chosenTheme == nil, themes.indices.contains(index) { theme = index }
  }

  func pickTheme() -> [FollowUp] {
    var picker = PickerState(
      .themes(before: theme),
      items: themes.enumerated().map {
        PickerItem(id: "\($0.offset)", title: $0.element, tone: $0.offset == theme ? .current : .plain)
      })
    picker.list.selected = theme
    return [.present(Popup(picker))]
  }

  // MARK: Panes

  mutating func showNextLayout() -> [FollowUp] {
    let all = Arrangement.Layout.allCases
    let index = all.firstIndex(of: arrangement.layout) ?? 0
    arrangement.layout = all[(index + 1) % all.count]
    arrangement.isZoomed = false
    return [.tell("Layout: \(arrangement.layout.title)")]
  }

  mutating func changeArrangement(_ change: (inout Arrangement) -> Void) -> [FollowUp] {
    change(&arrangement)
    return []
  }

  mutating func toggleSources() -> [FollowUp] {
    isShowingSources.toggle()
    return []
  }

  mutating func toggleMouse() -> [FollowUp] {
    hasMouse.toggle()
    let words = hasMouse ? "The mouse is the explorer's" : "The mouse is the terminal's: select and copy as usual"
    return [.tell(words), .effect(.screen(.captureMouse(hasMouse)))]
  }
}
