import ApusClientOperation
import ApusJSON

/// The data of a response as it grows, and the paths that the current payload changed.
///
/// An edit that throws changes nothing.
struct MergedData: Sendable {
  /// `nil` if the response has no `data` entry; JSON null if it is null.
  private(set) var value: JSONValue?
  private let root: PlanNode
  private var merge: PayloadMerge

  init(plan: SelectionPlan, rules: KeyRules) {
    root = plan.root
    merge = PayloadMerge(rules: rules)
  }

  /// The outermost paths that the current payload changed.
  var changes: [ResponsePath] { merge.changes }
  /// The values of the current payload that replaced others.
  var replacements: [ResponsePath] { merge.replacements }

  /// Returns the list elements that moved since the last call.
  mutating func takeMoves() -> ListMoves {
    defer { merge.moves = ListMoves() }
    return merge.moves
  }

  /// Starts the next payload.
  mutating func begin() {
    merge.changes = []
    merge.replacements = []
  }

  mutating func begin(with value: JSONValue?) {
    self.value = value
    begin()
    merge.changes = [.root]
  }

  /// Merges an object into the object at a path, which is the same object.
  mutating func merge(_ object: JSONValue, at path: ResponsePath) throws(IncrementalError) {
    guard let current = value, let target = current.value(at: path), target.kind == .object, object.kind == .object
    else { throw .noPlace(path) }
    guard object.count > 0 else { return }
    let merged = merge.object(target, object, at: path.components) { root.place(at: path, in: current)?.node }
    value = try Self.placing(merged, at: path, in: current)
  }

  /// Sets a field, or merges the value with that of an earlier payload. `existing` is nil if there is none.
  mutating func set(_ path: ResponsePath, of field: PlanField, to value: JSONValue) throws(IncrementalError) {
    guard let current = self.value else { throw .noPlace(path) }
    var merged = value
    if let existing = current.value(at: path) {
      merged = merge.value(existing, value, of: field, at: path.components)
    } else {
      merge.changes.append(path)
    }
    self.value = try Self.placing(merged, at: path, in: current)
  }

  /// Appends items to a list, and merges items whose index exists with the current elements. Returns the indexes of all
  /// of them.
  mutating func append(
    _ items: [JSONValue], to path: ResponsePath, at index: Int?
  ) throws(IncrementalError) -> Range<Int> {
    guard let current = value, let list = current.value(at: path), list.kind == .array else { throw .noPlace(path) }
    let first = index ?? list.count
    guard first >= 0, first <= list.count else { throw .noPlace(path.appending(.index(first))) }
    let repeated = min(items.count, list.count - first)
    var grown = repeated == 0 ? list : mergingItems(items.prefix(repeated), into: list, from: first, path, current)
    if items.count > repeated {
      let new = Array(items.dropFirst(repeated))
      do { grown = try grown.appending(new, at: .root) } catch { throw .noPlace(path) }
      for offset in repeated..<items.count { merge.changes.append(path.appending(.index(first + offset))) }
    }
    value = try Self.placing(grown, at: path, in: current)
    return first..<(first + items.count)
  }

  /// Merges items with the elements at their indexes.
  private mutating func mergingItems(
    _ items: ArraySlice<JSONValue>, into list: JSONValue, from first: Int, _ path: ResponsePath, _ current: JSONValue
  ) -> JSONValue {
    let node = root.place(at: path, in: current).flatMap { $0.field?.child }
    var result = list
    for (index, item) in zip(first..., items) {
      guard let element = list[index] else { continue }
      let merged = merge.element(element, item, node, at: path.components + [.index(index)])
      // The index exists, so replacing it cannot fail.
      if !merged.isIdentical(to: element) {
        result = (try? result.replacing(at: [.index(index)], with: merged)) ?? result
      }
    }
    return result
  }

  /// Removes members. Returns them as nulls that can be put back.
  mutating func remove(_ paths: [ResponsePath]) {
    for path in paths {
      guard case .key(let key)? = path.components.last else { continue }
      let parent = ResponsePath(Array(path.components.dropLast()))
      guard let object = value?.value(at: parent), object.kind == .object else { continue }
      let rest = JSONValue.object(object.members.filter { $0.key != key }.map { ($0.key, $0.value) })
      value = (try? value?.replacing(at: parent, with: rest)) ?? value
    }
    merge.changes.removeAll { paths.contains($0) }
  }

  /// Puts back nulls that were removed, unless a later payload has the field.
  mutating func insert(_ nulls: [HeldNull]) {
    for null in nulls {
      guard let current = value, let changed = null.inserted(into: current) else { continue }
      value = changed
      merge.changes.append(null.path)
    }
  }

  private static func placing(
    _ merged: JSONValue, at path: ResponsePath, in current: JSONValue
  ) throws(IncrementalError) -> JSONValue {
    do {
      return try current.replacing(at: path, with: merged)
    } catch {
      throw .noPlace(path)
    }
  }
}

extension PlanNode {
  /// Returns the plan of the value at a path in the data: the field that contains it, and the plan of its objects. `nil`
  /// if the path is not selected; `node` is `nil` for a leaf.
  func place(at path: ResponsePath, in data: JSONValue) -> (field: PlanField?, node: PlanNode?)? {
    var (field, node, value): (PlanField?, PlanNode?, JSONValue?) = (nil, self, data)
    for component in path.components {
      switch component {
      case .key(let key):
        guard let object = value, let member = node?.fields(of: object)[key] else { return nil }
        (field, node, value) = (member, member.child, object[key])
      case .index(let index): value = value?[index]
      }
    }
    return (field, node)
  }
}
