import Synchronization

/// Matches many paths against many patterns without alternatives.
///
/// The positions that a path can have in all patterns form one state, and the state after each byte is computed once. A
/// path therefore takes one step for each of its bytes, however many patterns there are. Computing states has a budget
/// for the life of the matcher: patterns may be untrusted, and a few can have exponentially many states.
package final class FilePatternMatcher: Sendable {
  private struct State {
    let positions: [Int]
    /// The number of the state after each byte; -1 if it was not computed.
    var next = [Int32](repeating: -1, count: 256)
    var endings: [Int]?
  }

  private struct States {
    var all: [State] = []
    var numbers: [[Int]: Int32] = [:]
    var budget = FilePatternMatcher.budget
    /// A pattern that the budget was not sufficient for.
    var exhausting: Int?
  }

  /// The number of positions to compute, in all states.
  private static let budget = 1 << 23
  /// The cost of a state in positions, for its memory.
  private static let costOfState = 1 << 8

  private let patterns: [String]
  private let tree: FilePatternTree
  private let states = Mutex(States())

  package init(_ patterns: [String]) {
    self.patterns = patterns
    tree = FilePatternTree(patterns)
    states.withLock { _ = number(of: tree.start, &$0) }
  }

  /// The pattern that takes too much work, if the budget is exhausted. Then paths with new states match nothing.
  package var exhaustingPattern: String? { (tree.exhausting ?? states.withLock { $0.exhausting }).map { patterns[$0] } }

  package func matches(_ path: String) -> Bool { !patternIndices(matching: path).isEmpty }

  /// Returns the indices of the patterns that match a path, compared by bytes. Of equal patterns, only the first counts.
  package func patternIndices(matching path: String) -> [Int] {
    let names = FilePatternTree.names(path)
    guard !names.isEmpty else { return tree.endingsOfEmptyPath }
    guard !patterns.isEmpty else { return [] }
    return states.withLock { states in
      var state: Int32 = 0
      for (index, name) in names.enumerated() {
        let bytes = index == 0 ? name : [FilePatternTree.slash] + name
        for byte in bytes {
          guard let next = self.state(after: byte, state, &states) else { return [] }
          state = next
        }
      }
      return endings(of: Int(state), &states)
    }
  }

  private func state(after byte: UInt8, _ state: Int32, _ states: inout States) -> Int32? {
    let existing = states.all[Int(state)].next[Int(byte)]
    if existing >= 0 { return existing }
    let positions = states.all[Int(state)].positions
    states.budget -= positions.count + 1
    guard states.budget > 0 else {
      states.exhausting = states.exhausting ?? positions.last.map(tree.pattern)
      return nil
    }
    let number = number(of: tree.positions(after: byte, from: positions), &states)
    states.all[Int(state)].next[Int(byte)] = number
    return number
  }

  private func number(of positions: [Int], _ states: inout States) -> Int32 {
    if let existing = states.numbers[positions] { return existing }
    states.budget -= positions.count + Self.costOfState
    let number = Int32(states.all.count)
    states.numbers[positions] = number
    states.all.append(State(positions: positions))
    return number
  }

  private func endings(of state: Int, _ states: inout States) -> [Int] {
    if let existing = states.all[state].endings { return existing }
    let endings = tree.endings(of: states.all[state].positions)
    states.all[state].endings = endings
    return endings
  }
}
