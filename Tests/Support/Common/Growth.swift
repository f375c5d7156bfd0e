import Foundation

/// Measures how work grows with the size of its input.
///
/// Work is the processor time of the calling thread, so that other programs hardly matter. A measurement is repeated before
/// it counts against the code: disturbances only ever add to it.
package enum Growth {
  /// Whether eight times the input takes about eight times the work. With the square it would be 64 times.
  package static func isLinear<Input>(
    from size: Int, _ input: (_ size: Int) throws -> Input, work: (Input) throws -> Void
  ) rethrows -> Bool {
    let (small, large) = (try input(size), try input(size * 8))
    for _ in 0..<5 {
      let before = try time { try work(small) }
      if try time({ try work(large) }) < before * 24 { return true }
    }
    return false
  }

  private static func time(_ work: () throws -> Void) rethrows -> Double {
    let start = processorTime
    try work()
    return processorTime - start
  }

  private static var processorTime: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
