import ApusGraphQLLanguage
import ApusGraphQLSchema

extension ValidationContext {
  /// Whether a field has a directive by which Apollo Client resolves it locally or with a REST endpoint, so that the
  /// server's schema need not define it.
  func isLocal(_ field: FieldNode) -> Bool {
    guard schema?.has(.apollo) == true else { return false }
    return field.directive(named: "client") != nil || field.directive(named: "rest") != nil
  }

  /// Whether Apollo iOS generates a model of a fragment for edits of the cache, which no operation needs to spread.
  func isLocalCacheMutation(_ fragment: FragmentDefinitionNode) -> Bool {
    schema?.has(.apollo) == true && fragment.directive(named: "apollo_client_ios_localCacheMutation") != nil
  }

  /// Whether all root fields of an operation are local.
  func isWhollyLocal(_ operation: OperationDefinitionNode) -> Bool {
    operation.selectionSet.selections.allSatisfy { selection in
      switch selection {
      case .field(let field): isLocal(field)
      case .fragmentSpread, .inlineFragment: false
      }
    }
  }
}
