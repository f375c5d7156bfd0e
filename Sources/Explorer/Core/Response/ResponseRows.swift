import ApusJSON

/// Builds the rows for the unfolded values of a response.
///
/// The cost depends on the visible rows, not on the size of the response: a folded value is a single row with its
/// count, a long list is split into ranges that fold separately, and by default only small values are unfolded.
struct ResponseRows {
  /// The maximum length of a list that is not split into ranges.
  static let stretch = 100
  /// The maximum size in bytes of a value that is unfolded completely.
  static let smallBytes = 100_000
  /// The maximum size in bytes of an item of a larger list that is unfolded completely.
  static let smallItemBytes = 2_000

  let folds: FoldTree
  let marks: AnnotationTree
  /// Whether the marks are differences from another response instead of changes by the newest payload.
  let isComparing: Bool
  private(set) var rows: [ResponseRow] = []

  init(folds: FoldTree, marks: AnnotationTree, isComparing: Bool = false) {
    self.folds = folds
    self.marks = marks
    self.isComparing = isComparing
  }

  /// The novelty of a row: decided for all descendants of a value, or by comparison with an earlier value.
  enum Freshness {
    case old, new
    case compared(with: JSONValue)
  }

  struct ValueContext {
    var label: ResponseRow.Label
    var depth: Int
    var folds: FoldTree?
    var marks: AnnotationTree?
    var hidden: HiddenFields?
    var freshness: Freshness
    /// Whether the value is part of a small value, which is unfolded completely.
    var isInSmall: Bool
    /// Whether no large list contains the value. Such a value is unfolded even if it is large.
    var isOnSpine: Bool
    /// Whether the value is an item of a large list. It is unfolded only if it has few rows, so that it does not
    /// hide the rest.
    var isLargeListItem = false
    /// The alignment of a list with its other version.
    var match: ListAlignment?
    /// Whether the item has another position in the compared list.
    var isMoved = false
  }

  /// Adds the members of the data at the left edge, without a row for the data itself.
  mutating func addRoot(_ value: JSONValue, hidden: HiddenFields?) {
    var context = ValueContext(
      label: .root, depth: -1, folds: folds, marks: marks, hidden: hidden, freshness: .old, isInSmall: false,
      isOnSpine: true)
    guard value.kind == .object else {
      context.depth = 0
      return add(value, context)
    }
    if let previous = marks.previous { context.freshness = previous.map { .compared(with: $0) } ?? .new }
    if value.byteSize(isAtMost: ResponseRows.smallBytes) { context.isInSmall = true }
    for (key, member) in value.members where hidden?.names.contains(key) != true {
      add(member, child(of: context, .key(key), value: member))
    }
    addRemovedMembers(of: value, context)
    addMarks(context, isMissing: { value[$0] == nil })
  }

  mutating func add(_ value: JSONValue, _ given: ValueContext) {
    var context = given
    var isFresh = false
    var (difference, before): (ValueChange.Kind?, JSONValue?)
    if let previous = context.marks?.previous {
      context.freshness = previous.map { .compared(with: $0) } ?? .new
    }
    switch context.freshness {
    case .old: break
    case .new:
      isFresh = true
      difference = .added
    case .compared(let previous):
      let isContainer = value.kind == .object || value.kind == .array
      if previous.kind != value.kind || (!isContainer && previous != value) {
        isFresh = true
        (difference, before) = (.changed, previous)
        context.freshness = .new
      } else if !isContainer {
        context.freshness = .old
      }
    }
    let header = rows.count
    switch value.kind {
    case .object: addObject(value, context, isFresh)
    case .array: addList(value, context, isFresh)
    case .string, .number, .bool, .null:
      // A null in place of an evicted item is shown as missing, in contrast to a null from the server.
      let isMissing = value.isNull && context.marks?.isMissing == true
      rows.append(
        ResponseRow(
          depth: context.depth, label: context.label, content: isMissing ? .missing : .leaf(value), isFresh: isFresh,
          fragments: headerFragments(context, isOpen: false)))
      for error in context.marks?.allErrors ?? [] { addProblem(error, context.depth + 1) }
    }
    if isComparing {
      rows[header].difference = difference ?? (context.isMoved ? .moved : nil)
      rows[header].before = before
    }
  }

  // MARK: Compared response

  /// Adds the members that only the other response has, after the existing ones.
  private mutating func addRemovedMembers(of value: JSONValue, _ context: ValueContext) {
    guard isComparing, case .compared(let previous) = context.freshness, previous.kind == .object else { return }
    for (key, member) in previous.members where value[key] == nil && context.hidden?.names.contains(key) != true {
      addRemoved(member, .key(key), context)
    }
  }

  private mutating func addRemovedItems(of value: JSONValue, _ context: ValueContext) {
    guard isComparing, case .compared(let previous) = context.freshness, previous.kind == .array else { return }
    if let match = context.match {
      for index in match.removed.prefix(ValueDifference.limit) {
        if let item = previous[index] { addRemoved(item, .removedItem(index), context) }
      }
      return
    }
    guard previous.count > value.count else { return }
    for (index, item) in previous.elements.enumerated().dropFirst(value.count).prefix(ValueDifference.limit) {
      addRemoved(item, .removedItem(index), context)
    }
  }

  /// Returns the number of visible members of an object that only the other response has, without fields added
  /// for the cache.
  private func shownCount(of value: JSONValue, _ label: ResponseRow.Label, _ context: ValueContext) -> Int {
    var hidden = context.hidden
    if case .key(let key) = label { hidden = hidden?.children[key] }
    return value.count - (hidden?.names.filter { value[$0] != nil }.count ?? 0)
  }

  /// Adds a single row for a removed value, without rows for its content.
  private mutating func addRemoved(_ value: JSONValue, _ label: ResponseRow.Label, _ context: ValueContext) {
    let content: ResponseRow.Content =
      switch value.kind {
      case .object:
        .container(isList: false, count: shownCount(of: value, label, context), typename: value["__typename"]?.string)
      case .array: .container(isList: true, count: value.count, typename: nil)
      case .string, .number, .bool, .null: .leaf(value)
      }
    rows.append(
      ResponseRow(depth: context.depth + 1, label: label, content: content, isFresh: true, difference: .removed))
  }

  private func headerFragments(_ context: ValueContext, isOpen: Bool) -> [Int] {
    guard let marks = context.marks else { return [] }
    return isOpen ? marks.settled : marks.settled + marks.pending
  }

  private mutating func addProblem(_ error: Int, _ depth: Int) {
    rows.append(ResponseRow(depth: depth, label: .none, content: .problem(error: error)))
  }

  private func isOpen(_ value: JSONValue, _ context: inout ValueContext) -> Bool {
    let limit = context.isLargeListItem ? ResponseRows.smallItemBytes : ResponseRows.smallBytes
    if !context.isInSmall && value.byteSize(isAtMost: limit) { context.isInSmall = true }
    context.isLargeListItem = false
    if let chosen = context.folds?.isOpen { return chosen }
    return context.isInSmall || context.isOnSpine
  }

  private mutating func addObject(_ value: JSONValue, _ given: ValueContext, _ isFresh: Bool) {
    var context = given
    let isOpen = isOpen(value, &context)
    let typename = value["__typename"]?.string
    let hidden = context.hidden?.names ?? []
    let header = rows.count
    rows.append(
      ResponseRow(
        depth: context.depth, label: context.label,
        content: .container(isList: false, count: value.count, typename: typename), isOpen: isOpen, isFresh: isFresh,
        fragments: headerFragments(context, isOpen: isOpen)))
    var shown = 0
    if isOpen {
      for (key, member) in value.members where !hidden.contains(key) {
        shown += 1
        add(member, child(of: context, .key(key), value: member))
      }
      addRemovedMembers(of: value, context)
      addMarks(context, isMissing: { value[$0] == nil })
    } else if !hidden.isEmpty {
      shown = value.count - hidden.filter { value[$0] != nil }.count
    } else {
      shown = value.count
    }
    rows[header].content = .container(isList: false, count: shown, typename: typename)
  }

  private mutating func addList(_ value: JSONValue, _ given: ValueContext, _ isFresh: Bool) {
    var context = given
    let isOpen = isOpen(value, &context)
    let count = value.count
    rows.append(
      ResponseRow(
        depth: context.depth, label: context.label, content: .container(isList: true, count: count, typename: nil),
        isOpen: isOpen, isFresh: isFresh, fragments: headerFragments(context, isOpen: isOpen)))
    guard isOpen else { return }
    if !context.isInSmall {
      context.isOnSpine = false
      context.isLargeListItem = true
    }
    if isComparing, case .compared(let previous) = context.freshness { context.match = ListAlignment(previous, value) }
    if count <= ResponseRows.stretch {
      addItems(of: value, 0..<count, context)
    } else {
      addStretches(of: value, 0..<count, context)
    }
    addRemovedItems(of: value, context)
    addMarks(context, isMissing: { _ in false })
  }

  /// Adds rows for at most 100 ranges per level, each of at least 100 items. Longer lists have several levels: a list
  /// of 20,000 items has two ranges of 10,000, each with 100 ranges of 100.
  private mutating func addStretches(of value: JSONValue, _ range: Range<Int>, _ context: ValueContext) {
    var size = ResponseRows.stretch
    while range.count > size * ResponseRows.stretch { size *= ResponseRows.stretch }
    for lower in stride(from: range.lowerBound, to: range.upperBound, by: size) {
      let stretch = lower..<min(lower + size, range.upperBound)
      let chosen = context.folds?.children[.range(stretch)]?.isOpen
      let isOpen = chosen ?? (lower == 0)
      rows.append(
        ResponseRow(
          depth: context.depth + 1, label: .range(stretch),
          content: .container(isList: true, count: stretch.count, typename: nil), isOpen: isOpen,
          isFresh: isNew(stretch, context)))
      guard isOpen else { continue }
      var inner = context
      inner.depth += 1
      if stretch.count <= ResponseRows.stretch {
        addItems(of: value, stretch, inner)
      } else {
        addStretches(of: value, stretch, inner)
      }
    }
  }

  /// Returns the ranges that contain an item of a long list, from the outermost to the innermost.
  static func stretches(around index: Int, in count: Int) -> [Range<Int>] {
    var result: [Range<Int>] = []
    var range = 0..<count
    while range.count > stretch {
      var size = stretch
      while range.count > size * stretch { size *= stretch }
      let lower = range.lowerBound + (index - range.lowerBound) / size * size
      range = lower..<min(lower + size, range.upperBound)
      result.append(range)
    }
    return result
  }

  /// Adds the errors of a result without data.
  mutating func addMarksWithoutData() {
    for error in marks.allErrors { addProblem(error, 0) }
  }

  private func isNew(_ stretch: Range<Int>, _ context: ValueContext) -> Bool {
    switch context.freshness {
    case .old: return context.marks?.children.keys.contains { $0.isIndex(in: stretch) } ?? false
    case .new: return true
    case .compared(let previous):
      return context.match.map { match in stretch.allSatisfy { match.before[$0] == nil } }
        ?? (previous.count <= stretch.lowerBound)
    }
  }

  private mutating func addItems(of value: JSONValue, _ range: Range<Int>, _ context: ValueContext) {
    var index = range.lowerBound
    for item in value.elements.dropFirst(range.lowerBound).prefix(range.count) {
      add(item, child(of: context, .index(index), value: item))
      index += 1
    }
  }

  private func child(of context: ValueContext, _ step: PathComponent, value: JSONValue) -> ValueContext {
    var child = context
    child.depth += 1
    child.match = nil
    child.isMoved = false
    switch step {
    case .key(let key):
      child.label = .key(key)
      child.folds = context.folds?.children[.key(key)]
      child.hidden = context.hidden?.children[key]
    case .index(let index):
      child.label = .index(index)
      child.folds = context.folds?.children[.index(index)]
    }
    child.marks = context.marks?.children[step]
    if case .compared(let previous) = context.freshness {
      let before: JSONValue? =
        switch step {
        case .key(let key): previous[key]
        case .index(let index):
          if let match = context.match {
            match.before[index].flatMap { previous[$0] }
          } else {
            index < previous.count ? previous[index] : nil
          }
        }
      if case .index(let index) = step { child.isMoved = context.match?.moved.contains(index) ?? false }
      child.freshness = before.map { .compared(with: $0) } ?? .new
    }
    return child
  }

  /// Adds the rows after the members of an open object: missing members, pending items, and errors that
  /// belong to no member.
  private mutating func addMarks(_ context: ValueContext, isMissing: (String) -> Bool) {
    guard let marks = context.marks else { return }
    let absent = marks.children.compactMap { step, mark -> (key: String, mark: AnnotationTree)? in
      guard case .key(let key) = step, isMissing(key) else { return nil }
      return (key, mark)
    }
    for (key, mark) in absent.sorted(by: { $0.key < $1.key }) {
      if mark.isMissing {
        rows.append(ResponseRow(depth: context.depth + 1, label: .key(key), content: .missing))
      }
      for error in mark.allErrors { addProblem(error, context.depth + 1) }
    }
    for stream in marks.streams {
      rows.append(ResponseRow(depth: context.depth + 1, label: .none, content: .moreItems(stream: stream)))
    }
    for fragment in marks.pending {
      rows.append(ResponseRow(depth: context.depth + 1, label: .none, content: .placeholder(fragment: fragment)))
    }
    for error in marks.errors { addProblem(error, context.depth + 1) }
  }
}

extension PathComponent {
  fileprivate func isIndex(in range: Range<Int>) -> Bool {
    if case .index(let index) = self { return range.contains(index) }
    return false
  }
}

extension JSONValue {
  /// Whether the approximate size of the value is within a limit. Stops as soon as the limit is exceeded.
  package func byteSize(isAtMost limit: Int) -> Bool {
    var left = limit
    return fits(&left)
  }

  private func fits(_ left: inout Int) -> Bool {
    switch kind {
    case .object:
      for (key, value) in members {
        left -= key.utf8.count + 4
        if left < 0 || !value.fits(&left) { return false }
      }
    case .array:
      for item in elements {
        left -= 1
        if left < 0 || !item.fits(&left) { return false }
      }
    case .string, .number, .bool, .null:
      left -= 8
    }
    return left >= 0
  }
}
