import ApusClientAPI
import ApusClientOperation
import ApusJSON

/// Support for servers that send deferred fields as null in one payload and their values in a later one. Such nulls are
/// held back while their fragment may still come. If it does not, they are data.
extension DeferralTracker {
  /// Puts held nulls back, unless the data has their fields.
  mutating func release(_ nulls: [HeldNull]) {
    released += nulls
    for null in nulls { data = null.inserted(into: data) ?? data }
  }

  /// Puts a null in the place of a missing field that an error explains.
  mutating func releaseMissing(_ error: GraphQLError) {
    var value = data
    for (count, component) in (error.path?.components ?? []).enumerated() {
      switch component {
      case .index(let index):
        guard let element = value[index] else { return }
        value = element
      case .key(let key):
        guard value.kind == .object else { return }
        guard let member = value[key] else {
          return release([
            HeldNull(at: ResponsePath(Array((error.path ?? .root).components.prefix(count + 1))), in: data)
          ])
        }
        value = member
      }
    }
  }

  /// Whether a fragment has all its fields if its nulls are data.
  func isDeliveredWithNulls(_ index: Int) -> Bool {
    guard let nulls = held[index] else { return false }
    let whole = nulls.reduce(data) { $1.inserted(into: $0) ?? $0 }
    return isDelivered(instances[index], value: whole.value(at: instances[index].path) ?? .null)
  }

  /// Returns the nulls of the current entry in fields that only pending fragments select. Empty if one of these fields
  /// has a value, because then the fragment came with its object.
  func nullsInPlace(
    of fragment: PlanFragment, in object: JSONValue, path: [PathComponent], levels: [Int]
  ) -> [ResponsePath] {
    guard let (complete, _) = locate(ResponsePath(path)) else { return [] }
    var nulls: [ResponsePath] = []
    let isWithoutValue = collectNulls(
      &nulls, of: fragment.node, in: complete, usage: fragment.usage, value: object, path: path,
      levels: Array(levels.dropLast()))
    return isWithoutValue ? nulls : []
  }

  /// Collects the nulls; returns false at the first value that only this fragment can have brought.
  private func collectNulls(
    _ nulls: inout [ResponsePath], of node: PlanNode, in complete: PlanNode, usage: PlanDeferral?, value: JSONValue,
    path: [PathComponent], levels: [Int]
  ) -> Bool {
    if value.kind == .array {
      for (index, element) in value.elements.enumerated() {
        guard
          collectNulls(
            &nulls, of: node, in: complete, usage: usage, value: element, path: path + [.index(index)], levels: levels)
        else { return false }
      }
      return true
    }
    guard value.kind == .object else { return true }
    let typename = complete.typename(of: value)
    let all = complete.fields(for: typename)
    let levels = levels + [path.count]
    for field in node.fields(for: typename).fields where FragmentCoverage.isOwn(field, usage: usage) {
      // Servers send `__typename` with the object, whichever fragment selects it.
      guard field.field.name != "__typename", let member = value[field.responseKey], let same = all[field.responseKey]
      else { continue }
      let place = path + [.key(field.responseKey)]
      let isStillToCome =
        !same.usages.isEmpty && !same.mayComeWithObject
        && !same.usages.contains { isOpen($0, path: path, levels: levels) }
      if isStillToCome {
        guard member.isNull else { return false }
        if isNullOfEntry(ResponsePath(place)) { nulls.append(ResponsePath(place)) }
      } else if let child = field.child, let wholeChild = same.child {
        guard
          collectNulls(
            &nulls, of: child, in: wholeChild, usage: usage, value: member, path: place, levels: levels)
        else { return false }
      }
    }
    return true
  }

  /// Whether the null at a path came with the current entry.
  private func isNullOfEntry(_ path: ResponsePath) -> Bool {
    guard let entry, path.starts(with: entry.path) else { return false }
    return entry.value.value(at: ResponsePath(Array(path.components.dropFirst(entry.path.count))))?.isNull == true
  }
}
