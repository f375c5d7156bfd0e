import ApusGraphQLMediaTypes
import ApusJSON

/// A result under construction (the initial result, a deferred group, or a streamed item): a tree whose leaves are
/// filled in by resolvers. When all are present, `ResultCollector` propagates nulls.
final class ExecutionUnit {
  enum Purpose {
    case initial
    case group(PendingExecutionGroup)
    case item(StreamRecord, index: Int)
    /// Fields of a deferred fragment that are executed before it is announced.
    case notYetAnnounced
  }

  struct Node {
    var content: Content
    let isNonNull: Bool
    /// The length of the node's path.
    let depth: Int32
  }

  enum Content {
    case unresolved
    case null
    case leaf(JSONValue)
    case failed(ExecutionError)
    /// The nodes of the fields follow each other from `first`. The source is kept only if a group needs it later.
    case object(SelectionSetPlan, first: Int, source: (any Sendable)?)
    case list([Int], rest: StreamStart?)
  }

  private(set) var purpose: Purpose
  /// The response path of the root.
  private(set) var path: [PathComponent]
  /// The deferred fragments that contain the root.
  private(set) var fragments: FragmentMap
  var nodes: ContiguousArray<Node> = []
  /// The number of running resolvers.
  var outstanding = 0
  /// The fields of a mutation that wait for earlier ones.
  var serialFields: [(node: Int, field: FieldPlan, source: any Sendable)] = []
  var isFinished = false
  /// The early units of the groups in an object's plan, by the node of the object.
  var earlyUnits: [Int: [ExecutionUnit]] = [:]

  init(_ purpose: Purpose, path: [PathComponent], fragments: FragmentMap) {
    self.purpose = purpose
    self.path = path
    self.fragments = fragments
  }

  /// Adds the root. `depth` is the length of its response path.
  func addRoot(isNonNull: Bool, depth: Int32) -> Int {
    nodes.append(Node(content: .unresolved, isNonNull: isNonNull, depth: depth))
    return nodes.count - 1
  }

  /// Makes an early unit part of a group, whose path is now known.
  func join(_ group: PendingExecutionGroup) {
    purpose = .group(group)
    path = group.path
    fragments = group.map
  }

  func addNode(below parent: Int, isNonNull: Bool) -> Int {
    nodes.append(Node(content: .unresolved, isNonNull: isNonNull, depth: nodes[parent].depth + 1))
    return nodes.count - 1
  }
}

/// The items of a list that `@stream` delivers later.
struct StreamStart {
  enum Rest {
    case values(ArraySlice<ResolvedValue>)
    case sequence(@Sendable () async throws -> ResolvedValue?)
  }

  let rest: Rest
  let firstIndex: Int
  let itemType: ResolvedOutputType
  let field: FieldPlan
}

/// The deferred fragment for each deferral at a response path.
typealias FragmentMap = [ObjectIdentifier: DeferredFragmentRecord]

/// Converts the tree of a unit to JSON: propagates nulls, sorts errors in document order, and collects deferred parts
/// except below a null.
struct ResultCollector {
  private(set) var errors: [ExecutionError] = []
  private(set) var fragments: [DeferredFragmentRecord] = []
  private(set) var groups: [PendingExecutionGroup] = []
  private(set) var streams: [StreamRecord] = []
  /// The value; nil if the root itself became null.
  private(set) var value: JSONValue?
  private var path: [PathComponent]
  private let unit: ExecutionUnit
  private let onError: ErrorBehavior

  init(_ unit: ExecutionUnit, onError: ErrorBehavior) {
    self.unit = unit
    self.onError = onError
    path = unit.path
    value = collect(0, unit.fragments)
    if onError == .halt, let first = errors.first {
      value = nil
      errors = [first]
      forgetDeliveries(since: (0, 0, 0))
    }
  }

  /// Returns the value of a failed field or item; nil if null propagates to its parent.
  private func null(_ node: ExecutionUnit.Node) -> JSONValue? {
    node.isNonNull && onError == .propagate ? nil : .null
  }

  /// Collects a node; returns nil if null propagates to its parent.
  private mutating func collect(_ index: Int, _ map: FragmentMap) -> JSONValue? {
    let node = unit.nodes[index]
    switch node.content {
    case .leaf(let value): return value
    case .unresolved, .null: return .null
    case .failed(var error):
      error.path = ResponsePath(path)
      errors.append(error)
      return null(node)
    case .object(let plan, let first, let source):
      let before = (fragments.count, groups.count, streams.count)
      if let value = object(plan, index, first, source, map) { return value }
      forgetDeliveries(since: before)
      return null(node)
    case .list(let items, let rest):
      let before = (fragments.count, groups.count, streams.count)
      if let value = list(items, rest, map) { return value }
      forgetDeliveries(since: before)
      return null(node)
    }
  }

  private mutating func object(
    _ plan: SelectionSetPlan, _ index: Int, _ first: Int, _ source: (any Sendable)?, _ map: FragmentMap
  ) -> JSONValue? {
    var map = map
    for usage in plan.newDeferUsages {
      let parent = usage.parent.flatMap { map[ObjectIdentifier($0)] }
      let fragment = DeferredFragmentRecord(path: ResponsePath(path), label: usage.label, parent: parent)
      map[ObjectIdentifier(usage)] = fragment
      fragments.append(fragment)
    }
    var members: [(String, JSONValue)] = []
    members.reserveCapacity(plan.fields.count)
    for (offset, field) in plan.fields.enumerated() {
      path.append(.key(field.responseKey))
      let value = collect(first + offset, map)
      path.removeLast()
      guard let value else { return nil }
      members.append((field.responseKey, value))
    }
    if let source {
      let early = unit.earlyUnits[index]
      for (offset, group) in plan.groups.enumerated() {
        groups.append(
          PendingExecutionGroup(
            path: path, selection: group.selection, source: source, map: map,
            fragments: group.deferUsages.compactMap { map[ObjectIdentifier($0)] }, earlyUnit: early?[offset]))
      }
    }
    return .object(members)
  }

  private mutating func list(_ items: [Int], _ rest: StreamStart?, _ map: FragmentMap) -> JSONValue? {
    var values: [JSONValue] = []
    values.reserveCapacity(items.count)
    for (index, item) in items.enumerated() {
      path.append(.index(index))
      let value = collect(item, map)
      path.removeLast()
      guard let value else { return nil }
      values.append(value)
    }
    if let rest { streams.append(StreamRecord(path: path, start: rest, map: map)) }
    return .array(values)
  }

  private mutating func forgetDeliveries(since before: (fragments: Int, groups: Int, streams: Int)) {
    fragments.removeSubrange(before.fragments...)
    groups.removeSubrange(before.groups...)
    streams.removeSubrange(before.streams...)
  }
}
