import ApusClientAPI
import ApusJSON

/// How the shown tab's runs use the cache, and what a run took from it.
extension ExplorerState {
  mutating func pickCachePolicy() -> [Effect] {
    let policies = CachePolicy.allCases
    var picker = PickerState(
      .cachePolicies,
      items: policies.map {
        PickerItem(
          id: $0.rawValue, title: $0.words, detail: $0.explanation, tone: $0 == cachePolicy ? .current : .plain)
      })
    picker.list.selected = policies.firstIndex(of: cachePolicy) ?? 0
    return present(.picker(picker))
  }

  mutating func showCacheUse() -> [Effect] {
    let effects = present(.picker(PickerState(.cacheUse(run?.cacheUse?.summary), items: cacheUseItems)))
    guard let run, run.cacheUse == nil else { return effects }
    return effects + [.measureCacheUse(run: run.id)]
  }

  /// The shown tab's policy, as the screen calls it.
  package var cachePolicyWords: String { cachePolicy.words }
  package var hasUsualCachePolicy: Bool { cachePolicy == .networkOnly }

  mutating func chooseCachePolicy(_ name: String) {
    guard let policy = CachePolicy(rawValue: name) else { return }
    cachePolicy = policy
    notice = Notice("From now on: \(policy.words), \(policy.explanation)")
  }

  private var cacheUseItems: [PickerItem] {
    (run?.cacheUse?.misses ?? []).map { miss in
      PickerItem(
        title: miss.path.description, detail: miss.reason, note: miss.record, tone: .warning, choice: .miss(miss))
    }
  }

  mutating func receive(_ use: CacheUse) {
    run?.cacheUse = use
    for index in popups.indices {
      guard case .picker(var picker) = popups[index], case .cacheUse = picker.purpose else { continue }
      picker.purpose = .cacheUse(use.summary)
      picker.items = cacheUseItems
      popups[index] = .picker(picker)
    }
  }

  /// To the record that was looked into, or to the place in the response where there is none.
  mutating func go(to miss: CacheUse.Miss) -> [Effect] {
    guard miss.hasRecord else {
      response.reveal(miss.path)
      return focus(on: .response)
    }
    cache.isShowingWrites = false
    return focus(on: .cache) + open(miss.record)
  }

  var reasonAgainstCacheUse: String? {
    guard let run else { return "Nothing has been run" }
    if run.operation?.kind != nil, run.operation?.kind != "query" { return "Only a query asks the cache" }
    return run.isActive ? "The operation still runs" : nil
  }
}
