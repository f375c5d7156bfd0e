import ApusGraphQLLanguage
import ApusGraphQLSchema

/// Lists the conflicts of selection sets like the reference implementation: it compares fields in pairs, and each pair
/// of fragments once. It is used only for documents that have conflicts. Its work and depth are limited, so conflicts
/// in a malicious document may be missing.
struct OverlapSearch {
  private let context: ValidationContext
  private let fields: OverlapFields
  /// Collected fields of each selection set, computed on demand, and their indices.
  private var collected: [CollectedFields] = []
  private var indexOfSelections: [Selections: Int] = [:]
  /// Compared pairs of fragments, and whether the comparison assumed mutually exclusive parent types.
  private var comparedFragments: [FragmentPair: Bool] = [:]
  private var comparedWithFields: [FieldsFragmentPair: Bool] = [:]
  private var budget = 500_000
  private var depth = 0

  /// The maximum nesting of fragments and subfields.
  private static let maximumDepth = 1000

  /// A spread of a fragment, by the fragment's name and the scope of its selections.
  private struct Spread: Hashable, Comparable {
    let fragment: NameID
    let scope: ArgumentValues.Scope
    /// Whether the values are in parentheses, so that the verdict reports spreads of the fragment with other values.
    let isParenthesized: Bool

    static func < (left: Self, right: Self) -> Bool { (left.fragment, left.scope) < (right.fragment, right.scope) }
  }

  private struct FragmentPair: Hashable {
    let first: Spread
    let second: Spread
  }

  private struct FieldsFragmentPair: Hashable {
    let fields: Int
    let fragment: Spread
  }

  /// The fields of a selection set and its inline fragments by response key, and the names of its fragment spreads.
  private struct CollectedFields {
    var keys: [NameID] = []
    var fields: [[Entry]] = []
    var indexOfKey: [NameID: Int] = [:]
    var fragments: [Spread] = []
    var knownFragments: Set<Spread> = []
  }

  private typealias Entry = OverlapFields.Entry
  private typealias Selections = OverlapFields.Selections

  init(_ context: ValidationContext) {
    self.context = context
    fields = OverlapFields(context)
  }

  /// Returns the conflicts in a selection set of a definition.
  mutating func conflicts(in set: NodeID, of definition: DefinitionNode) -> [OverlapConflict] {
    var found: [OverlapConflict] = []
    let direct = collect(Selections(set: set, scope: fields.scope(of: definition)))
    for fields in collected[direct].fields where fields.count > 1 && budget > 0 {
      for first in fields.indices {
        for second in fields.indices[(first + 1)...] {
          if let conflict = compare(fields[first], fields[second], exclusive: false) { found.append(conflict) }
        }
      }
    }
    let fragments = collected[direct].fragments
    for (index, fragment) in fragments.enumerated() where budget > 0 {
      compareWithFragment(direct, fragment, exclusive: false, &found)
      for other in fragments[(index + 1)...] { compareFragments(fragment, other, exclusive: false, &found) }
    }
    return found
  }

  // MARK: Collecting

  private mutating func collect(_ selections: Selections) -> Int {
    if let index = indexOfSelections[selections] { return index }
    if selections.scope != ArgumentValues.operationScope { budget -= ArgumentValues.scopeCost }
    var fields = CollectedFields()
    collect(selections, into: &fields)
    collected.append(fields)
    indexOfSelections[selections] = collected.count - 1
    return collected.count - 1
  }

  private func collect(_ selections: Selections, into fields: inout CollectedFields) {
    let parent = context.typeIndex[Int(selections.set)]
    let nodes = self.fields.nodes
    for selection in nodes.children(of: selections.set) {
      switch nodes.kind(selection) {
      case .field:
        let key = context.nameID(at: selection + 1)
        guard key != ValidationContext.none else { continue }
        let entry = self.fields.entry(selection, parent, selections.scope)
        if let index = fields.indexOfKey[key] {
          fields.fields[index].append(entry)
        } else {
          fields.indexOfKey[key] = fields.keys.count
          fields.keys.append(key)
          fields.fields.append([entry])
        }
      case .fragmentSpread:
        let node = FragmentSpreadNode(context.document, selection)
        guard context.fragment(of: node) != nil else { continue }
        let spread = spread(node, in: selections.scope)
        if fields.knownFragments.insert(spread).inserted { fields.fragments.append(spread) }
      default:
        collect(Selections(set: context.selectionSetOf[Int(selection)], scope: selections.scope), into: &fields)
      }
    }
  }

  private func spread(_ node: FragmentSpreadNode, in scope: ArgumentValues.Scope) -> Spread {
    Spread(
      fragment: context.nameID(of: node.name), scope: fields.values.scope(of: node, in: scope),
      isParenthesized: !node.arguments.isEmpty)
  }

  private mutating func collectedFragment(_ spread: Spread) -> Int? {
    context.fragment(named: spread.fragment).map {
      collect(Selections(set: context.selectionSetOf[Int($0.id)], scope: spread.scope))
    }
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
    _ fields: Int, _ spread: Spread, exclusive: Bool, _ found: inout [OverlapConflict]
  ) {
    guard budget > 0 else { return }
    budget -= 1
    let pair = FieldsFragmentPair(fields: fields, fragment: spread)
    if let wasExclusive = comparedWithFields[pair], exclusive || !wasExclusive { return }
    comparedWithFields[pair] = exclusive
    guard let fragment = collectedFragment(spread), fragment != fields, descend() else { return }
    compareAll(fields, fragment, exclusive: exclusive, &found)
    for inner in collected[fragment].fragments { compareWithFragment(fields, inner, exclusive: exclusive, &found) }
    depth -= 1
  }

  private mutating func compareFragments(
    _ left: Spread, _ right: Spread, exclusive: Bool, _ found: inout [OverlapConflict]
  ) {
    guard left != right, budget > 0 else { return }
    // The verdict reports spreads of one fragment whose values in parentheses differ.
    if left.fragment == right.fragment, left.isParenthesized || right.isParenthesized { return }
    budget -= 1
    let pair = FragmentPair(first: min(left, right), second: max(left, right))
    if let wasExclusive = comparedFragments[pair], exclusive || !wasExclusive { return }
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
    func conflict(_ cause: OverlapConflict.Reason) -> OverlapConflict {
      let (left, right) = (fields.node(of: first), fields.node(of: second))
      return OverlapConflict(field: left, cause: cause, left: [left], right: [right])
    }

    budget -= (fields.size(of: first) + fields.size(of: second)) / 64
    let areExclusive = exclusive || fields.areExclusive(first, second)
    if !areExclusive, let reason = fields.differenceInMeaning(first, second) { return conflict(reason) }
    if let reason = fields.differenceInShape(first, second) { return conflict(reason) }
    guard let one = fields.selections(of: first), let other = fields.selections(of: second) else { return nil }
    let inner = compareSubselections(one, other, exclusive: areExclusive)
    if inner.isEmpty { return nil }
    let (left, right) = (fields.node(of: first), fields.node(of: second))
    return OverlapConflict(
      field: left, cause: .subfields(inner), left: [left] + inner.flatMap(\.left),
      right: [right] + inner.flatMap(\.right))
  }

  private mutating func compareSubselections(
    _ one: Selections, _ other: Selections, exclusive: Bool
  ) -> [OverlapConflict] {
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
