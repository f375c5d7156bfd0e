import ApusGraphQLLanguage
import ApusGraphQLSchema

/// Lists the conflicts of selection sets like the reference implementation: it compares fields in pairs, and each pair of
/// fragments once. It is used only for documents that have conflicts. Its work and depth are limited, so conflicts in a
/// malicious document may be missing.
struct OverlapSearch {
  private let context: ValidationContext
  private let fields: OverlapFields
  /// The collected fields of each selection set, computed on demand. `setIndex` contains their indices plus one.
  private var collected: [CollectedFields] = []
  private var setIndex: [Int32]
  /// The compared pairs of fragments, and whether the comparison assumed mutually exclusive parent types.
  private var comparedFragments: [FragmentPair: Bool] = [:]
  private var comparedWithFields: [FieldsFragmentPair: Bool] = [:]
  private var budget = 500_000
  private var depth = 0

  /// The maximum nesting of fragments and subfields.
  private static let maximumDepth = 1000

  private struct FragmentPair: Hashable {
    let first: UInt32
    let second: UInt32
  }

  private struct FieldsFragmentPair: Hashable {
    let fields: Int
    let fragment: UInt32
  }

  /// The fields of a selection set and its inline fragments by response key, and the names of its fragment spreads.
  private struct CollectedFields {
    var keys: [UInt32] = []
    var fields: [[Entry]] = []
    var indexOfKey: [UInt32: Int] = [:]
    var fragments: [UInt32] = []
    var knownFragments: Set<UInt32> = []
  }

  private typealias Entry = OverlapFields.Entry

  init(_ context: ValidationContext) {
    self.context = context
    fields = OverlapFields(context)
    setIndex = [Int32](repeating: 0, count: context.nodes.count)
  }

  mutating func conflicts(in set: NodeID) -> [OverlapConflict] {
    var found: [OverlapConflict] = []
    let own = collect(set)
    for fields in collected[own].fields where fields.count > 1 && budget > 0 {
      for first in fields.indices {
        for second in fields.indices[(first + 1)...] {
          if let conflict = compare(fields[first], fields[second], exclusive: false) { found.append(conflict) }
        }
      }
    }
    let fragments = collected[own].fragments
    for (index, fragment) in fragments.enumerated() where budget > 0 {
      compareWithFragment(own, fragment, exclusive: false, &found)
      for other in fragments[(index + 1)...] { compareFragments(fragment, other, exclusive: false, &found) }
    }
    return found
  }

  // MARK: Collecting

  private mutating func collect(_ set: NodeID) -> Int {
    if setIndex[Int(set)] != 0 { return Int(setIndex[Int(set)]) - 1 }
    var fields = CollectedFields()
    collect(set, into: &fields)
    collected.append(fields)
    setIndex[Int(set)] = Int32(collected.count)
    return collected.count - 1
  }

  private func collect(_ set: NodeID, into fields: inout CollectedFields) {
    let parent = context.typeIndex[Int(set)]
    for selection in context.document.children(of: set) {
      switch context.kind(selection) {
      case .field:
        let key = context.nameOf[Int(selection) + 1]
        guard key != ValidationContext.none else { continue }
        let entry = self.fields.entry(selection, parent)
        if let index = fields.indexOfKey[key] {
          fields.fields[index].append(entry)
        } else {
          fields.indexOfKey[key] = fields.keys.count
          fields.keys.append(key)
          fields.fields.append([entry])
        }
      case .fragmentSpread:
        let name = context.nameOf[Int(selection) + 1]
        if context.fragment(of: selection) != nil, fields.knownFragments.insert(name).inserted {
          fields.fragments.append(name)
        }
      default:
        if let inner = context.selectionSet(of: selection) { collect(inner, into: &fields) }
      }
    }
  }

  private mutating func collectedFragment(_ name: UInt32) -> Int? {
    guard context.fragmentOfName[Int(name)] != 0 else { return nil }
    let fragment = context.fragments[Int(context.fragmentOfName[Int(name)]) - 1]
    return context.selectionSet(of: fragment).map { collect($0) }
  }

  // MARK: Comparing

  private mutating func compareAll(
    _ left: Int, _ right: Int, exclusive: Bool, _ found: inout [OverlapConflict]
  ) {
    for (position, other) in sharedKeys(left, right) {
      for first in collected[left].fields[position] where budget > 0 {
        for second in collected[right].fields[other] {
          if let conflict = compare(first, second, exclusive: exclusive) { found.append(conflict) }
        }
      }
    }
  }

  /// Returns the positions of the response keys that both sets share, in the order of the left one. Iterates over the
  /// smaller set.
  private mutating func sharedKeys(_ left: Int, _ right: Int) -> [(left: Int, right: Int)] {
    let isSmaller = collected[left].keys.count <= collected[right].keys.count
    let (smaller, larger) = isSmaller ? (left, right) : (right, left)
    budget -= collected[smaller].keys.count / 16
    let shared = collected[smaller].keys.enumerated().compactMap { position, key in
      collected[larger].indexOfKey[key].map { isSmaller ? (left: position, right: $0) : (left: $0, right: position) }
    }
    return isSmaller ? shared : shared.sorted { $0.left < $1.left }
  }

  private mutating func compareWithFragment(
    _ fields: Int, _ name: UInt32, exclusive: Bool, _ found: inout [OverlapConflict]
  ) {
    guard budget > 0 else { return }
    budget -= 1
    let pair = FieldsFragmentPair(fields: fields, fragment: name)
    if let known = comparedWithFields[pair], exclusive || !known { return }
    comparedWithFields[pair] = exclusive
    guard let fragment = collectedFragment(name), fragment != fields, descend() else { return }
    compareAll(fields, fragment, exclusive: exclusive, &found)
    for inner in collected[fragment].fragments { compareWithFragment(fields, inner, exclusive: exclusive, &found) }
    depth -= 1
  }

  private mutating func compareFragments(
    _ left: UInt32, _ right: UInt32, exclusive: Bool, _ found: inout [OverlapConflict]
  ) {
    guard left != right, budget > 0 else { return }
    budget -= 1
    let pair = FragmentPair(first: min(left, right), second: max(left, right))
    if let known = comparedFragments[pair], exclusive || !known { return }
    comparedFragments[pair] = exclusive
    guard let first = collectedFragment(left), let second = collectedFragment(right), descend() else { return }
    compareAll(first, second, exclusive: exclusive, &found)
    for inner in collected[second].fragments { compareFragments(left, inner, exclusive: exclusive, &found) }
    for inner in collected[first].fragments { compareFragments(inner, right, exclusive: exclusive, &found) }
    depth -= 1
  }

  private mutating func descend() -> Bool {
    guard depth < Self.maximumDepth, budget > 0 else { return false }
    budget -= 1
    depth += 1
    return true
  }

  private mutating func compare(_ first: Entry, _ second: Entry, exclusive: Bool) -> OverlapConflict? {
    guard budget > 0 else { return nil }
    budget -= 1
    if first.isSame(as: second) { return nil }
    let left = first.field
    let right = second.field
    func conflict(_ cause: OverlapConflict.Reason) -> OverlapConflict {
      OverlapConflict(field: left, cause: cause, left: [left], right: [right])
    }

    budget -= (fields.size(left) + fields.size(right)) / 64
    let areExclusive = exclusive || fields.areExclusive(first, second)
    if !areExclusive, let reason = fields.differenceInMeaning(left, right) { return conflict(reason) }
    if let reason = fields.differenceInShape(first, second) { return conflict(reason) }
    guard let one = context.selectionSet(of: left), let other = context.selectionSet(of: right) else {
      return nil
    }
    let inner = compareSubselections(one, other, exclusive: areExclusive)
    if inner.isEmpty { return nil }
    return OverlapConflict(
      field: left, cause: .subfields(inner), left: [left] + inner.flatMap(\.left),
      right: [right] + inner.flatMap(\.right))
  }

  private mutating func compareSubselections(_ one: NodeID, _ other: NodeID, exclusive: Bool) -> [OverlapConflict] {
    var found: [OverlapConflict] = []
    guard descend() else { return found }
    let left = collect(one)
    let right = collect(other)
    compareAll(left, right, exclusive: exclusive, &found)
    for fragment in collected[right].fragments { compareWithFragment(left, fragment, exclusive: exclusive, &found) }
    for fragment in collected[left].fragments { compareWithFragment(right, fragment, exclusive: exclusive, &found) }
    for first in collected[left].fragments where budget > 0 {
      for second in collected[right].fragments { compareFragments(first, second, exclusive: exclusive, &found) }
    }
    depth -= 1
    return found
  }
}
