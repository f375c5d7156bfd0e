import ApusClientRequests
import ApusExplorerText
import ApusSecrets

/// The values of a request's references that are not secret: they were text of the imported file, and can be stored and copied.
///
/// | value | plain |
/// |---|---|
/// | of the imported file, also as the user changed it | yes, if no row below is the case |
/// | typed for a variable without a value in the file | no: programs leave secrets out of the files that they export |
/// | of a variable that the file marks as secret, or with the name of a secret | no |
/// | in the form of a secret, alone or with the text around it | no |
/// | sent as a secret by this or an earlier request | no |
/// | at a secret place: a header, parameter, variable or argument with such a name, or that a directive marks | no |
/// | with double braces | no: it could be read as another reference |
extension RequestDraft {
  /// - Parameters:
  ///   - headers: The lines of the tab's headers pane.
  ///   - redactor: The redactor for files with the request.
  package func plainValues(headers: String = "", _ redactor: Redactor) -> [String: String] {
    var values: [String: String] = [:]
    for reference in options.references where reference.source == .file && !reference.isSecret {
      guard let value = reference.value, !value.contains("{{"), redactor.text(value) == value else { continue }
      values[reference.name] = value
    }
    let texts: [(text: String, syntax: TemplateText.Syntax, redacted: (String) -> String)] =
      [
        (query.text, .json, { redactor.draft(document: DraftText($0)).text }),
        (variables.text, .json, { redactor.draft(variables: DraftText($0)).text }),
        (extensions.text, .json, { redactor.draft(variables: DraftText($0)).text }),
        (headers, .plain, { HeaderLine.redacted(DraftText($0), redactor).text }),
      ] + [url, options.importedURL, options.endpointURL, options.subscriptionURL].map { ($0, .plain, redactor.url) }
    for (text, syntax, redacted) in texts where !values.isEmpty {
      let names = Set(TemplateText.names(in: text) { values[$0] != nil })
      guard !names.isEmpty else { continue }
      // A mark in place of each value, to see which of them a redactor removes because of their places.
      let character = String(DraftText.unusedCharacter(in: text))
      let marks = Dictionary(
        uniqueKeysWithValues: names.sorted().enumerated().map { ($1, "\(character)\($0)\(character)") })
      let marked = redacted(TemplateText.inserting(marks, in: text, syntax, quotes: true))
      for (name, mark) in marks where marked.count(of: mark) != text.places(of: name) { values[name] = nil }
      // Values that are a secret only together with the text around them.
      let shown = redacted(TemplateText.inserting(values, in: text, syntax))
      if shown.count(of: Redactor.mark) > marked.count(of: Redactor.mark) {
        for name in names { values[name] = nil }
      }
    }
    return values
  }

  /// Returns the request with plain values in place of their references.
  package func inserting(_ values: [String: String]) -> RequestDraft {
    guard !values.isEmpty else { return self }
    var draft = self
    draft.query = Self.inserting(values, in: query)
    draft.variables = Self.inserting(values, in: variables)
    draft.extensions = Self.inserting(values, in: extensions)
    draft.options.subscriptionURL = TemplateText.inserting(values, in: options.subscriptionURL, .plain)
    for index in headers.indices {
      draft.headers[index].value = SecretText(
        parts: headers[index].value.parts.map { part in
          switch part {
          case .text(let text): .text(TemplateText.inserting(values, in: text, .plain))
          case .variable, .command: part
          }
        })
    }
    draft.options.references.removeAll { values[$0.name] != nil }
    return draft
  }

  /// The places of missing secrets stay known.
  private static func inserting(_ values: [String: String], in text: DraftText) -> DraftText {
    let placeholder = DraftText.unusedCharacter(in: text.text + values.values.joined())
    let marked = text.replacingReferences { _ in String(placeholder) }
    return DraftText(TemplateText.inserting(values, in: marked, .json), placeholder: placeholder)
  }
}

extension String {
  fileprivate func count(of part: String) -> Int { ranges(of: part).count }
  fileprivate func places(of name: String) -> Int { TemplateText.names(in: self) { $0 == name }.count }
}
