/// Finds the cycles of a graph by depth-first search, such as fragments that spread each other. It uses an explicit
/// stack, because paths may be longer than the call stack.
///
/// Each node is visited once. Of several cycles through the same edge only one is found, as in the reference
/// implementation.
struct CycleSearch<Label> {
  /// An edge to another node, with the syntax node or value that it comes from.
  struct Edge {
    let target: Int
    let label: Label
  }

  private struct Visit {
    let node: Int
    let edges: [Edge]
    var next = 0
  }

  private let edges: (Int) -> [Edge]
  private var isVisited: [Bool]
  /// The depth of each node in the current path, plus one; 0 for nodes outside of it.
  private var depth: [Int]

  init(nodeCount: Int, edges: @escaping (Int) -> [Edge]) {
    self.edges = edges
    isVisited = [Bool](repeating: false, count: nodeCount)
    depth = [Int](repeating: 0, count: nodeCount)
  }

  /// Reports each cycle that is reachable from a node: its first node and its edges. Ends when `report` returns
  /// `false`.
  mutating func search(from start: Int, _ report: (Int, ArraySlice<Edge>) -> Bool) {
    guard !isVisited[start] else { return }
    var path: [Edge] = []
    var visits: [Visit] = []
    enter(start, &visits)
    while let visit = visits.last {
      guard visit.next < visit.edges.count else {
        depth[visit.node] = 0
        visits.removeLast()
        if !path.isEmpty { path.removeLast() }
        continue
      }
      visits[visits.count - 1].next += 1
      let edge = visit.edges[visit.next]
      if depth[edge.target] > 0 {
        path.append(edge)
        guard report(edge.target, path[(depth[edge.target] - 1)...]) else { return }
        path.removeLast()
      } else if !isVisited[edge.target] {
        path.append(edge)
        enter(edge.target, &visits)
      }
    }
  }

  private mutating func enter(_ node: Int, _ visits: inout [Visit]) {
    visits.append(Visit(node: node, edges: edges(node)))
    isVisited[node] = true
    depth[node] = visits.count
  }
}
