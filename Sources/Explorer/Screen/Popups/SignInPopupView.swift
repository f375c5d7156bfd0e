import ApusExplorerCore
import ApusExplorerTerminal

extension SignInPopup: PopupView {
  func frames(in area: Rect, _ state: ExplorerState, _ layout: ScreenLayout) -> (frame: Rect, list: Rect) {
    let width = min(area.popupRoom.width, 76)
    let height = min(area.popupRoom.height, rows(width: width - 4).count + 2)
    return (area.centered(Size(width: width, height: height)), .zero)
  }

  /// A line of the dialog with its style.
  fileprivate enum Row {
    case text(String)
    case page(String)
    case code(String)
    case note(String)
    case symbol(String)
  }

  fileprivate func rows(width: Int) -> [Row] {
    guard !step.page.isEmpty else { return [.text("Connecting to the authorization server…")] }
    var rows: [Row] = [.text(step.code == nil ? "Sign in on this page:" : "Open this page and enter the code:")]
    rows += TextWrapping.lines(of: step.page, width: max(1, width - 2)).map { .page("  \($0)") }
    if let code = step.code { rows += [.text(""), .code("  \(code)")] }
    if let seconds = step.secondsLeft { rows += [.text(""), .text("The code expires in \(Self.time(seconds)).")] }
    rows += step.notes.flatMap { TextWrapping.lines(of: $0, width: width) }.map { .note($0) }
    if !step.symbol.isEmpty { rows += [.text("")] + step.symbol.map { .symbol($0) } }
    return rows
  }

  private static func time(_ seconds: Int) -> String {
    let rest = seconds % 60
    return "\(seconds / 60):\(rest < 10 ? "0" : "")\(rest)"
  }

  func paint(with painter: inout Painter, _ geometry: PopupGeometry) { painter.paintSignIn(geometry, self) }
}

extension Painter {
  fileprivate mutating func paintSignIn(_ geometry: PopupGeometry, _ popup: SignInPopup) {
    paintBox(geometry.frame, title: "Sign in to \(popup.step.profile)")
    let inner = geometry.frame.inset(horizontal: 2, vertical: 1)
    for (number, row) in popup.rows(width: inner.width).prefix(inner.height).enumerated() {
      let line = inner.line(number)
      switch row {
      case .text(let text): put(text, at: inner.column, in: line, theme[.popup])
      case .page(let text): put(text, at: inner.column, in: line, theme[.accent, on: .popup])
      case .code(let text): put(text, at: inner.column, in: line, theme[.accent, on: .popup].with(.bold))
      case .note(let text): put(text, at: inner.column, in: line, theme[.warning, on: .popup])
      case .symbol(let text): put(text, at: inner.column, in: line, theme[.popup])
      }
    }
  }
}
