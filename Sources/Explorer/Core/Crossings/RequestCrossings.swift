import ApusSecrets

/// Requests handed on and taken in: they are made of the endpoint and of a tab's texts. This crosses rooms.
extension ExplorerState {
  /// Copies the request of the shown tab for others: secrets are replaced, what refers to the environment stays.
  func handOn(as form: RequestForm) -> [Effect] {
    let texts = tab.texts
    let redactor = Redactor(document: texts.query.text)
    let request = ExchangedRequest(
      url: connection.endpoint,
      headers: HeaderLine.all(in: texts.headers.buffer).map { .init(name: $0.name, value: $0.handedOn) },
      query: redactor.document(texts.query.text), variables: redactor.variables(texts.variables.text),
      operationName: texts.queryAnalysis.operations.count > 1 ? texts.operation?.name : nil,
      cachePolicy: tab.hasUsualCachePolicy ? nil : tab.cachePolicy)
    return [.handOn(request, as: form)]
  }

  /// Opens what was pasted in a tab of its own, and tells what of it is another here.
  mutating func imported(_ request: ExchangedRequest?) -> [Effect] {
    guard let request else {
      tell("This is neither a curl command nor an HTTP request with a GraphQL document", .warning)
      return []
    }
    let headers = request.headers.map { "\($0.name): \($0.value.source)" }.joined(separator: "\n")
    let effects = openTab(TabContent(query: request.query, variables: request.variables, headers: headers))
    var words: [String] = []
    if request.url != connection.endpoint, !request.url.isEmpty {
      let place = request.url.prefix { $0 != "?" }
      popups.present(
        .confirmation(
          Confirmation(
            question: "Go to \(place)?",
            detail:
              "The request is for it; \(connection.isOpen ? "this is \(connection.endpoint)" : "nothing is open").",
            effect: .connect(request.url))))
    }
    if !request.leftOut.isEmpty { words.append("Left out: \(request.leftOut.joined(separator: ", "))") }
    if !words.isEmpty { tell(words.joined(separator: " · "), request.leftOut.isEmpty ? .information : .warning) }
    return effects
  }
}

extension HeaderLine {
  /// The value for others: a variable stands for a secret.
  fileprivate var handedOn: SecretText {
    let name = "$\(environmentName)"
    return (isSecret ? try? SecretText(name) : text) ?? SecretText(literal: isSecret ? name : value)
  }

  fileprivate var environmentName: String {
    String(name.uppercased().map { $0.isLetter || $0.isNumber ? $0 : "_" })
  }
}
