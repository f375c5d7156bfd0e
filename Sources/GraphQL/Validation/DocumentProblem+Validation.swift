import ApusGraphQLLanguage

extension DocumentProblem {
  /// What a rule has against a document, or against several that were joined.
  package init(_ error: ValidationError, in document: Document) {
    let range = error.ranges.first ?? 0..<0
    self.init(
      rule: error.rule, message: error.message, source: error.sources.first ?? document.source.name,
      range: document.source.positions(of: range))
  }
}
