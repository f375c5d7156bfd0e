import ApusGraphQLLanguage
import ApusGraphQLSchema

extension ValidationContext {
  /// Whether a field has a directive by which Apollo Client resolves it locally or with a REST endpoint, so that the
  /// server's schema need not define it.
  func isLocal(_ field: NodeID) -> Bool {
    guard schema?.has(.apollo) == true else { return false }
    return directive("client", on: field) != nil || directive("rest", on: field) != nil
  }

  /// Whether Apollo iOS generates a model of a fragment for edits of the cache, which no operation needs to spread.
  func isLocalCacheMutation(_ fragment: NodeID) -> Bool {
    schema?.has(.apollo) == true && directive("apollo_client_ios_localCacheMutation", on: fragment) != nil
  }

  /// Whether all root fields of an operation are local.
  func isWhollyLocal(_ operation: NodeID) -> Bool {
    guard let set = selectionSet(of: operation) else { return false }
    return document.children(of: set).allSatisfy { kind($0) == .field && isLocal($0) }
  }
}
