/// The edits of an editor, in groups that are undone together: a typed word is one group, a paste another.
package struct EditorHistory: Equatable, Sendable {
  package enum Kind: String, Equatable, Sendable { case typing, deleting, other }

  /// A replacement with the data to undo and redo it.
  package struct Edit: Equatable, Sendable {
    package var start: TextPosition
    package var removed: String
    package var inserted: String

    package init(start: TextPosition, removed: String, inserted: String) {
      self.start = start
      self.removed = removed
      self.inserted = inserted
    }
  }

  package struct Group: Equatable, Sendable {
    package var kind: Kind
    package var edits: [Edit]
    package var before: Cursors
    package var after: Cursors

    package init(kind: Kind, edits: [Edit], before: Cursors, after: Cursors) {
      self.kind = kind
      self.edits = edits
      self.before = before
      self.after = after
    }
  }

  package private(set) var undone: [Group] = []
  package private(set) var done: [Group] = []
  private var isSealed = true

  package init(done: [Group] = [], undone: [Group] = []) {
    self.done = done
    self.undone = undone
  }

  /// Returns the newest part of the history that fits into a file.
  package func trimmed(groups: Int = 100, bytes: Int = 64 << 10) -> EditorHistory {
    func newest(_ all: [Group]) -> [Group] {
      var room = bytes
      let trimmed = all.suffix(groups).reversed().prefix { group in
        room -= group.edits.reduce(0) { $0 + $1.removed.utf8.count + $1.inserted.utf8.count + 32 }
        return room >= 0
      }
      return trimmed.reversed()
    }
    return EditorHistory(done: newest(done), undone: newest(undone))
  }

  package var canUndo: Bool { !done.isEmpty }
  package var canRedo: Bool { !undone.isEmpty }

  /// Ends the current group.
  mutating func seal() { isSealed = true }

  mutating func record(_ edits: [Edit], kind: Kind, before: Cursors, after: Cursors) {
    undone.removeAll()
    if !isSealed, kind != .other, let last = done.last, last.kind == kind, last.after == before {
      done[done.count - 1].edits.append(contentsOf: edits)
      done[done.count - 1].after = after
    } else {
      done.append(Group(kind: kind, edits: edits, before: before, after: after))
    }
    isSealed = kind == .other
  }

  package var count: Int { done.count }

  /// Makes all groups after the first `count` one group.
  mutating func join(since count: Int) {
    guard done.count > count + 1, count >= 0 else { return isSealed = true }
    let groups = done[count...]
    let edits = groups.flatMap(\.edits)
    let (before, after) = (done[count].before, done[done.count - 1].after)
    done.replaceSubrange(count..., with: [Group(kind: .other, edits: edits, before: before, after: after)])
    isSealed = true
  }

  /// Starts collecting changes at several cursors. Returns the number of groups, and whether the changes may extend the
  /// last one.
  mutating func beginJoining() -> (count: Int, hasMore: Bool) {
    defer { isSealed = true }
    return (done.count, !isSealed)
  }

  /// Makes the changes at several cursors one group. Typing may extend the group of the previous typing.
  mutating func join(_ mark: (count: Int, hasMore: Bool), before: Cursors, after: Cursors) {
    guard done.count > mark.count else { return }
    let groups = done[mark.count...]
    let kind = groups.dropFirst().allSatisfy { $0.kind == groups[mark.count].kind } ? groups[mark.count].kind : .other
    var joined = Group(kind: kind, edits: groups.flatMap(\.edits), before: before, after: after)
    var first = mark.count
    if mark.hasMore, kind != .other, let last = done[..<first].last, last.kind == kind, last.after == before {
      first -= 1
      joined.edits = last.edits + joined.edits
      joined.before = last.before
    }
    done.replaceSubrange(first..., with: [joined])
    isSealed = kind == .other
  }

  mutating func popUndo() -> Group? {
    guard let group = done.popLast() else { return nil }
    undone.append(group)
    isSealed = true
    return group
  }

  mutating func takeRedo() -> Group? {
    guard let group = undone.popLast() else { return nil }
    done.append(group)
    isSealed = true
    return group
  }
}
