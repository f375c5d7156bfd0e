import ApusExplorerText

/// An effect that the screen performs itself, because it owns the terminal.
package enum ScreenEffect: Equatable, Sendable {
  case writeClipboard(String)
  /// Opens text in `$EDITOR` and reads it back.
  case editExternally(PaneID, String)
  /// Opens a response in `$EDITOR` and ignores any changes.
  case readExternally(VisibleJSON)
  case captureMouse(Bool)
  /// Shows a desktop notification.
  case notify(String)
  /// Labels everything that can be clicked.
  case showJumpLabels
  /// Suspends the explorer and returns the terminal to the shell until the job is continued.
  case suspend
}

/// Work to be done outside the loop, as a value that tests compare and `EffectRunner` performs.
///
/// Each feature has its own effects, in its folder. An effect carries its work (`EffectWork`). Its results come back as
/// actions of the same name: `.cache(.listRecords(listing))` is answered by `.cache(.recordsListed(…))`.
package enum Effect: Equatable, Sendable {
  case screen(ScreenEffect)
  /// An effect at an endpoint that may not be the one of the shown tab.
  indirect case at(EndpointID, Effect)
  /// An effect about a run. It is performed at the endpoint where the run was started.
  case run(Int, RunEffect)
  case reading(ResponseEffect)
  case text(EditorEffect)
  case cache(CacheEffect)
  case endpoint(EndpointEffect)
  case history(HistoryEffect)
  case session(SessionEffect)
  case file(FileEffect)
  case export(ExportEffect)
  case exchange(ExchangeEffect)
  case requests(RequestsEffect)

  /// The work of the effect at an endpoint; nil if the screen performs it.
  func work(at endpoint: EndpointID) -> EffectWork? {
    switch self {
    case .screen: nil
    case .at(let endpoint, let effect): effect.work(at: endpoint)
    case .run(let id, let effect): effect.work(for: id)
    case .reading(let effect): effect.work
    case .text(let effect): effect.work
    case .cache(let effect): effect.work(at: endpoint)
    case .endpoint(let effect): effect.work(at: endpoint)
    case .history(let effect): effect.work
    case .session(let effect): effect.work
    case .file(let effect): effect.work
    case .export(let effect): effect.work
    case .exchange(let effect): effect.work
    case .requests(let effect): effect.work
    }
  }
}
