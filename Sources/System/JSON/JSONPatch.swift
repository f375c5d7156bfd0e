/// The reason why a patch cannot be applied to a value.
public enum JSONPatchError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The path does not exist in the value.
  case nothing(at: ResponsePath)
  /// The path enters a scalar, uses a key on a list, or appends to a value that is not a list.
  case wrongKind(at: ResponsePath)

  public var description: String {
    switch self {
    case .nothing(let path): "there is no value at '\(path)'"
    case .wrongKind(let path): "the value at '\(path)' has the wrong type for this change"
    }
  }
}

// Each patch returns a new value that shares all unchanged parts with the old one. Its cost depends on the depth of the
// path, not on the size of the value.
extension JSONValue {
  /// Returns a copy with `value` at `path`: `{"a":[1]}` with 2 at `a.1` is `{"a":[1,2]}`. The last component may be a
  /// new key, or the index just past the end of a list.
  ///
  /// - Throws: `JSONPatchError.nothing` if the path does not exist, `JSONPatchError.wrongKind` if it enters a scalar or
  ///   uses a key on a list.
  public func replacing(at path: ResponsePath, with value: JSONValue) throws(JSONPatchError) -> JSONValue {
    try updating(path, from: 0) { (_) throws(JSONPatchError) in value }
  }

  /// Returns a copy with `other` merged into the value at `path`. Objects merge by key and lists by index, so
  /// `{"a":[1,2]}` and `{"a":[3],"b":4}` are `{"a":[3,2],"b":4}`; other values are replaced, except that null never
  /// replaces an object or a list.
  ///
  /// - Throws: `JSONPatchError`, as `replacing(at:with:)` does.
  public func mergingDeeply(_ other: JSONValue, at path: ResponsePath) throws(JSONPatchError) -> JSONValue {
    try updating(path, from: 0) { (old) throws(JSONPatchError) in old.map { $0.mergedDeeply(with: other) } ?? other }
  }

  /// Adds another object's members: `{"a":1}` with `{"a":2,"b":3}` becomes `{"a":x,"b":y}`, where `combine` returns `x`
  /// from `"a", 1, 2` and `y` from `"b", nil, 3`. A value of another kind counts as an empty object.
  package func mergingMembers(
    of other: JSONValue, _ combine: (_ key: String, _ existing: JSONValue?, _ other: JSONValue) -> JSONValue
  ) -> JSONValue {
    var object = objectContent ?? JSONObjectContent([])
    other.forEachMember { key, value in
      let position = object.position(of: key)
      let name = String(decoding: key, as: UTF8.self)
      let combined = combine(name, position.map { object.value(at: $0) }, value)
      if let position { object.set(position, to: combined) } else { object.add(name, combined) }
      return true
    }
    return JSONValue(storage: .object(JSONObjectStorage(object)))
  }

  /// Returns a copy with `items` appended to the list at `path`.
  ///
  /// - Throws: `JSONPatchError.nothing` if there is no value at `path`, `JSONPatchError.wrongKind` if it is not a list.
  public func appending(_ items: [JSONValue], at path: ResponsePath) throws(JSONPatchError) -> JSONValue {
    try updating(path, from: 0) { (old) throws(JSONPatchError) in
      guard let old else { throw .nothing(at: path) }
      guard var array = old.arrayContent else { throw .wrongKind(at: path) }
      for item in items { array.append(item) }
      return JSONValue(storage: .array(JSONArrayStorage(array)))
    }
  }

  private var arrayContent: JSONArrayContent? {
    switch storage {
    case .array(let storage): storage.content
    case .tape(let document, let place) where document.kind(at: place) == .array:
      JSONArrayContent(document: document, place: place)
    default: nil
    }
  }

  private var objectContent: JSONObjectContent? {
    switch storage {
    case .object(let storage): storage.content
    case .tape(let document, let place) where document.kind(at: place) == .object:
      JSONObjectContent(document: document, place: place)
    default: nil
    }
  }

  /// Longer paths are refused, because they would create values that nest more deeply than other code expects.
  private static let longestPath = JSONDocument.defaultMaximumDepth

  private func updating(
    _ path: ResponsePath, from depth: Int, _ update: (JSONValue?) throws(JSONPatchError) -> JSONValue
  ) throws(JSONPatchError) -> JSONValue {
    guard depth < path.count else { return try update(self) }
    let isLast = depth + 1 == path.count
    let here = { ResponsePath(Array(path.components.prefix(depth + 1))) }
    guard depth < Self.longestPath else { throw .nothing(at: here()) }
    switch path.components[depth] {
    case .key(let key):
      guard var object = objectContent else { throw .wrongKind(at: here()) }
      if let position = key.withBytes({ object.position(of: $0) }) {
        let old = object.value(at: position)
        object.set(position, to: isLast ? try update(old) : try old.updating(path, from: depth + 1, update))
      } else if isLast {
        object.add(key, try update(nil))
      } else {
        throw .nothing(at: here())
      }
      return JSONValue(storage: .object(JSONObjectStorage(object)))
    case .index(let index):
      guard var array = arrayContent else { throw .wrongKind(at: here()) }
      if index >= 0, index < array.count {
        let old = array.value(at: index)
        array.set(index, to: isLast ? try update(old) : try old.updating(path, from: depth + 1, update))
      } else if isLast, index == array.count {
        array.append(try update(nil))
      } else {
        throw .nothing(at: here())
      }
      return JSONValue(storage: .array(JSONArrayStorage(array)))
    }
  }

  private func mergedDeeply(with other: JSONValue) -> JSONValue {
    switch (kind, other.kind) {
    case (.object, .object):
      guard count > 0, var object = objectContent else { return other }
      guard other.count > 0 else { return self }
      other.forEachMember { key, value in
        if let position = object.position(of: key) {
          object.set(position, to: object.value(at: position).mergedDeeply(with: value))
        } else {
          object.add(String(decoding: key, as: UTF8.self), value)
        }
        return true
      }
      return JSONValue(storage: .object(JSONObjectStorage(object)))
    case (.array, .array):
      guard count > 0, var array = arrayContent else { return other }
      guard other.count > 0 else { return self }
      for (index, element) in other.elements.enumerated() {
        if index < array.count {
          array.set(index, to: array.value(at: index).mergedDeeply(with: element))
        } else {
          array.append(element)
        }
      }
      return JSONValue(storage: .array(JSONArrayStorage(array)))
    case (.object, .null), (.array, .null): return self
    default: return other
    }
  }
}
