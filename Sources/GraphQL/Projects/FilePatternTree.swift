/// A prefix tree of patterns without alternatives, for matching many paths.
///
/// The time to match a path depends on the wildcards along its components, not on the number of other patterns.
struct FilePatternTree: Sendable {
  private struct Node: Sendable {
    /// Whether a pattern ends here.
    var isEnd = false
    /// Whether any further components may follow, as after `**`.
    var takesFolders = false
    /// The following nodes: by name, by a component with wildcards, and by `**`.
    var ofName: [[UInt8]: Int] = [:]
    var ofGlob: [[UInt8]: Int] = [:]
    var ofFolders: Int?
  }

  private var nodes = [Node()]

  init(_ patterns: some Sequence<String>) {
    for pattern in patterns { insert(pattern) }
  }

  private mutating func insert(_ pattern: String) {
    var node = 0
    for part in Self.parts(pattern) {
      if part == Self.anyFolders {
        // Two consecutive `**` are equivalent to one.
        if !nodes[node].takesFolders { node = next(nodes[node].ofFolders) { $0.nodes[node].ofFolders = $1 } }
        nodes[node].takesFolders = true
      } else if Self.isGlob(part) {
        node = next(nodes[node].ofGlob[part]) { $0.nodes[node].ofGlob[part] = $1 }
      } else {
        node = next(nodes[node].ofName[part]) { $0.nodes[node].ofName[part] = $1 }
      }
    }
    nodes[node].isEnd = true
  }

  /// Returns the existing node, or adds one.
  private mutating func next(_ existing: Int?, _ add: (inout FilePatternTree, Int) -> Void) -> Int {
    if let existing { return existing }
    nodes.append(Node())
    add(&self, nodes.count - 1)
    return nodes.count - 1
  }

  /// Whether a pattern matches the path, compared by bytes.
  func matches(_ path: String) -> Bool {
    var active = withFolders([0])
    for name in Self.parts(path) {
      var next: [Int] = []
      for index in active {
        let node = nodes[index]
        if node.takesFolders { next.append(index) }
        if let named = node.ofName[name] { next.append(named) }
        for (glob, node) in node.ofGlob where Self.matches(name, glob) { next.append(node) }
      }
      if next.isEmpty { return false }
      active = withFolders(next)
    }
    return active.contains { nodes[$0].isEnd }
  }

  /// Returns the nodes and those after a following `**`, which also matches no folder.
  private func withFolders(_ active: [Int]) -> Set<Int> {
    var all = Set(active)
    for node in active {
      // A node that accepts folders has no following `**`.
      if let folders = nodes[node].ofFolders { all.insert(folders) }
    }
    return all
  }

  // MARK: Parts

  private static let star = UInt8(ascii: "*")
  private static let questionMark = UInt8(ascii: "?")
  private static let anyFolders = [star, star]

  private static func parts(_ path: String) -> [[UInt8]] {
    path.utf8.split(separator: UInt8(ascii: "/")).map(Array.init)
  }

  private static func isGlob(_ part: [UInt8]) -> Bool { part.contains { $0 == star || $0 == questionMark } }

  /// Whether a name matches a component with wildcards. Each star matches as little as possible, and more on backtracking.
  static func matches(_ name: [UInt8], _ glob: [UInt8]) -> Bool {
    var (position, part) = (0, 0)
    var last: (position: Int, part: Int)?
    while position < name.count {
      if part < glob.count, glob[part] == star {
        last = (position, part)
        part += 1
      } else if part < glob.count, glob[part] == questionMark {
        position = scalarEnd(in: name, from: position)
        part += 1
      } else if part < glob.count, glob[part] == name[position] {
        position += 1
        part += 1
      } else if let star = last {
        position = scalarEnd(in: name, from: star.position)
        part = star.part + 1
        last = (position, star.part)
      } else {
        return false
      }
    }
    return glob[part...].allSatisfy { $0 == star }
  }

  /// Returns the end of the Unicode scalar that begins at a position.
  private static func scalarEnd(in name: [UInt8], from position: Int) -> Int {
    var end = position + 1
    while end < name.count, name[end] & 0xC0 == 0x80 { end += 1 }
    return end
  }
}
