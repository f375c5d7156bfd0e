import ApusClientAPI
import ApusJSON

/// The objects that two payloads contradict each other about: one replaced another without all selected fields.
struct Contradictions {
  /// The errors, one for each outermost object.
  private(set) var errors: [GraphQLError] = []
  /// The fragments that arrived and lost a field, with the error that explains it.
  private(set) var losses: [Int: GraphQLError] = [:]

  /// Finds the objects among those that replaced others. `serverErrors` may explain missing fields.
  init(of replacements: [ResponsePath], in tracker: DeferralTracker, serverErrors: [GraphQLError]) {
    let lacking = replacements.filter { tracker.lacksFields(at: $0) }.sorted { $0.count < $1.count }
    guard !lacking.isEmpty else { return }
    var explanations = PathIndex<GraphQLError>()
    for error in serverErrors {
      if let path = error.path, !path.isRoot { explanations.insert(error, at: path) }
    }
    var found = PathIndex<GraphQLError>()
    for path in lacking where found.value(atOrAbove: path) == nil {
      let explanation = explanations.value(relatedTo: path)
      let error = explanation ?? GraphQLError(contradictionAt: path)
      found.insert(error, at: path)
      if explanation == nil { errors.append(error) }
    }
    for (index, path) in tracker.incompleteFragments {
      if let error = found.value(relatedTo: path) { losses[index] = error }
    }
  }
}
