import ApusClientRequests
import ApusGraphQLLanguage

/// The operation that a draft runs.
package enum DraftOperation {
  /// Returns the operation with the draft's name, or else the first one; `nil` if the document has none.
  package static func node(of draft: RequestDraft) -> OperationDefinitionNode? {
    let operations = Document(parsing: draft.query.parsable).operations
    return operations.first { $0.name?.value == draft.operationName } ?? operations.first
  }

  package static func type(of draft: RequestDraft) -> OperationType { node(of: draft)?.operation ?? .query }
}
