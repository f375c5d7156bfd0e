import ApusClientOperation
import ApusJSON

/// Merges a payload into the data so far, where both have the same fields.
///
/// The rules are those of the first table in `Docs/Development/PayloadsOfOneResponse.md`. Each execution that a server
/// started for a fragment sends its own values, so the newer values count, unless a null is all that is newer.
struct PayloadMerge: Sendable {
  /// The outermost paths at which the data changed.
  var changes: [ResponsePath] = []
  var moves = ListMoves()
  /// The values that replaced another one, and the elements of a list that only one of two payloads has. They may lack
  /// fields that only the other payload has.
  var replacements: [ResponsePath] = []

  private var identity: ObjectIdentity

  init(rules: KeyRules) {
    identity = ObjectIdentity(rules: rules)
  }

  /// Merges two versions of the same object. `node` returns its plan, and is called only if both have a field.
  mutating func object(
    _ older: JSONValue, _ newer: JSONValue, at path: [PathComponent], node: () -> PlanNode?
  ) -> JSONValue {
    var fields: PlanFields?
    return older.mergingMembers(of: newer) { key, old, new in
      let place = path + [.key(key)]
      guard let old else {
        changes.append(ResponsePath(place))
        return new
      }
      if fields == nil, let node = node() {
        fields = node.fields(for: node.dependsOnType ? node.typename(of: newer) ?? node.typename(of: older) : nil)
      }
      return value(old, new, of: fields?[key], at: place)
    }
  }

  /// Merges two values of a field. `field` is `nil` for a field that is not selected, which counts as a leaf.
  mutating func value(
    _ older: JSONValue, _ newer: JSONValue, of field: PlanField?, at path: [PathComponent]
  ) -> JSONValue {
    guard !newer.isNull, let child = field?.child else { return leaf(older, newer, at: path) }
    return pair(older, newer, child, at: path, isStream: field?.stream != nil, arePairedByIndex: false)
  }

  private mutating func leaf(_ older: JSONValue, _ newer: JSONValue, at path: [PathComponent]) -> JSONValue {
    if newer.isNull || older == newer { return older }
    changes.append(ResponsePath(path))
    return newer
  }

  private mutating func pair(
    _ older: JSONValue, _ newer: JSONValue, _ node: PlanNode, at path: [PathComponent], isStream: Bool,
    arePairedByIndex: Bool
  ) -> JSONValue {
    switch (older.kind, newer.kind) {
    case (.object, .object):
      if identity.areDifferent(older, newer, node, arePairedByIndex: arePairedByIndex) {
        return replace(newer, at: path)
      }
      return object(older, newer, at: path) { node }
    case (.array, .array): return list(older, newer, node, at: path, isStream: isStream)
    case (.null, _), (.bool, _), (.number, _), (.string, _), (.object, _), (.array, _):
      return newer.isNull ? older : replace(newer, at: path)
    }
  }

  /// Notes that a value replaces another one.
  private mutating func replace(_ newer: JSONValue, at path: [PathComponent]) -> JSONValue {
    changes.append(ResponsePath(path))
    replacements.append(ResponsePath(path))
    return newer
  }

  // MARK: - Lists

  /// Merges two versions of a streamed element: the first payload may have sent it too. `node` is `nil` in a list of
  /// leaves.
  mutating func element(
    _ older: JSONValue, _ newer: JSONValue, _ node: PlanNode?, at path: [PathComponent]
  ) -> JSONValue {
    guard let node, !newer.isNull else { return leaf(older, newer, at: path) }
    return pair(older, newer, node, at: path, isStream: false, arePairedByIndex: true)
  }

  /// Merges two versions of a list of objects. A streamed list keeps elements that only the older one has.
  mutating func list(
    _ older: JSONValue, _ newer: JSONValue, _ node: PlanNode, at path: [PathComponent], isStream: Bool
  ) -> JSONValue {
    let (old, new) = (Array(older.elements), Array(newer.elements))
    let pairing = PayloadElements(older: old, newer: new, node, &identity)
    let kept = isStream ? Array(pairing.rest.prefix(max(0, old.count - new.count))) : []
    let sources = pairing.partners.map { $0?.index } + kept.map { $0 }
    let isInPlace = sources.count >= old.count && sources.enumerated().allSatisfy { $1 == nil || $1 == $0 }
    let changesBefore = changes.count
    var merged: [JSONValue] = []
    merged.reserveCapacity(sources.count)
    for (index, element) in new.enumerated() {
      let place = path + [.index(index)]
      guard let partner = pairing.partners[index] else {
        merged.append(replace(element, at: place))
        continue
      }
      let existing = old[partner.index]
      merged.append(
        element.isNull
          ? existing
          : pair(existing, element, node, at: place, isStream: false, arePairedByIndex: partner.isByIndex))
    }
    for element in kept {
      // The newer payload selects fields that these elements lack.
      replacements.append(ResponsePath(path + [.index(merged.count)]))
      merged.append(old[element])
    }
    guard isInPlace else {
      changes.removeSubrange(changesBefore...)
      changes.append(ResponsePath(path))
      moves.add(sources, at: ResponsePath(path))
      return .array(merged)
    }
    return changes.count == changesBefore ? older : .array(merged)
  }
}
