import ApusClientCore
import ApusClientRequestChain

/// The pages that a change of the cache took something from, and the fetches that make it good: one at a time.
struct PageMending<Position: Equatable & Sendable>: Sendable {
  /// The rules by which losses are asked for, as for a watched query.
  var refetching: Refetching
  /// In the order in which they are to be fetched.
  private(set) var lost: [Position] = []
  var task: Task<Void, Never>?
  /// A wait after a failure.
  var timer: Task<Void, Never>?
  /// With which depth lost pages may be fetched; `nil` while they may not.
  var depth: Int?
  /// The pager's failure is that of a mending.
  var hasFailed = false

  private let options: RequestOptions

  init(_ options: RequestOptions) {
    self.options = options
    refetching = Refetching(options)
  }

  /// Whether it was not lost before.
  mutating func lose(_ position: Position) -> Bool {
    guard !lost.contains(position) else { return false }
    lost.append(position)
    return true
  }

  mutating func forget(_ position: Position) { lost.removeAll { $0 == position } }

  /// Gives up all of it: there are other pages now.
  mutating func reset() {
    cancel()
    self = PageMending(options)
  }

  func cancel() {
    task?.cancel()
    timer?.cancel()
  }
}
