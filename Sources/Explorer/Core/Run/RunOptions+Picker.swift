import ApusClientRequests
import ApusGraphQLMediaTypes
import ApusSecrets

/// The options of a tab's requests as a list to choose from.
extension RunOptions.Option {
  fileprivate var title: String {
    switch self {
    case .get: "Send queries by GET"
    case .persisted: "Automatic persisted queries"
    }
  }

  fileprivate var explanation: String {
    switch self {
    case .get: "the query, or the subscription over HTTP, is in the URL; a mutation is always sent by POST"
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
  /// - Parameter defined: The names that the profile's environment defines.
  func pickRequestOptions(defined: Set<String>) -> [FollowUp] {
    var items = RunOptions.Option.allCases.map { option in
      let isOn = runOptions[option]
      return PickerItem(
        title: option.title, detail: option.explanation, note: isOn ? "on" : "off", tone: isOn ? .current : .plain,
        choice: .runOption(option))
    }
    items.append(
      PickerItem(
        title: "Time limit", detail: "seconds until a request is given up; --timeout is that of the endpoint",
        note: runOptions.timeLimit.map { "\($0) s" } ?? "none", tone: runOptions.timeLimit == nil ? .plain : .current,
        choice: .askForTimeLimit))
    items.append(
      PickerItem(
        title: "Request extensions", detail: "JSON that is sent with the variables",
        note: extensions.text.isEmpty ? "none" : "set", tone: extensions.text.isEmpty ? .plain : .current,
        choice: .command(.editRequestExtensions)))
    items.append(
      PickerItem(
        title: "Errors of fields (onError)", detail: "NULL, PROPAGATE or HALT, for servers that support it",
        note: runOptions.onError?.rawValue ?? "not sent", tone: runOptions.onError == nil ? .plain : .current,
        choice: .command(.pickErrorBehavior)))
    let subscriptionURL = RedactedURL.withoutSecrets(runOptions.subscriptionURL)
    items.append(
      PickerItem(
        title: "URL of subscriptions", detail: "another origin gets no headers, only the connection payload",
        note: subscriptionURL.isEmpty ? "as the endpoint says" : subscriptionURL,
        tone: subscriptionURL.isEmpty ? .plain : .current, choice: .command(.editSubscriptionURL)))
    items += referenceItems(defined: defined)
    items.append(
      PickerItem(
        title: "Cache policy", detail: cachePolicy.explanation, note: cachePolicy.words,
        tone: hasUsualCachePolicy ? .plain : .current, choice: .command(.pickCachePolicy)))
    return [.present(Popup(PickerPopup(.requestOptions, items: items)))]
  }

  func pickErrorBehavior() -> [FollowUp] {
    let choices: [ErrorBehavior?] = [nil] + ErrorBehavior.allCases
    let items = choices.map { behavior in
      PickerItem(
        title: behavior?.rawValue ?? "not sent", detail: Self.explanation(of: behavior),
        tone: behavior == runOptions.onError ? .current : .plain, choice: .errorBehavior(behavior))
    }
    return [.present(Popup(PickerPopup(.requestOptions, items: items)))]
  }

  private static func explanation(of behavior: ErrorBehavior?) -> String {
    switch behavior {
    case nil: "the endpoint's profile or the server decides"
    case .propagate: "null propagates to the nearest nullable field"
    case .null: "the field becomes null, even if its type is non-null"
    case .halt: "the first error makes the whole data null"
    }
  }

  mutating func choose(_ behavior: ErrorBehavior?) -> [FollowUp] {
    runOptions.onError = behavior
    let words = behavior.map { "with onError \($0.rawValue)" } ?? "without onError"
    return [.notice("From now on this tab's requests are sent \(words)")]
  }

  /// Sets the URL of subscriptions, which belongs to an endpoint; an empty one is that of the endpoint. It may begin with a
  /// reference, such as one of the names that the profile's environment defines.
  mutating func setSubscriptionURL(_ text: String, for origin: Origin?, defined: Set<String>) -> [FollowUp] {
    let url = text.filter { !$0.isWhitespace }
    let names = defined.union(runOptions.referenceNames)
    let beginsWithReference = TemplateText.places(in: url, isReference: names.contains).first?.range.lowerBound == 0
    guard url.isEmpty || beginsWithReference || WebURL.isServer(url) else {
      return [.notice("The URL of subscriptions must begin with https://, http://, wss:// or ws://", .warning)]
    }
    guard url.isEmpty || origin != nil else {
      return [.notice("Open an endpoint first: the URL of subscriptions belongs to one", .warning)]
    }
    (runOptions.subscriptionURL, runOptions.subscriptionOrigin) = (url, url.isEmpty ? nil : origin)
    return [
      .notice(
        url.isEmpty
          ? "From now on this tab's subscriptions are sent to the URL of the endpoint"
          : "From now on this tab's subscriptions are sent to \(RedactedURL.withoutSecrets(url))")
    ]
  }

  /// Sets the time limit that the user typed; no text removes it.
  mutating func setTimeLimit(_ text: String) -> [FollowUp] {
    let typed = text.filter { !$0.isWhitespace }
    guard !typed.isEmpty else {
      runOptions.timeLimit = nil
      return [.notice("This tab's requests have the endpoint's time limit")]
    }
    guard let seconds = Int(typed), (1...86_400).contains(seconds) else {
      return [.notice("'\(typed)' is not a time limit: enter seconds from 1 to 86400", .warning)]
    }
    runOptions.timeLimit = seconds
    return [.notice("This tab's requests are given up after \(seconds) s")]
  }

  mutating func toggle(_ option: RunOptions.Option) -> [FollowUp] {
    runOptions[option].toggle()
    return [.notice(option.notice(isOn: runOptions[option]))]
  }
}
