import ApusClientRequests
import ApusASCII
import ApusSecrets

/// Filling in the `{{variables}}` of an imported request. The explorer and `apus import` both use it.
///
/// `kept` are the names that remain in the texts.
extension ImportedRequest {
  /// Returns the URL with values, as an HTTP URL. A URL without a scheme is completed.
  func url(from values: ImportedValues, keeping kept: Set<String> = []) -> String {
    let url = WebURL.overHTTP(ImportTemplate(draft.url).rendered(from: all(values), keeping: kept))
    return url.isEmpty || url.contains("://") || url.hasPrefix("{{") ? url : "http://\(url)"
  }

  /// Returns the URL of subscriptions with values; empty for that of the endpoint.
  func subscriptionURL(from values: ImportedValues, keeping kept: Set<String> = []) -> String {
    ImportTemplate(draft.options.subscriptionURL).rendered(from: all(values), keeping: kept)
  }

  /// Returns the headers with values, without those that the client sets itself.
  func headers(from values: ImportedValues, keeping kept: Set<String> = []) -> [RequestDraft.Header] {
    let values = all(values)
    return draft.headers.filter { !RequestDraft.isOfTheBody($0.name) }.map { header in
      var filled = header
      filled.value = UntrustedText(ImportTemplate(header.text).rendered(from: values, keeping: kept)).literal
      return filled
    }
  }

  func query(from values: ImportedValues, keeping kept: Set<String> = []) -> String {
    ImportTemplate(draft.query.text).rendered(from: all(values), keeping: kept)
  }

  func variables(from values: ImportedValues, keeping kept: Set<String> = []) -> String {
    ImportTemplate(draft.variables.text).rendered(from: all(values), isInJSON: true, keeping: kept)
  }

  private func extensions(from values: ImportedValues, keeping kept: Set<String>) -> String {
    ImportTemplate(draft.extensions.text).rendered(from: all(values), isInJSON: true, keeping: kept)
  }

  /// The values of a file's environment, and over them those that apply only to this request.
  private func all(_ values: ImportedValues) -> ImportedValues { values.adding(draft.options.references) }

  /// Returns the request with references, ready to be opened, and the names of variables without a value.
  ///
  /// A variable becomes a reference, whose value is in none of the texts, or is replaced by its value (`ReferenceNames`).
  func filled(from given: ImportedValues) -> (request: ImportedRequest, missing: Set<String>) {
    let values = all(given)
    let kept = ReferenceNames(of: draft, values).names
    var filled = self
    filled.draft.url = url(from: values, keeping: kept)
    filled.draft.options.subscriptionURL = subscriptionURL(from: values, keeping: kept)
    filled.draft.headers = headers(from: values, keeping: kept)
    filled.draft.query = DraftText(query(from: values, keeping: kept))
    filled.draft.variables = DraftText(variables(from: values, keeping: kept))
    filled.draft.extensions = DraftText(extensions(from: values, keeping: kept))
    for index in filled.draft.headers.indices { filled.draft.headers[index].complete(with: values) }
    let names = Set(filled.draft.texts.flatMap { ImportTemplate($0).variables })
    filled.draft.showLiteralBraces(besides: names)
    filled.draft.options.references = names.sorted().map { name in
      if kept.contains(name) { return .init(name: name, value: values.shown(name), source: .file) }
      return values.secret(name).map { .init(name: name, value: $0, source: .secretOfFile) } ?? .init(name: name)
    }
    return (filled, names.filter { !kept.contains($0) && values.secret($0) == nil })
  }
}

/// The variables of an imported request that remain as references, although the file has their values.
///
/// | variable with a value that is not secret | in the request |
/// |---|---|
/// | in strings of JSON and GraphQL, in headers, in URLs | a reference |
/// | also outside of strings (`first: {{n}}`) | replaced everywhere: the value is syntax, which the checker needs |
/// | also in the credentials of basic authentication | replaced everywhere: they are encoded together |
/// | with a value that has variables | replaced; its own variables are references |
/// | with a value that is not the same text in each of its places: with a line end in a header or URL, a quote, backslash or control character in a query, double braces | replaced everywhere, as the other program does |
struct ReferenceNames {
  private enum Place { case line, query, json }

  private struct Visit: Hashable {
    let name: String
    let place: Place
    let position: TemplatePlace
  }

  private let values: ImportedValues
  private var visits: Set<Visit> = []
  private var seen: Set<String> = []
  private var replaced: Set<String> = []

  var names: Set<String> { seen.subtracting(replaced) }

  init(of draft: RequestDraft, _ values: ImportedValues) {
    self.values = values
    guard !values.isEmpty else { return }
    for text in [draft.url, draft.options.subscriptionURL] { read(text, .line) }
    read(draft.query.text, .query)
    for text in [draft.variables.text, draft.extensions.text] { read(text, .json) }
    for header in draft.headers {
      if header.isBasic { replaced.formUnion(ImportTemplate(header.text).variables) } else { read(header.text, .line) }
    }
  }

  private mutating func read(_ text: String, _ place: Place, from start: TemplatePlace = .code) {
    var position = start
    for part in ImportTemplate(text).parts {
      switch part {
      case .text(let text): if place != .line { position.advance(over: text) }
      case .variable(let name):
        guard let value = values.shown(name),
          visits.insert(Visit(name: name, place: place, position: position)).inserted
        else { continue }
        seen.insert(name)
        let isText = place == .line || position != .code
        if !isText || !Self.isSame(value, in: place) { replaced.insert(name) }
        read(value, place, from: position)
      }
    }
  }

  /// Whether a reference sends the same text as a value that the other program writes into the place.
  private static func isSame(_ value: String, in place: Place) -> Bool {
    guard !LiteralBraces.shown(value).contains("{{") else { return false }
    switch place {
    case .line: return !value.contains(where: \.isNewline)
    case .query: return value.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0 != "\"" && $0 != "\\" }
    case .json: return true
    }
  }
}

extension RequestDraft {
  /// The texts that can have variables.
  var texts: [String] {
    [url, options.subscriptionURL, query.text, variables.text, extensions.text] + headers.map(\.text)
  }

  /// Writes the braces that are text in the imported format. Those of a reference's name are escaped.
  fileprivate mutating func showLiteralBraces(besides references: Set<String>) {
    url = LiteralBraces.shown(url, besides: references)
    options.subscriptionURL = LiteralBraces.shown(options.subscriptionURL, besides: references)
    query = DraftText(LiteralBraces.shown(query.text, besides: references))
    variables = DraftText(LiteralBraces.shown(variables.text, besides: references))
    extensions = DraftText(LiteralBraces.shown(extensions.text, besides: references))
    for index in headers.indices {
      let text = LiteralBraces.shown(headers[index].text, besides: references)
      headers[index].value = UntrustedText(text).literal
    }
  }
}

extension RequestDraft.Header {
  /// Reduces the name and value to one line, and encodes `user:password`. If a variable has no value, one reference replaces
  /// both, because they are encoded together.
  fileprivate mutating func complete(with values: ImportedValues) {
    name = name.filter { !$0.isNewline }
    var line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
    if isBasic {
      let parts = ImportTemplate(text).parts.map { part in
        switch part {
        case .text(let text): LiteralBraces.shown(text)
        case .variable(let name): values.secret(name)
        }
      }
      let credentials = parts.compactMap(\.self)
      let isComplete = credentials.count == parts.count
      let reference = "{{\(RunOptions.Reference.basicCredentials)}}"
      line = "Basic \(isComplete ? Base64.encode(Array(credentials.joined().utf8)) : reference)"
    }
    value = UntrustedText(line).literal
    isBasic = false
  }
}
