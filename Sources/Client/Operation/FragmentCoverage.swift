import ApusJSON

/// Compares the selections of a fragment with the data.
package enum FragmentCoverage {
  /// Whether a field belongs to the fragment itself, not to a deferred fragment inside it.
  package static func isOwn(_ field: PlanField, usage: PlanDeferral?) -> Bool {
    field.usages.isEmpty || field.usages.contains { used in usage.map { used.isSame(as: $0) } ?? false }
  }

  /// Whether a value has every field of a selection that is not deferred further.
  package static func covers(_ node: PlanNode, value: JSONValue, typename: String?, usage: PlanDeferral?) -> Bool {
    switch value.kind {
    case .array:
      return value.elements.allSatisfy { covers(node, value: $0, typename: nil, usage: usage) }
    case .object:
      for field in node.fields(for: typename ?? node.typename(of: value)).fields where isOwn(field, usage: usage) {
        guard let member = value[field.responseKey] else {
          if field.isRequired { return false }
          continue
        }
        if let child = field.child, !covers(child, value: member, typename: nil, usage: usage) { return false }
      }
      return true
    default:
      return true
    }
  }

  /// Whether an object has a field that only fragments with these type conditions select, which proves that they cover
  /// it.
  package static func isShown(_ conditions: [String], by object: JSONValue, of fields: PlanFields) -> Bool {
    conditions != PlanField.tooManyWays
      && fields.fields.contains { field in
        field.conditions.count == 1 && field.conditions[0].starts(with: conditions) && object[field.responseKey] != nil
      }
  }

  /// Whether the data of a fragment has fields that neither the object nor the `available` fragments select.
  package static func bringsMore(
    _ node: PlanNode, than complete: PlanNode, value: JSONValue, usage: PlanDeferral?, available: [PlanDeferral]
  ) -> Bool {
    switch value.kind {
    case .array:
      return value.elements.contains {
        bringsMore(node, than: complete, value: $0, usage: usage, available: available)
      }
    case .object:
      let typename = complete.typename(of: value)
      let all = complete.fields(for: typename)
      for field in node.fields(for: typename).fields where isOwn(field, usage: usage) {
        guard let member = value[field.responseKey], let same = all[field.responseKey] else { continue }
        let isAvailable =
          same.usages.isEmpty || same.usages.contains { used in available.contains { $0.isSame(as: used) } }
        if !isAvailable { return true }
        if let child = field.child, let wholeChild = same.child,
          bringsMore(child, than: wholeChild, value: member, usage: usage, available: available)
        {
          return true
        }
      }
      return false
    default:
      return false
    }
  }
}
