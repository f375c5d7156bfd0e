extension Selection where Scope: TypeScope {
  /// A value for tests and previews: what the closure makes of made-up fields. A text is `"1"`, a number 1, a
  /// Boolean true, an enum its first value, a scalar of your own its `mockValue`; nothing is null, a list has one element, and what
  /// is deferred has arrived.
  ///
  /// - Throws: What the closure throws, where it does not take such values.
  public func mock() throws -> Value {
    try run(.collecting(SelectionCollector(Scope.self, variant: .first)))
  }
}
