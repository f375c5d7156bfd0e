import ApusGraphQLLanguage

extension GraphQLDiagnostic {
  /// Creates the diagnostic of a validation error in a document, or in several joined documents.
  package init(_ error: ValidationError, in document: Document) {
    let range = error.ranges.first ?? 0..<0
    self.init(
      rule: error.rule, message: error.message, source: error.sources.first ?? document.source.name,
      range: document.source.positions(of: range))
  }
}
