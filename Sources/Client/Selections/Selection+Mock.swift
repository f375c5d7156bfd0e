extension Selection where Scope: TypeScope {
  /// Returns a value for tests and previews, created with mock fields. Strings are `"1"`, numbers 1, Booleans true,
  /// enums their first value, and custom scalars their `mockValue`. Nothing is null, lists have one element, and
  /// deferred fields have arrived.
  ///
  /// - Throws: An error of the closure, if it does not accept these values.
  public func mock() throws -> Value {
    try run(.collecting(SelectionCollector(Scope.self, variant: .first)))
  }
}
