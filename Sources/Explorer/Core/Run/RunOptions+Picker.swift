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

extension RunOptions.Reference {
  /// The value as the list shows it.
  fileprivate var shownValue: String {
    guard let value else { return "not set" }
    return SecretNames.contains(name) ? Redactor.mark : Redactor().text(value)
  }
}

extension RunOptions {
  /// The URL of an import with values; `nil` if it has no references, or if one has no value.
  var filledURL: String? {
    let values = Dictionary(references.map { ($0.name, $0.value) }) { first, _ in first }.compactMapValues { $0 }
    let names = Set(references.map(\.name))
    guard !importedURL.isEmpty,
      TemplateText.names(in: importedURL, isReference: names.contains).allSatisfy({ values[$0] != nil })
    else { return nil }
    let url = WebURL.overHTTP(TemplateText.filled(importedURL, .plain, values: values))
    return url.contains("://") ? url : "http://\(url)"
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
    for reference in runOptions.references {
      items.append(
        PickerItem(
          title: "{{\(reference.name)}}", detail: "a variable of the imported file", note: reference.shownValue,
          tone: reference.value == nil ? .failed : .current, choice: .editReference(reference.name)))
    }
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

  /// Sets the URL of subscriptions, which belongs to an endpoint; an empty one is that of the endpoint.
  mutating func setSubscriptionURL(_ text: String, for origin: Origin?) -> [FollowUp] {
    let url = text.filter { !$0.isWhitespace }
    guard url.isEmpty || WebURL.isServer(url) else {
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

  /// Sets the value of a reference of an import. It is not stored.
  mutating func setReference(_ name: String, _ value: String) -> [FollowUp] {
    guard let index = runOptions.references.firstIndex(where: { $0.name == name }) else { return [] }
    runOptions.references[index].value = value.isEmpty ? nil : value
    return [.notice(value.isEmpty ? "{{\(name)}} is not set" : "{{\(name)}} is set until Apus is closed")]
  }

  mutating func toggle(_ option: RunOptions.Option) -> [FollowUp] {
    runOptions[option].toggle()
    return [.notice(option.notice(isOn: runOptions[option]))]
  }
}
