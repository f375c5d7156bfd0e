import GraphQLLanguage
import GraphQLSchema

/// What an editor asks of a document: what may be written here, what is this, what colour is it.
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
}
