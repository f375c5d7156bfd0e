import ApusClientAPI
import ApusJSON

/// The results of reading a part of a response.
struct ReadOutcome {
  var isIncomplete = false
  /// Whether any value was found.
  var found = false
  private(set) var missing: [ResponsePath] = []
  var openLists: [ResponsePath] = []
  var errors: [GraphQLError] = []
  var fragments: [DeferredFragment] = []
  /// The hashes of the records that were read.
  var used: ContiguousArray<UInt64> = []

  mutating func miss(_ path: ResponsePath) {
    isIncomplete = true
    missing.append(path)
  }
}
