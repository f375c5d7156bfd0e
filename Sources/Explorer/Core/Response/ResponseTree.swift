import ApusClientAPI
import ApusJSON

/// The response as a foldable tree: the newest result, the folds that the user changed, and the visible rows.
package struct ResponseTree: Equatable, Sendable {
  package private(set) var data: JSONValue?
  package private(set) var rows: [ResponseRow] = []
  /// The errors, fragments and streams of the result, to which rows refer by index.
  package private(set) var errors: [GraphQLError] = []
  package private(set) var extensions: JSONValue?
  package private(set) var fragments: [DeferredFragment] = []
  package private(set) var streams: [StreamedList] = []
  /// The operation that the folds belong to.
  private var title: String?
  package var list = ListCursor()
  /// The first visible column.
  package internal(set) var firstColumn = 0
  private(set) var folds = FoldTree()
  private var marks = AnnotationTree()
  private var changes: [Change] = []
  private(set) var hidden: HiddenFields?
  private var missing: [ResponsePath] = []
  package private(set) var isComparing = false

  /// A path that the newest payload changed, and its previous value.
  private struct Change: Equatable, Sendable {
    var path: ResponsePath
    var previous: JSONValue?
  }

  package init() {}

  package var selectedRow: ResponseRow? { rows.indices.contains(list.selected) ? rows[list.selected] : nil }

  /// The content that the tree shows for a result.
  package struct Content: Equatable, Sendable {
    package var data: JSONValue?
    package var errors: [GraphQLError]
    package var extensions: JSONValue?
    package var fragments: [DeferredFragment]
    package var streams: [StreamedList]
    /// The paths that the newest payload changed; `nil` keeps the current highlights.
    package var changedPaths: [ResponsePath]?
    package var missing: [ResponsePath]

    package init(
      data: JSONValue?, errors: [GraphQLError] = [], extensions: JSONValue? = nil, fragments: [DeferredFragment] = [],
      streams: [StreamedList] = [], changedPaths: [ResponsePath]? = [], missing: [ResponsePath] = []
    ) {
      self.extensions = extensions
      self.streams = streams
      self.data = data
      self.errors = errors
      self.fragments = fragments
      self.changedPaths = changedPaths
      self.missing = missing
    }
  }

  /// Starts a run when its first payload arrives. The folds are kept if the same operation ran before, so that the user
  /// does not lose their position.
  package mutating func begin(_ operation: OperationInfo?) {
    if title == nil || title != operation?.title { self = ResponseTree() }
    title = operation?.title
    hidden = operation?.hidden
  }

  package mutating func show(_ content: Content) {
    let selected = list.selected == 0 ? nil : path(ofRow: list.selected)
    let before = data
    var marks = AnnotationTree()
    for (index, fragment) in content.fragments.enumerated() {
      marks.with(fragment.path.components[...]) { node in
        switch fragment.state {
        case .pending: node.pending.append(index)
        case .fulfilled, .failed, .notExecuted: node.settled.append(index)
        }
      }
    }
    for (index, stream) in content.streams.enumerated() where stream.state != .fulfilled {
      marks.with(stream.path.components[...]) { $0.streams.append(index) }
    }
    for (index, error) in content.errors.enumerated() {
      marks.with((error.path?.components ?? [])[...]) { $0.errors.append(index) }
    }
    for path in content.missing { marks.with(path.components[...]) { $0.isMissing = true } }
    if let paths = content.changedPaths { changes = paths.map { Change(path: $0, previous: before?.value(at: $0)) } }
    for change in changes { marks.with(change.path.components[...]) { $0.previous = .some(change.previous) } }
    isComparing = false
    data = content.data
    errors = content.errors
    extensions = content.extensions
    missing = content.missing
    fragments = content.fragments
    streams = content.streams
    self.marks = marks
    rebuild()
    if let selected { select(nearest: selected) }
  }

  /// Marks the differences from another response of the operation; `nil` removes the marks.
  package mutating func compare(with other: JSONValue?) {
    marks.removePrevious()
    isComparing = other != nil
    changes = other.map { [Change(path: [], previous: $0)] } ?? []
    if let other { marks.previous = .some(other) }
    rebuild()
  }

  /// Copies the folds of another response's tree and marks the differences from its data.
  mutating func mirror(_ other: ResponseTree, _ data: JSONValue) {
    folds = other.folds
    hidden = hidden ?? other.hidden
    compare(with: data)
  }

  var shownContent: Content {
    Content(
      data: data, errors: errors, extensions: extensions, fragments: fragments, streams: streams, missing: missing)
  }

  /// Shows only the data and the errors, without fragments, missing values and highlights.
  mutating func forgetMarks() {
    firstColumn = 0
    show(Content(data: data, errors: errors, extensions: extensions))
  }

  private mutating func rebuild() {
    var builder = ResponseRows(folds: folds, marks: marks, isComparing: isComparing)
    if let data { builder.addRoot(data, hidden: hidden) } else { builder.addMarksWithoutData() }
    rows = builder.rows
    list.selected = min(list.selected, max(0, rows.count - 1))
  }

  // MARK: Paths

  private func steps(ofRow index: Int) -> [FoldStep] {
    guard rows.indices.contains(index) else { return [] }
    var steps: [FoldStep] = []
    var depth = rows[index].depth + 1
    for position in stride(from: index, through: 0, by: -1) where rows[position].depth < depth {
      depth = rows[position].depth
      switch rows[position].label {
      case .key(let key): steps.append(.key(key))
      case .index(let item), .removedItem(let item): steps.append(.index(item))
      case .range(let range):
        // A range is not part of a path and counts only for its own row.
        if position == index { steps.append(.range(range)) }
      case .root, .none: break
      }
    }
    return steps.reversed()
  }

  /// Returns the path of the value in a row. A placeholder has the path of the object that contains it.
  package func path(ofRow index: Int) -> ResponsePath {
    ResponsePath(
      steps(ofRow: index).compactMap { step -> PathComponent? in
        switch step {
        case .key(let key): .key(key)
        case .index(let item): .index(item)
        case .range: nil
        }
      })
  }

  package func value(ofRow index: Int) -> JSONValue? {
    guard rows.indices.contains(index) else { return nil }
    if case .leaf(let value) = rows[index].content { return value }
    // A removed value does not exist in this response.
    if rows[index].difference == .removed { return nil }
    return data?.value(at: path(ofRow: index))
  }

  /// Returns the row of a path, or of its longest prefix that is unfolded.
  package func row(nearest path: ResponsePath) -> Int {
    var row = 0
    var depth = -1
    var rest = path.components[...]
    var index = 0
    while let step = rest.first, index < rows.count, rows[index].depth > depth {
      if rows[index].depth == depth + 1 {
        if rows[index].label.isOf(step) {
          (row, depth, rest) = (index, depth + 1, rest.dropFirst())
        } else if case .range(let range) = rows[index].label, case .index(let item) = step, range.contains(item) {
          (row, depth) = (index, depth + 1)
        }
      }
      index += 1
    }
    return row
  }

  package mutating func select(nearest path: ResponsePath) {
    list.selected = row(nearest: path)
  }

  /// Unfolds the values along a path and selects its row.
  package mutating func reveal(_ path: ResponsePath) {
    var steps: [FoldStep] = []
    var value = data
    for component in path.components {
      folds.set(true, at: steps[...])
      switch component {
      case .key(let key):
        steps.append(.key(key))
        value = value?[key]
      case .index(let index):
        if let count = value?.count, count > ResponseRows.stretch, index < count {
          for range in ResponseRows.stretches(around: index, in: count) {
            folds.set(true, at: (steps + [.range(range)])[...])
          }
        }
        steps.append(.index(index))
        value = value?[index]
      }
    }
    folds.set(true, at: steps[...])
    rebuild()
    goTo(path)
  }

  /// Selects the row of a difference; a removed list item has its own row.
  mutating func reveal(_ change: ValueChange) {
    guard change.kind == .removed, case .index(let item)? = change.path.components.last else {
      return reveal(change.path)
    }
    reveal(ResponsePath(change.path.components.dropLast()))
    let list = self.list.selected
    let isWithin = { (row: ResponseRow) in row.depth > self.rows[list].depth }
    let row = rows[(list + 1)...].prefix(while: isWithin).firstIndex { $0.label == .removedItem(item) }
    guard let row else { return reveal(change.path) }
    self.list.selected = row
    self.list.scroll = max(0, row - 2)
  }

  /// Selects the row of an error, if there is one.
  mutating func select(_ error: GraphQLError) {
    guard let index = errors.firstIndex(of: error),
      let row = rows.firstIndex(where: { $0.content == .problem(error: index) })
    else { return }
    list.selected = row
  }

  /// Selects a path and scrolls so that the rows below it are visible too.
  private mutating func goTo(_ path: ResponsePath) {
    select(nearest: path)
    list.scroll = max(0, list.selected - 2)
  }

  /// Scrolls to the first changed path unless a changed row is visible already.
  package mutating func follow(_ paths: [ResponsePath], height: Int) {
    let isInView = rows.dropFirst(list.scroll).prefix(height).contains(where: \.isFresh)
    guard !isInView, let path = paths.first, !path.components.isEmpty else { return }
    goTo(path)
  }

  // MARK: Parents

  /// Returns the parents of the first visible row that stay at the top. They cover at most `height / 4` rows, and
  /// never more than 4.
  package func parents(above first: Int, height: Int) -> [Int] {
    let limit = min(4, height / 4)
    var parents: [Int] = []
    // The parents cover the first rows, so the parents of the first row that is not covered count.
    for covered in 0...max(0, limit) where rows.indices.contains(first + covered) {
      parents = self.parents(of: first + covered)
      if parents.count <= covered { return parents }
    }
    return Array(parents.suffix(limit))
  }

  private func parents(of row: Int) -> [Int] {
    var parents: [Int] = []
    var depth = rows[row].depth
    for index in stride(from: row - 1, through: 0, by: -1) where depth > 0 && rows[index].depth < depth {
      parents.append(index)
      depth = rows[index].depth
    }
    return parents.reversed()
  }

  /// Scrolls so that the parents at the top do not cover the selected row.
  package func uncover(_ list: inout ListCursor, height: Int) {
    for _ in 0..<4 where list.selected < list.scroll + parents(above: list.scroll, height: height).count {
      list.scroll = max(0, list.selected - parents(above: list.scroll, height: height).count)
    }
  }

  // MARK: Folding

  /// Restores folds that the user changed.
  mutating func restore(folds: FoldTree) {
    self.folds = folds
    rebuild()
  }

  package mutating func setFold(_ index: Int, isOpen: Bool) {
    guard rows.indices.contains(index), rows[index].isFoldable, rows[index].isOpen != isOpen else { return }
    folds.set(isOpen, at: steps(ofRow: index)[...])
    rebuild()
    list.selected = min(index, rows.count - 1)
  }

  package mutating func toggleFold(_ index: Int) {
    guard rows.indices.contains(index) else { return }
    setFold(index, isOpen: !rows[index].isOpen)
  }

  /// Folds or unfolds a value with all its descendants, up to a limit of rows.
  package mutating func setFoldsBelow(_ index: Int, isOpen: Bool, limit: Int = 20_000) {
    guard rows.indices.contains(index), rows[index].isFoldable else { return }
    let steps = steps(ofRow: index)
    var budget = limit
    if isOpen, let value = value(ofRow: index) {
      open(value, at: steps, budget: &budget)
    } else {
      folds.removeChildren(at: steps[...])
      folds.set(false, at: steps[...])
      if let value = value(ofRow: index) { close(value, at: steps, budget: &budget) }
    }
    rebuild()
    list.selected = min(index, rows.count - 1)
  }

  private mutating func open(_ value: JSONValue, at steps: [FoldStep], budget: inout Int) {
    guard budget > 0 else { return }
    switch value.kind {
    case .object:
      folds.set(true, at: steps[...])
      for (key, member) in value.members {
        budget -= 1
        open(member, at: steps + [.key(key)], budget: &budget)
      }
    case .array:
      folds.set(true, at: steps[...])
      for (index, item) in value.elements.enumerated() {
        budget -= 1
        if budget <= 0 { return }
        open(item, at: steps + [.index(index)], budget: &budget)
      }
    case .string, .number, .bool, .null: break
    }
  }

  /// Folds the direct children explicitly, because small values are unfolded by default.
  private mutating func close(_ value: JSONValue, at steps: [FoldStep], budget: inout Int) {
    switch value.kind {
    case .object:
      for (key, member) in value.members where member.kind == .object || member.kind == .array {
        folds.set(false, at: (steps + [.key(key)])[...])
      }
    case .array:
      for (index, _) in value.elements.enumerated() {
        budget -= 1
        if budget <= 0 { return }
        folds.set(false, at: (steps + [.index(index)])[...])
      }
    case .string, .number, .bool, .null: break
    }
  }

  /// Unfolds the selected row, or selects its first child if it is unfolded already.
  package mutating func unfoldOrEnter() {
    guard let row = selectedRow, row.isFoldable else { return }
    if !row.isOpen { return setFold(list.selected, isOpen: true) }
    if list.selected + 1 < rows.count, rows[list.selected + 1].depth > row.depth { list.selected += 1 }
  }

  /// Folds the selected row, or selects its parent.
  package mutating func foldOrLeave() {
    guard let row = selectedRow else { return }
    if row.isFoldable && row.isOpen { return setFold(list.selected, isOpen: false) }
    if let parent = rows[..<list.selected].lastIndex(where: { $0.depth < row.depth }) { list.selected = parent }
  }
}

extension FoldTree {
  mutating func removeChildren(at steps: ArraySlice<FoldStep>) {
    guard let step = steps.first else {
      children.removeAll()
      return
    }
    children[step]?.removeChildren(at: steps.dropFirst())
  }
}
