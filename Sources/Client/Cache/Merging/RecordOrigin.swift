/// The kind of write that a record set is for. It decides which objects without a key are the same as the cached ones;
/// `Docs/Explanation/ObjectsWithoutKeys.md` has the table.
enum RecordOrigin: Sendable {
  /// The response to a query or mutation, an event, or an import.
  case response
  /// A change by the application, compared with the cache: an update, a transaction, or the write of a model.
  case local
  /// Expected data in a layer above the records.
  case layer
}
