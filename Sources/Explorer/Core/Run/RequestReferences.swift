import ApusClientRequests
import ApusSecrets

/// The references of a tab in the request options (`Docs/Development/References.md`).
///
/// | reference | note |
/// |---|---|
/// | with a value that the user typed, or of the imported file | the value, `""` for an empty one |
/// | with a secret value: of the imported file, or under the name or in the form of a secret | `•••` |
/// | without a value, defined by the profile | from the profile |
/// | without a value otherwise, also after a session was restored | not set |
extension TabContent {
  /// The references that an import declared, and those of the profile that the request contains.
  func referenceItems(defined: Set<String>) -> [PickerItem] {
    let declared = runOptions.referenceNames
    let typed = defined.subtracting(declared).sorted().map { RunOptions.Reference(name: $0) }
    return (runOptions.references + typed).compactMap { reference in
      let isDeclared = declared.contains(reference.name)
      let places = places(of: reference.name, isDeclared: isDeclared)
      guard isDeclared || !places.isEmpty else { return nil }
      let isSet = reference.value != nil || defined.contains(reference.name)
      return PickerItem(
        title: "{{\(reference.name)}}", detail: places.isEmpty ? "unused" : "in the \(Self.list(places))",
        note: reference.note(isDefined: defined.contains(reference.name)),
        tone: isSet || places.isEmpty ? .plain : .failed, choice: .editReference(reference.name))
    }
  }

  /// The parts of the request that contain a reference. A name of the profile is text in the query.
  private func places(of name: String, isDeclared: Bool) -> [String] {
    func contains(_ texts: [String]) -> Bool {
      texts.contains { !TemplateText.names(in: $0) { $0 == name }.isEmpty }
    }
    let lines = editors.headers.buffer.lines.compactMap { HeaderLine($0)?.text }
    let isInHeaders = lines.contains { !$0.referenceNames { $0 == name }.isEmpty }
    return [
      contains([runOptions.importedURL, runOptions.endpointURL, runOptions.subscriptionURL]) ? "URL" : nil,
      isDeclared && contains([editors.query.text]) ? "query" : nil,
      contains([editors.variables.text]) ? "variables" : nil, isInHeaders ? "headers" : nil,
      contains([extensions.text]) ? "extensions" : nil,
    ].compactMap(\.self)
  }

  /// Returns words as a list: "query, variables and headers".
  private static func list(_ words: [String]) -> String {
    guard words.count > 1, let last = words.last else { return words.first ?? "" }
    return "\(words.dropLast().joined(separator: ", ")) and \(last)"
  }

  /// Asks for the value of a reference. A secret one is not shown.
  func editReference(_ name: String) -> [FollowUp] {
    guard let reference = runOptions.references.first(where: { $0.name == name }) else {
      return [.notice("{{\(name)}} has the value of the profile's environment, which config.yml defines")]
    }
    let value = reference.isHidden ? "" : reference.value ?? ""
    return [.present(Popup(LinePopup(.reference(name), text: value)))]
  }

  /// Sets the value of a reference of an import. It is stored only in place of a value of the file. A change of the endpoint's
  /// URL lets the tab go to the new one.
  mutating func setReference(_ name: String, _ value: String, defined: Set<String>) -> [FollowUp] {
    guard let index = runOptions.references.firstIndex(where: { $0.name == name }) else { return [] }
    runOptions.references[index].value = value.isEmpty ? nil : runOptions.references[index].value(typed: value)
    if !TemplateText.names(in: runOptions.endpointURL, isReference: { $0 == name }).isEmpty {
      runOptions.importedURL = runOptions.endpointURL
    }
    if !value.isEmpty {
      let isStored = runOptions.references[index].source == .file && !runOptions.references[index].isHidden
      return [.notice("{{\(name)}} is set\(isStored ? "" : " until Apus is closed")")]
    }
    return [.notice(defined.contains(name) ? "{{\(name)}} has the value of the profile" : "{{\(name)}} is not set")]
  }
}

extension RunOptions.Reference {
  /// Whether the value is replaced by a mark.
  fileprivate var isHidden: Bool { isSecret || value.map { Redactor().text($0) != $0 } ?? false }

  fileprivate func note(isDefined: Bool) -> String {
    if let value { return isHidden ? Redactor.mark : value.isEmpty ? "\"\"" : value }
    return isDefined ? "from the profile" : "not set"
  }
}

extension RunOptions {
  /// The URL of an import with values; `nil` if it has no references, or if one has no value.
  var filledURL: String? {
    let values = values
    guard !importedURL.isEmpty,
      TemplateText.names(in: importedURL, isReference: referenceNames.contains).allSatisfy({ values[$0] != nil })
    else { return nil }
    let url = WebURL.overHTTP(TemplateText.filled(importedURL, .plain, values: values))
    return url.contains("://") ? url : "http://\(url)"
  }
}

extension RequestDraft {
  /// The request of an import with its URL, if all references of the URL have values.
  var addressed: RequestDraft {
    var options = options
    guard !TemplateText.names(in: url, isReference: options.referenceNames.contains).isEmpty else { return self }
    options.importedURL = url
    var addressed = self
    if let filled = options.filledURL { (addressed.url, addressed.options.endpointURL) = (filled, url) }
    return addressed
  }
}
