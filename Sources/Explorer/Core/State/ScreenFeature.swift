/// The state of the screen: focus, panes, theme, mouse and notice.
package struct ScreenFeature: Equatable, Sendable {
  package var themes: [String]
  package var theme = 0
  /// The name of the theme that the user chose in the explorer; nil if the configuration decides.
  package var chosenTheme: String?
  package var focus = PaneID.query
  /// Panes, most recently used first. Of the panes in a region, the first one in this list is shown.
  package var recentPanes = PaneID.walk
  package var arrangement = PaneLayout()
  /// Whether the explorer receives mouse events. If not, the terminal uses the mouse to select text.
  package var hasMouse = true
  /// Whether the terminal window has keyboard focus, as far as the terminal reports it.
  package var isInFocus = true
  /// The minimum duration of a run whose end causes a desktop notification while the terminal is not in focus; nil
  /// disables the notifications.
  package var notifiesAfter: Duration?
  package var viewports: [PaneID: Viewport] = [:]
  /// Whether the response marks the origin of each field.
  package var isShowingSources = false
  package var notice: Notice?
  /// A counter that advances while something runs, for animations.
  package var ticks = 0

  /// Key bindings in effect, which the help lists.
  package var keyRows: [KeyRow] = []
  /// Commands chosen in the palette, most recent first.
  package var recentCommands: [Command] = []

  init(themes: [String]) { self.themes = themes }

  package func viewportRows(_ pane: PaneID) -> Int { max(1, viewports[pane]?.rows ?? 10) }

  mutating func focus(on pane: PaneID) {
    focus = pane
    recentPanes.removeAll { $0 == pane }
    recentPanes.insert(pane, at: 0)
  }

  /// Makes a pane visible in its region without focusing it.
  mutating func bringForward(_ pane: PaneID) {
    recentPanes.removeAll { $0 == pane }
    recentPanes.insert(pane, at: min(1, recentPanes.count))
  }

  // MARK: Themes

  mutating func showNextTheme() -> [FollowUp] {
    chooseTheme((theme + 1) % max(1, themes.count))
    return [.notice("Theme: \(themes[theme])")]
  }

  mutating func chooseTheme(_ index: Int) {
    guard themes.indices.contains(index) else { return }
    theme = index
    chosenTheme = themes[index]
  }

  /// Shows a theme that an endpoint's profile names, which does not count as the user's choice.
  mutating func showTheme(named name: String?) {
    if let index = name.flatMap({ themes.firstIndex(of: $0) }) { theme = index }
  }

  /// Selects the theme that suits the terminal's background, unless the user chose a theme.
  mutating func backgroundSeen(theme index: Int) {
    if chosenTheme == nil, themes.indices.contains(index) { theme = index }
  }

  func pickTheme() -> [FollowUp] {
    var picker = PickerPopup(
      .themes(before: theme),
      items: themes.enumerated().map {
        PickerItem(id: "\($0.offset)", title: $0.element, tone: $0.offset == theme ? .current : .plain)
      })
    picker.list.selected = theme
    return [.present(Popup(picker))]
  }

  // MARK: Panes

  mutating func showNextLayout() -> [FollowUp] {
    let all = PaneLayout.Preset.allCases
    let index = all.firstIndex(of: arrangement.layout) ?? 0
    arrangement.layout = all[(index + 1) % all.count]
    arrangement.isZoomed = false
    return [.notice("Layout: \(arrangement.layout.title)")]
  }

  mutating func changeArrangement(_ change: (inout PaneLayout) -> Void) -> [FollowUp] {
    change(&arrangement)
    return []
  }

  mutating func toggleSources() -> [FollowUp] {
    isShowingSources.toggle()
    return []
  }

  mutating func toggleMouse() -> [FollowUp] {
    hasMouse.toggle()
    let words = hasMouse ? "Mouse support is on" : "Mouse support is off: select and copy with the terminal"
    return [.notice(words), .effect(.screen(.captureMouse(hasMouse)))]
  }
}
