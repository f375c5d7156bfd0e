import ApusGraphQLLanguage

/// Finds the cycles of a graph, in depth and with a stack of its own: chains may be longer than the system's.
///
/// Each node is looked through once, so that of many cycles through one edge one is found, as in the reference
/// implementation.
struct CycleSearch {
  /// To another node, and where that is written.
  struct Edge {
    let target: Int
    let label: NodeID
  }

  private struct Visit {
    let node: Int
    let edges: [Edge]
    var next = 0
  }

  private let edges: (Int) -> [Edge]
  private var isVisited: [Bool]
  /// The depth in the current path at which each node is, plus one.
  private var depth: [Int]

  init(nodeCount: Int, edges: @escaping (Int) -> [Edge]) {
    self.edges = edges
    isVisited = [Bool](repeating: false, count: nodeCount)
    depth = [Int](repeating: 0, count: nodeCount)
  }

  /// Reports each cycle that is met from the node on: the node that it comes back to, and its edges. Ends when `report`
  /// returns false.
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
