import ApusJSON

/// A pending result: a deferred fragment at one response path, or the rest of a list.
package struct PendingResult: Sendable {
  package enum Kind: Sendable { case fragment, stream }

  /// A number that is unique in the response, in the order of announcements.
  package var id: Int
  package var kind: Kind
  package var path: ResponsePath
  package var label: String?
}

/// The events of incremental delivery, independent of the wire format.
package enum IncrementalEvent: Sendable {
  case pending(PendingResult)
  /// Fields of the object at `path`, which is at or below the path of the pending result.
  case object(PendingResult, path: ResponsePath, data: JSONValue, errors: [ExecutionError])
  /// Further items of a list, beginning at an index.
  case items(PendingResult, firstIndex: Int, items: [JSONValue], errors: [ExecutionError])
  /// The end of a pending result, with errors if it failed.
  case completed(PendingResult, errors: [ExecutionError])
}

/// Events that are sent together.
package struct IncrementalBatch: Sendable {
  /// The initial result, in the first batch.
  package var initial: (data: JSONValue, errors: [ExecutionError])?
  package var events: [IncrementalEvent]
  package var hasNext: Bool
}
