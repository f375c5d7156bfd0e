/// The cache as it was when a result of a run had come and was written.
package struct CacheMoment: Equatable, Sendable {
  package var run: Int
  /// Which of the run's results, from 0.
  package var result: Int

  package init(run: Int, result: Int) {
    self.run = run
    self.result = result
  }
}
