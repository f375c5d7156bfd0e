/// A reference to the cache snapshot taken after a result of a run was written.
package struct CacheRevision: Equatable, Sendable {
  package var run: Int
  /// The index of the result in the run, from 0.
  package var result: Int

  package init(run: Int, result: Int) {
    self.run = run
    self.result = result
  }
}
