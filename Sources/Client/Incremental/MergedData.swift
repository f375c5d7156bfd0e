import ApusJSON

/// The data of a response as it grows, and the paths that the current payload changed.
///
/// An edit that throws changes nothing.
struct MergedData: Sendable {
  /// `nil` if the response has no `data` entry; JSON null if it is null.
  private(set) var value: JSONValue?
  private(set) var changes: [ResponsePath] = []

  /// Starts the next payload.
  mutating func begin() { changes = [] }

  mutating func begin(with value: JSONValue?) {
    self.value = value
    changes = [.root]
  }

  /// Merges an object into the object at a path.
  mutating func merge(_ object: JSONValue, at path: ResponsePath) throws(IncrementalError) {
    guard let current = value, let target = current.value(at: path), target.kind == .object, object.kind == .object
    else { throw .noPlace(path) }
    do {
      value = try current.mergingDeeply(object, at: path)
    } catch {
      throw .noPlace(path)
    }
    noteChanges(from: target, to: object, path: path.components)
  }

  /// Appends items to a list, and merges items whose index exists with the current elements. Returns the indexes of all
  /// of them.
  mutating func append(
    _ items: [JSONValue], to path: ResponsePath, at index: Int?
  ) throws(IncrementalError) -> Range<Int> {
    guard var current = value, let list = current.value(at: path), list.kind == .array else { throw .noPlace(path) }
    let first = index ?? list.count
    guard first >= 0, first <= list.count else {
      throw .noPlace(ResponsePath(path.components + [.index(first)]))
    }
    let place = { (offset: Int) in path.components + [.index(first + offset)] }
    let existing = min(items.count, list.count - first)
    do {
      for (offset, item) in items.prefix(existing).enumerated() {
        current = try current.mergingDeeply(item, at: ResponsePath(place(offset)))
      }
      if items.count > existing { current = try current.appending(Array(items.dropFirst(existing)), at: path) }
    } catch {
      throw .noPlace(path)
    }
    value = current
    for (offset, item) in items.prefix(existing).enumerated() {
      if let present = list[first + offset] { noteChanges(from: present, to: item, path: place(offset)) }
    }
    for offset in existing..<max(existing, items.count) { changes.append(ResponsePath(place(offset))) }
    return first..<(first + items.count)
  }

  mutating func remove(_ paths: [ResponsePath]) {
    for path in paths {
      guard case .key(let key)? = path.components.last else { continue }
      let parent = ResponsePath(Array(path.components.dropLast()))
      guard let object = value?.value(at: parent), object.kind == .object else { continue }
      let rest = JSONValue.object(object.members.filter { $0.key != key }.map { ($0.key, $0.value) })
      value = (try? value?.replacing(at: parent, with: rest)) ?? value
    }
    changes.removeAll { paths.contains($0) }
  }

  /// Records the outermost paths that differ, such as a new member or a changed scalar.
  private mutating func noteChanges(from old: JSONValue, to new: JSONValue, path: [PathComponent]) {
    switch (old.kind, new.kind) {
    case (.object, .object):
      for (key, value) in new.members { noteChange(from: old[key], to: value, path: path + [.key(key)]) }
    case (.array, .array):
      for (index, value) in new.elements.enumerated() {
        noteChange(from: old[index], to: value, path: path + [.index(index)])
      }
    // Payloads of the 2022 format are independent: a null caused by an error in one does not remove data of another.
    case (.object, .null), (.array, .null): break
    default:
      if old != new { changes.append(ResponsePath(path)) }
    }
  }

  private mutating func noteChange(from old: JSONValue?, to new: JSONValue, path: [PathComponent]) {
    if let old {
      noteChanges(from: old, to: new, path: path)
    } else {
      changes.append(ResponsePath(path))
    }
  }
}
