import ApusJSON

/// Something announced to come later: a deferred fragment at one place of the response, or the rest of a list.
package struct Delivery: Sendable {
  package enum Kind: Sendable { case fragment, stream }

  /// Unique in its response, in the order of the announcements.
  package var id: Int
  package var kind: Kind
  package var path: ResponsePath
  package var label: String?
}

/// What happens to a response while it is delivered, in the words of the incremental draft; no wire format yet.
package enum IncrementalEvent: Sendable {
  case pending(Delivery)
  /// Fields of the object at `path`, which lies at or below the delivery's own.
  case object(Delivery, path: ResponsePath, data: JSONValue, errors: [ExecutionError])
  /// The next items of a list, the first of them at this index.
  case items(Delivery, firstIndex: Int, items: [JSONValue], errors: [ExecutionError])
  /// The end of a delivery; with errors when it could not be delivered.
  case completed(Delivery, errors: [ExecutionError])
}

/// What is sent together.
package struct IncrementalBatch: Sendable {
  /// The initial result, in the first batch alone.
  package var initial: (data: JSONValue, errors: [ExecutionError])?
  package var events: [IncrementalEvent]
  package var hasNext: Bool
}
