import GraphQLLanguage
import GraphQLSchema

/// What an editor asks of a document: what may be written here, what is this, what is wrong, what colour is it.
///
/// A value over an immutable document: make a new one for each edit.
package struct LanguageService: Sendable {
  package let document: Document
  package let schema: Schema?

  package init(document: Document, schema: Schema?) {
    self.document = document
    self.schema = schema
  }

  /// The operation that the cursor is in, else the last one before it, else the first one.
  package func operation(at offset: Int) -> OperationDefinitionNode? {
    let operations = document.operations
    return operations.first { $0.range.lowerBound <= offset && offset <= $0.range.upperBound }
      ?? operations.last { $0.range.upperBound <= offset } ?? operations.first
  }

  /// What is wrong with the document, in the order of its places.
  package var diagnostics: [Diagnostic] {
    document.diagnostics.map { Diagnostic(rule: "SyntaxError", message: $0.message, range: $0.range) }
  }
}

/// Something wrong at a place of a document.
package struct Diagnostic: Sendable, Hashable {
  /// The rule's name as the reference implementation has it, or `SyntaxError`.
  package let rule: String
  package let message: String
  /// Byte offsets in the document's source.
  package let range: Range<Int>

  package init(rule: String, message: String, range: Range<Int>) {
    self.rule = rule
    self.message = message
    self.range = range
  }
}
