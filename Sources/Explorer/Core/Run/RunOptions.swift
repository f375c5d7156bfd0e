/// The form in which a tab's requests are sent.
package struct RunOptions: Hashable, Sendable {
  /// An option that can be turned on and off.
  package enum Option: String, CaseIterable, Sendable {
    case get, persisted
  }

  /// Whether queries are sent by GET.
  package var usesGET = false
  /// Whether the digest of a query is sent first, and its text only if the server does not know it.
  package var usesPersistedQueries = false

  package init(usesGET: Bool = false, usesPersistedQueries: Bool = false) {
    self.usesGET = usesGET
    self.usesPersistedQueries = usesPersistedQueries
  }

  package var isDefault: Bool { self == RunOptions() }

  /// The words for the options that are on.
  package var words: [String] { (usesGET ? ["GET"] : []) + (usesPersistedQueries ? ["persisted"] : []) }

  package subscript(option: Option) -> Bool {
    get {
      switch option {
      case .get: usesGET
      case .persisted: usesPersistedQueries
      }
    }
    set {
      switch option {
      case .get: usesGET = newValue
      case .persisted: usesPersistedQueries = newValue
      }
    }
  }
}

extension RunOptions.Option {
  fileprivate var title: String {
    switch self {
    case .get: "Send queries by GET"
    case .persisted: "Automatic persisted queries"
    }
  }

  fileprivate var explanation: String {
    switch self {
    case .get: "the query is in the URL; a mutation is always sent by POST"
    case .persisted: "the hash of the query is sent first, its text if the server asks for it"
    }
  }

  /// The notice after a change.
  fileprivate func notice(isOn: Bool) -> String {
    switch self {
    case .get:
      isOn ? "From now on this tab's queries are sent by GET" : "From now on this tab's queries are sent by POST"
    case .persisted:
      isOn
        ? "From now on this tab sends the hash of a query first" : "From now on this tab sends queries as text"
    }
  }
}

extension TabContent {
  func pickRequestOptions() -> [FollowUp] {
    var items = RunOptions.Option.allCases.map { option in
      let isOn = runOptions[option]
      return PickerItem(
        title: option.title, detail: option.explanation, note: isOn ? "on" : "off", tone: isOn ? .current : .plain,
        choice: .runOption(option))
    }
    items.append(
      PickerItem(
        title: "Request extensions", detail: "JSON that is sent with the variables",
        note: extensions.text.isEmpty ? "none" : "set", tone: extensions.text.isEmpty ? .plain : .current,
        choice: .command(.editRequestExtensions)))
    items.append(
      PickerItem(
        title: "Cache policy", detail: cachePolicy.explanation, note: cachePolicy.words,
        tone: hasUsualCachePolicy ? .plain : .current, choice: .command(.pickCachePolicy)))
    return [.present(Popup(PickerPopup(.requestOptions, items: items)))]
  }

  mutating func toggle(_ option: RunOptions.Option) -> [FollowUp] {
    runOptions[option].toggle()
    return [.tell(option.notice(isOn: runOptions[option]))]
  }
}
