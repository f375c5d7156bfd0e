/// A prefix tree of patterns without alternatives, as an automaton that reads paths byte by byte.
///
/// A node is a position in all patterns with the same beginning. `FilePatternMatcher` follows the possible positions
/// together.
struct FilePatternTree: Sendable {
  /// The bytes that a node consumes without leaving it.
  private enum Loop: Sendable {
    case none
    /// After `?`: the rest of a Unicode scalar.
    case scalar
    /// After `*`: the rest of a name.
    case star
    /// At `**`, where a name begins. `inName` is the node inside a name that it matches.
    case folders(inName: Int)
    /// Inside a name that `**` matches.
    case inFolders(folders: Int)
  }

  private struct Node: Sendable {
    var loop = Loop.none
    /// The following nodes: by byte, by `?`, by `*`, by `**` and by the end of a name.
    var ofByte: [UInt8: Int] = [:]
    var ofScalar: Int?
    var ofStar: Int?
    var ofFolders: Int?
    var ofSlash: Int?
    /// The following nodes for sets of bytes.
    var ofSets: [(set: ByteSet, next: Int)] = []
    /// The nodes that are reached without a byte.
    var free: [Int] = []
    /// The first pattern that ends here.
    var ending: Int?
    /// A pattern that leads through this node.
    let pattern: Int
  }

  static let slash = UInt8(ascii: "/")

  private var nodes = [Node(pattern: 0)]
  /// The number of states that negations may still have.
  private var roomForNegations = 2048
  /// A pattern whose negations have too many states, so that it matches nothing.
  private(set) var exhausting: Int?

  init(_ patterns: [String]) {
    for (index, pattern) in patterns.enumerated() {
      insert(FilePatternElement.elements(of: pattern)[...], from: 0, index)
    }
  }

  /// Creates the automaton of alternatives, all of which are the pattern 0.
  private init(_ choices: [[FilePatternElement]]) {
    for elements in choices { insert(elements[...], from: 0, 0) }
  }

  /// The names of a path or pattern, without empty ones.
  static func names(_ path: String) -> [[UInt8]] { path.utf8.split(separator: slash).map(Array.init) }

  // MARK: Building

  private mutating func insert(_ elements: ArraySlice<FilePatternElement>, from start: Int, _ pattern: Int) {
    for node in add(elements, to: start, pattern) { nodes[node].ending = nodes[node].ending ?? pattern }
  }

  /// Adds elements after a node. Returns the nodes at their end: several after a negation.
  private mutating func add(
    _ elements: ArraySlice<FilePatternElement>, to start: Int, _ pattern: Int
  ) -> [Int] {
    var node = start
    for index in elements.indices {
      switch elements[index] {
      case .byte(let byte): node = next(node, \.ofByte[byte], pattern)
      case .slash:
        // `**` includes the slash after it.
        if index > elements.startIndex, elements[index - 1] == .folders { continue }
        node = next(node, \.ofSlash, pattern)
      case .anyScalar:
        node = next(node, \.ofScalar, pattern)
        nodes[node].loop = .scalar
      case .star:
        // Two consecutive `*` are equivalent to one.
        if case .star = nodes[node].loop { continue }
        node = next(node, \.ofStar, pattern)
        nodes[node].loop = .star
      case .folders: node = folders(of: node, pattern)
      case .scalars(let ranges): node = scalars(ranges, of: node, pattern)
      case .group(let repetition, let choices): node = group(repetition, choices, of: node, pattern)
      case .negation(let choices):
        return negation(of: choices, before: elements[(index + 1)...], of: node, pattern)
      }
    }
    return [node]
  }

  private mutating func newNode(_ pattern: Int) -> Int {
    nodes.append(Node(pattern: pattern))
    return nodes.count - 1
  }

  /// Returns the existing node, or adds one.
  private mutating func next(_ node: Int, _ edge: WritableKeyPath<Node, Int?>, _ pattern: Int) -> Int {
    if let existing = nodes[node][keyPath: edge] { return existing }
    let new = newNode(pattern)
    nodes[node][keyPath: edge] = new
    return new
  }

  private mutating func scalars(_ ranges: [ClosedRange<UInt32>], of node: Int, _ pattern: Int) -> Int {
    let end = newNode(pattern)
    for sequence in ByteSet.sequences(ofScalars: ranges) {
      var last = node
      for set in sequence.dropLast() {
        let new = newNode(pattern)
        nodes[last].ofSets.append((set, new))
        last = new
      }
      if let set = sequence.last { nodes[last].ofSets.append((set, end)) }
    }
    return end
  }

  private mutating func group(
    _ repetition: FilePatternElement.Repetition, _ choices: [[FilePatternElement]], of node: Int, _ pattern: Int
  ) -> Int {
    // No other pattern shares the nodes of the group, because it would pass through its repetition.
    let start = newNode(pattern)
    let end = newNode(pattern)
    nodes[node].free.append(start)
    for choice in choices {
      for last in add(choice[...], to: start, pattern) { nodes[last].free.append(end) }
    }
    switch repetition {
    case .once: break
    case .optional: nodes[start].free.append(end)
    case .oneOrMore: nodes[end].free.append(start)
    case .zeroOrMore:
      nodes[start].free.append(end)
      nodes[end].free.append(start)
    }
    return end
  }

  private mutating func folders(of node: Int, _ pattern: Int) -> Int {
    // Two consecutive `**` are equivalent to one.
    if case .folders = nodes[node].loop { return node }
    if let existing = nodes[node].ofFolders { return existing }
    let folders = next(node, \.ofFolders, pattern)
    let inName = newNode(pattern)
    nodes[folders].loop = .folders(inName: inName)
    nodes[inName].loop = .inFolders(folders: folders)
    return folders
  }

  // MARK: Negation

  /// Adds the texts that the rest of a pattern matches after `!(…)`, as a deterministic automaton. Returns its ends.
  ///
  /// The rest of a path must not begin with one of the choices, as in picomatch. At the end of a pattern, and before a last
  /// extension if the choices have a `*`, the choices exclude only the complete rest.
  private mutating func negation(
    of choices: [[FilePatternElement]], before rest: ArraySlice<FilePatternElement>, of node: Int, _ pattern: Int
  ) -> [Int] {
    let hasSlash = choices.joined().contains(where: \.hasSlash)
    let any: FilePatternElement = hasSlash ? .group(.zeroOrMore, [[.star], [.slash]]) : .star
    let all = FilePatternTree([[any] + rest])
    var excluded = choices
    var excludesWhole = rest.isEmpty || hasSlash
    if !excludesWhole, choices.joined().contains(where: \.hasStar), Self.isExtension(rest) {
      excluded = choices.map { $0 + rest }
    }
    if excluded.contains(where: \.isEmpty), !excludesWhole { excludesWhole = true }
    let other = FilePatternTree(excluded)
    let bytes = all.representatives(with: other)

    struct State: Hashable {
      let all: [Int]
      let other: [Int]
    }
    let first = State(all: all.start, other: other.start)
    var numbers = [first: newNode(pattern)]
    var pending = [first]
    var ends: [Int] = []
    nodes[node].free.append(nodes.count - 1)
    while let state = pending.popLast() {
      guard let number = numbers[state] else { continue }
      roomForNegations -= 1
      guard roomForNegations > 0 else {
        exhausting = exhausting ?? pattern
        return []
      }
      let isExcluded = excludesWhole && !other.endings(of: state.other).isEmpty
      if !isExcluded, !all.endings(of: state.all).isEmpty { ends.append(number) }
      var targets: [State: ByteSet] = [:]
      for (byte, set) in bytes {
        let next = State(
          all: all.positions(after: byte, from: state.all), other: other.positions(after: byte, from: state.other))
        if next.all.isEmpty || !excludesWhole && !other.endings(of: next.other).isEmpty { continue }
        targets[next, default: ByteSet()].formUnion(set)
      }
      for (next, set) in targets {
        if numbers[next] == nil {
          numbers[next] = newNode(pattern)
          pending.append(next)
        }
        if let target = numbers[next] { nodes[number].ofSets.append((set, target)) }
      }
    }
    return ends
  }

  /// Whether the rest of a pattern is a single extension such as `.ts`.
  private static func isExtension(_ rest: ArraySlice<FilePatternElement>) -> Bool {
    rest.first == .byte(UInt8(ascii: ".")) && rest.count > 1
      && !rest.dropFirst().contains { $0 == .byte(UInt8(ascii: ".")) || $0.hasSlash }
  }

  /// Returns a byte of each set that two automata do not distinguish, with that set.
  private func representatives(with other: FilePatternTree) -> [(byte: UInt8, set: ByteSet)] {
    let all = nodes + other.nodes
    guard all.allSatisfy(\.ofSets.isEmpty) else {
      return (UInt8.min...UInt8.max).map { ($0, ByteSet([$0])) }
    }
    let named = Set(all.flatMap(\.ofByte.keys)).union([Self.slash])
    // Bytes that continue a Unicode scalar differ from those that begin one.
    let others = [ClosedRange<UInt8>](arrayLiteral: 0...0x7F, 0x80...0xBF, 0xC0...0xFF).map { range in
      range.filter { !named.contains($0) }
    }
    return named.map { ($0, ByteSet([$0])) }
      + others.compactMap { bytes in bytes.first.map { ($0, ByteSet(bytes)) } }
  }

  // MARK: Following

  /// The positions before the first byte of a path.
  var start: [Int] { sorted([0]) }

  /// A pattern that leads through a position.
  func pattern(of node: Int) -> Int { nodes[node].pattern }

  /// Returns the positions after a byte of a path.
  func positions(after byte: UInt8, from active: [Int]) -> [Int] {
    var next: [Int] = []
    for index in active {
      let node = nodes[index]
      for (set, target) in node.ofSets where set.contains(byte) { next.append(target) }
      if byte == Self.slash {
        if let slash = node.ofSlash { next.append(slash) }
        if case .inFolders(let folders) = node.loop { next.append(folders) }
        continue
      }
      switch node.loop {
      case .none: break
      case .scalar: if byte & 0xC0 == 0x80 { next.append(index) }
      case .star, .inFolders: next.append(index)
      case .folders(let inName): next.append(inName)
      }
      if let named = node.ofByte[byte] { next.append(named) }
      // A scalar does not begin with a continuation byte.
      if let scalar = node.ofScalar, byte & 0xC0 != 0x80 { next.append(scalar) }
    }
    return sorted(next)
  }

  /// Returns the patterns that match a path that ends at these positions, which are after a name.
  func endings(of active: [Int]) -> [Int] {
    // A following `**` also matches no folder.
    let behind = sorted(
      active.flatMap { node -> [Int] in
        if case .inFolders(let folders) = nodes[node].loop { return [folders] }
        return [nodes[node].ofSlash].compactMap(\.self)
      })
    return Set((active + behind.filter(isFolders)).compactMap { nodes[$0].ending }).sorted()
  }

  /// The patterns that match an empty path.
  var endingsOfEmptyPath: [Int] {
    Set(start.filter { $0 == 0 || isFolders($0) }.compactMap { nodes[$0].ending }).sorted()
  }

  private func isFolders(_ node: Int) -> Bool { if case .folders = nodes[node].loop { true } else { false } }

  /// Returns the positions together with those that are reached without a byte, since `*`, `**` and some groups may match nothing.
  private func sorted(_ active: [Int]) -> [Int] {
    var all: Set<Int> = []
    var pending = active
    while let node = pending.popLast() {
      guard all.insert(node).inserted else { continue }
      pending += [nodes[node].ofStar, nodes[node].ofFolders].compactMap(\.self) + nodes[node].free
    }
    return all.sorted()
  }
}
