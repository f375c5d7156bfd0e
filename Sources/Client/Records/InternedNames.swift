/// A table of field names or typenames and their ids.
@usableFromInline
package struct InternedNames<ID: StorageID>: Sendable {
  private var symbols = SymbolTable()

  package init() {}

  package var count: Int { symbols.count }
  /// Returns the id of a name, and assigns one if the name is new.
  package mutating func intern(_ name: String) -> ID { ID(number: symbols.intern(name)) }
  package func find(_ name: String) -> ID? { symbols.index(of: name).map(ID.init(number:)) }
  package subscript(id: ID) -> String { symbols.name(id.number) }
  package func hash(of id: ID) -> UInt64 { symbols.hashes[id.number] }
  /// Calls `body` with all names, in the order of their ids.
  package func forEach(_ body: (String) -> Void) { symbols.forEach(body) }
}
