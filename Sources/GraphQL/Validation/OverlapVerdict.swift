import ApusGraphQLLanguage
import ApusGraphQLSchema

/// Whether any two fields of a document conflict, without comparing each with each: fields that end under one response
/// key are merged level by level, and within a level each is compared with the first. Nearly all documents end here.
///
/// 1. The selection sets that one object may answer are merged, fragments included, and grouped by response key.
/// 2. In each group all types must fit together; of the fields that one object can be asked for, names and arguments.
/// 3. The selection sets of each group are merged in turn. Which sets were merged before is remembered.
struct OverlapVerdict {
  private enum Question { case meaning, shape }

  private typealias Entry = OverlapFields.Entry

  private let context: ValidationContext
  private let fields: OverlapFields
  /// The first conflict that was met, as far as it was looked into.
  private(set) var conflict: OverlapConflict?
  /// Two spreads of one fragment in one place with different values for its variables.
  struct SpreadConflict: Hashable {
    let left: NodeID
    let right: NodeID
  }

  private(set) var spreadConflicts: Set<SpreadConflict> = []
  /// What was merged before without a conflict.
  private var mergedForMeaning: Set<[NodeID]> = []
  private var mergedForShape: Set<[NodeID]> = []
  /// What a hostile document hides behind these bounds is not found.
  private var budget: Int
  private var depth = 0
  private static let maximumDepth = 1000

  /// Marks of the current merge: by response key the group it has, by fragment that it was met.
  private var merge: Int32 = 0
  private var mergeOfKey: [Int32]
  private var groupOfKey: [Int32]
  private var mergeOfFragment: [Int32]
  /// The first spread of a fragment in the current merge.
  private var spreadOfFragment: [NodeID]

  init(_ context: ValidationContext) {
    self.context = context
    fields = OverlapFields(context)
    budget = 5_000_000 + context.nodes.count * 20
    mergeOfKey = [Int32](repeating: 0, count: context.names.count)
    groupOfKey = mergeOfKey
    mergeOfFragment = mergeOfKey
    spreadOfFragment = [NodeID](repeating: 0, count: context.names.count)
  }

  /// Whether the selection set, with all that is in it, is free of conflicts.
  mutating func isFree(_ set: NodeID) -> Bool { check([set], .meaning) }

  private mutating func check(_ sets: [NodeID], _ question: Question) -> Bool {
    budget -= sets.count
    guard !sets.isEmpty, budget > 0, depth < Self.maximumDepth, remember(sets, question) else { return true }
    depth += 1
    defer { depth -= 1 }
    for group in groups(sets) {
      guard check(group, question) else { return false }
    }
    return true
  }

  private mutating func remember(_ sets: [NodeID], _ question: Question) -> Bool {
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

  /// The fields of several selection sets, by response key.
  private mutating func groups(_ sets: [NodeID]) -> [[Entry]] {
    merge += 1
    var groups: [[Entry]] = []
    var pending = sets
    while let set = pending.popLast() {
      let parent = context.typeIndex[Int(set)]
      for selection in context.document.children(of: set) {
        budget -= 1
        switch context.kind(selection) {
        case .field:
          let key = context.nameOf[Int(selection) + 1]
          guard key != ValidationContext.none else { continue }
          if mergeOfKey[Int(key)] == merge {
            groups[Int(groupOfKey[Int(key)])].append(fields.entry(selection, parent))
          } else {
            mergeOfKey[Int(key)] = merge
            groupOfKey[Int(key)] = Int32(groups.count)
            groups.append([fields.entry(selection, parent)])
          }
        case .fragmentSpread:
          let name = context.nameOf[Int(selection) + 1]
          guard let fragment = context.fragment(of: selection) else { continue }
          guard mergeOfFragment[Int(name)] != merge else {
            compareSpreads(spreadOfFragment[Int(name)], selection)
            continue
          }
          mergeOfFragment[Int(name)] = merge
          spreadOfFragment[Int(name)] = selection
          if let inner = context.selectionSet(of: fragment) { pending.append(inner) }
        default:
          if let inner = context.selectionSet(of: selection) { pending.append(inner) }
        }
      }
    }
    return groups
  }

  private mutating func compareSpreads(_ one: NodeID, _ other: NodeID) {
    guard !context.fragmentVariables.isEmpty, !fields.areSameSpreads(one, other) else { return }
    spreadConflicts.insert(SpreadConflict(left: min(one, other), right: max(one, other)))
  }

  /// In ascending order, so that the same sets are the same key.
  private func selections(of group: [Entry]) -> [NodeID] {
    let sets = group.compactMap { context.selectionSet(of: $0.field) }
    return sets.count > 1 ? sets.sorted() : sets
  }

  /// The fields of a group that one object can be asked for together: those of each object type, with those of abstract
  /// types. Each class is made when it is looked at: all together can be as many as the square of the group.
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

  /// That two types fit is an equivalence among known types, so that comparing with the first known one is enough.
  private mutating func fitsInShape(_ group: [Entry]) -> Bool {
    let first = group.first { $0.definition >= 0 } ?? group[0]
    for entry in group where entry.field != first.field {
      if let reason = fields.differenceInShape(first, entry) { return found(reason, first, entry) }
    }
    return true
  }

  private mutating func sharesMeaning(_ members: [Entry]) -> Bool {
    for entry in members.dropFirst() {
      if let reason = fields.differenceInMeaning(members[0].field, entry.field) {
        return found(reason, members[0], entry)
      }
    }
    return true
  }

  private mutating func found(_ reason: OverlapConflict.Reason, _ left: Entry, _ right: Entry) -> Bool {
    conflict = OverlapConflict(field: left.field, cause: reason, left: [left.field], right: [right.field])
    return false
  }
}
