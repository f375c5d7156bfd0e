import ApusGraphQLLanguage
import ApusGraphQLSchema

/// Detects whether any two fields of a document conflict, without comparing every pair. Fields with the same response
/// key are merged level by level, and each is compared with the first one of its level. Nearly all documents need no
/// further check.
///
/// 1. Merge the selection sets that can apply to the same object, including fragments, and group their fields by
///    response key.
/// 2. In each group, all types must be compatible. Fields that can apply to the same object must have equal names and
///    arguments.
/// 3. Merge the selection sets of each group in the same way. Combinations that have been merged before are skipped.
struct OverlapDetector {
  private enum Question { case meaning, shape }

  private typealias Entry = OverlapFields.Entry
  private typealias Selections = OverlapFields.Selections

  private let context: ValidationContext
  private let fields: OverlapFields
  /// The first conflict that was found, without its subfields.
  private(set) var conflict: OverlapConflict?
  /// Two spreads of the same fragment in the same place with different arguments.
  struct SpreadConflict: Hashable {
    let left: NodeID
    let right: NodeID
  }

  /// A spread of a fragment, with the scope of the fragment's selections.
  private struct Spread {
    let node: FragmentSpreadNode
    let scope: ArgumentValues.Scope
  }

  private(set) var spreadConflicts: Set<SpreadConflict> = []
  /// Combinations of selection sets that have been merged without a conflict.
  private var mergedForMeaning: Set<[Selections]> = []
  private var mergedForShape: Set<[Selections]> = []
  /// The remaining number of steps. Conflicts in a malicious document beyond this limit are not found.
  private var budget: Int
  private var depth = 0
  private static let maximumDepth = 1000

  /// Marks of the current merge: the group of each response key, and the visited fragments.
  private var merge: Int32 = 0
  private var mergeOfKey: [Int32]
  private var groupOfKey: [Int32]
  private var mergeOfFragment: [Int32]
  /// Whether the selections of each fragment, by its name, were merged with others, so that no separate check is
  /// needed.
  private var isMerged: [Bool]
  /// Whether selections were too deep to be merged.
  private var isCut = false
  /// Spreads of each fragment in the current merge: the first of each scope.
  private var spreadsOfFragment: [[Spread]]

  init(_ context: ValidationContext) {
    self.context = context
    fields = OverlapFields(context)
    budget = 5_000_000 + context.document.nodes.count * 20
    mergeOfKey = [Int32](repeating: 0, count: context.names.count)
    groupOfKey = mergeOfKey
    mergeOfFragment = mergeOfKey
    isMerged = Array(repeating: false, count: context.names.count)
    spreadsOfFragment = context.fragmentVariables.isEmpty ? [] : Array(repeating: [], count: context.names.count)
  }

  /// Whether the selections of operations and fragments, with everything in them, have no conflicts. Fragments that no
  /// other definition spreads come before those that are then part of them.
  mutating func areFree(_ definitions: [DefinitionNode]) -> Bool {
    let inner = Set(context.spreads.compactMap { context.fragment(of: $0)?.id })
    func isInner(_ definition: DefinitionNode) -> Bool {
      if case .fragment(let fragment) = definition { inner.contains(fragment.id) } else { false }
    }
    let ordered = definitions.filter { !isInner($0) } + definitions.filter(isInner)
    return ordered.map { isFree($0) }.allSatisfy { $0 }
  }

  private mutating func isFree(_ definition: DefinitionNode) -> Bool {
    if case .fragment(let fragment) = definition, !isCut, spreadsOfFragment.isEmpty {
      let name = context.nameID(of: fragment.name)
      // A fragment that another one with its name hides was not merged.
      if name != ValidationContext.none, isMerged[Int(name)], context.fragment(named: name)?.id == fragment.id {
        return true
      }
    }
    return check([withoutSpread(fields.selections(of: definition))], .meaning)
  }

  /// Returns the selections of a fragment instead of those that only spread it.
  private mutating func withoutSpread(_ selections: Selections) -> Selections {
    let children = Array(fields.nodes.children(of: selections.set).prefix(2))
    guard spreadsOfFragment.isEmpty, children.count == 1, fields.nodes.kind(children[0]) == .fragmentSpread else {
      return selections
    }
    let spread = FragmentSpreadNode(context.document, children[0])
    guard let fragment = context.fragment(of: spread) else { return selections }
    isMerged[Int(context.nameID(of: spread))] = true
    return Selections(set: context.selectionSetOf[Int(fragment.id)], scope: ArgumentValues.operationScope)
  }

  private mutating func check(_ sets: [Selections], _ question: Question) -> Bool {
    budget -= sets.count
    if depth >= Self.maximumDepth { isCut = true }
    guard !sets.isEmpty, budget > 0, depth < Self.maximumDepth, remember(sets, question) else { return true }
    depth += 1
    defer { depth -= 1 }
    for group in groups(sets, question) {
      guard check(group, question) else { return false }
    }
    return true
  }

  private mutating func remember(_ sets: [Selections], _ question: Question) -> Bool {
    question == .meaning ? mergedForMeaning.insert(sets).inserted : mergedForShape.insert(sets).inserted
  }

  private mutating func check(_ group: [Entry], _ question: Question) -> Bool {
    let first = group[0]
    guard group.count > 1 else { return check(selections(of: group), question) }
    if group.allSatisfy({ $0.isSame(as: first) }) { return true }
    guard fitsInShape(group) else { return false }
    guard question == .meaning else { return check(selections(of: group), .shape) }
    let classes = Classes(group, fields)
    guard classes.count > 1 else { return sharesMeaning(group) && check(selections(of: group), .meaning) }
    for index in 0..<classes.count {
      let members = classes[index]
      budget -= members.count
      guard budget > 0 else { return true }
      guard sharesMeaning(members), check(selections(of: members), .meaning) else { return false }
    }
    return check(selections(of: group), .shape)
  }

  // MARK: Merging

  /// Merges selection sets and returns their fields grouped by response key.
  private mutating func groups(_ sets: [Selections], _ question: Question) -> [[Entry]] {
    merge += 1
    var groups: [[Entry]] = []
    var pending = sets
    while let selections = pending.popLast() {
      let parent = context.typeIndex[Int(selections.set)]
      for selection in fields.nodes.children(of: selections.set) {
        budget -= 1
        switch fields.nodes.kind(selection) {
        case .field:
          let key = context.nameID(at: selection + 1)
          guard key != ValidationContext.none else { continue }
          let entry = fields.entry(selection, parent, selections.scope)
          if mergeOfKey[Int(key)] == merge {
            groups[Int(groupOfKey[Int(key)])].append(entry)
          } else {
            mergeOfKey[Int(key)] = merge
            groupOfKey[Int(key)] = Int32(groups.count)
            groups.append([entry])
          }
        case .fragmentSpread:
          let spread = FragmentSpreadNode(context.document, selection)
          if let inner = merged(spread, in: selections.scope, question) { pending.append(inner) }
        default:
          pending.append(Selections(set: context.selectionSetOf[Int(selection)], scope: selections.scope))
        }
      }
    }
    return groups
  }

  /// Returns the selections that a spread adds to the current merge; nil where they are part of it.
  private mutating func merged(
    _ spread: FragmentSpreadNode, in scope: ArgumentValues.Scope, _ question: Question
  ) -> Selections? {
    let name = Int(context.nameID(of: spread))
    guard let set = context.fragment(of: spread).map({ context.selectionSetOf[Int($0.id)] }) else { return nil }
    switch question {
    case .meaning: isMerged[name] = true
    case .shape: break
    }
    let isFirst = mergeOfFragment[name] != merge
    mergeOfFragment[name] = merge
    guard !spreadsOfFragment.isEmpty else {
      return isFirst ? Selections(set: set, scope: ArgumentValues.operationScope) : nil
    }
    if isFirst { spreadsOfFragment[name] = [] }
    let scopeCount = fields.values.scopeCount
    let spread = Spread(node: spread, scope: fields.values.scope(of: spread, in: scope))
    budget -= (fields.values.scopeCount - scopeCount) * ArgumentValues.scopeCost
    budget -= spreadsOfFragment[name].count
    // A fragment that spreads itself with other values adds selections without end.
    guard budget > 0, isNew(spread, beside: spreadsOfFragment[name]) else { return nil }
    spreadsOfFragment[name].append(spread)
    return Selections(set: set, scope: spread.scope)
  }

  /// Whether a spread passes other values than the spreads of its fragment before it. Values in parentheses must be the
  /// same in one place; those of Relay's directive need not be.
  private mutating func isNew(_ spread: Spread, beside others: [Spread]) -> Bool {
    if others.contains(where: { $0.scope == spread.scope }) { return false }
    for other in others where !other.node.arguments.isEmpty || !spread.node.arguments.isEmpty {
      spreadConflicts.insert(
        SpreadConflict(left: min(other.node.id, spread.node.id), right: max(other.node.id, spread.node.id)))
      return false
    }
    return true
  }

  /// Returns the selection sets in ascending order, so that equal combinations are equal keys.
  private func selections(of group: [Entry]) -> [Selections] {
    let sets = group.compactMap(fields.selections)
    return sets.count > 1 ? sets.sorted() : sets
  }

  /// The fields of a group by the object that they can apply to: those on `Owl`, together with those on interfaces and
  /// unions. A class is created when it is needed, since all of them can have quadratic size.
  private struct Classes {
    private var ofParent: [[Entry]] = []
    private var abstract: [Entry] = []

    init(_ group: [Entry], _ fields: OverlapFields) {
      var indexOfParent: [Int32: Int] = [:]
      for entry in group {
        guard fields.isObject(entry.parent) else {
          abstract.append(entry)
          continue
        }
        let index = indexOfParent[entry.parent] ?? ofParent.count
        if index == ofParent.count {
          indexOfParent[entry.parent] = index
          ofParent.append([])
        }
        ofParent[index].append(entry)
      }
    }

    var count: Int { ofParent.count }

    subscript(index: Int) -> [Entry] { abstract + ofParent[index] }
  }

  // MARK: Comparing

  /// Compatibility is an equivalence relation on known types, so comparing with the first known type is sufficient.
  private mutating func fitsInShape(_ group: [Entry]) -> Bool {
    let first = group.first { $0.definition >= 0 } ?? group[0]
    for entry in group where entry.field != first.field {
      if let reason = fields.differenceInShape(first, entry) { return found(reason, first, entry) }
    }
    return true
  }

  private mutating func sharesMeaning(_ members: [Entry]) -> Bool {
    for entry in members.dropFirst() {
      if let reason = fields.differenceInMeaning(members[0], entry) {
        return found(reason, members[0], entry)
      }
    }
    return true
  }

  private mutating func found(_ reason: OverlapConflict.Reason, _ left: Entry, _ right: Entry) -> Bool {
    let (left, right) = (fields.node(of: left), fields.node(of: right))
    conflict = OverlapConflict(field: left, cause: reason, left: [left], right: [right])
    return false
  }
}
