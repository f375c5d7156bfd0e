import ApusGraphQLLanguage
import ApusGraphQLSchema

extension ValidationContext {
  /// Whether a field is marked as one that Apollo Client resolves itself, or by a REST endpoint: the schema of the server
  /// need not have it.
  func isLocal(_ field: NodeID) -> Bool {
    guard schema?.has(.apollo) == true else { return false }
    return directive("client", on: field) != nil || directive("rest", on: field) != nil
  }

  /// Whether all root fields of an operation are local.
  func isWhollyLocal(_ operation: NodeID) -> Bool {
    guard let set = selectionSet(of: operation) else { return false }
    return document.children(of: set).allSatisfy { kind($0) == .field && isLocal($0) }
  }
}
