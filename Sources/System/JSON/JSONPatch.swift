/// Why a patch does not fit the value it was meant for.
public enum JSONPatchError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The path leads through something that is not there.
  case nothing(at: ResponsePath)
  /// The path goes into, or items are appended to, something of another kind.
  case wrongKind(at: ResponsePath)

  public var description: String {
    switch self {
    case .nothing(let path): "there is nothing at '\(path)'"
    case .wrongKind(let path): "what is at '\(path)' cannot be patched so"
    }
  }
}

// Each patch gives a new value that shares with the old one all that the patch did not touch: it costs the depth of the
// path, not the size of the value.
extension JSONValue {
  /// A version with `value` at `path`. The last step may name a member that is new, or the index one past the end.
  public func replacing(at path: ResponsePath, with value: JSONValue) throws(JSONPatchError) -> JSONValue {
    try updating(path, from: 0) { (_) throws(JSONPatchError) in value }
  }

  /// A version with `other` merged into what is at `path`: objects member by member, lists index by index, all else
  /// replaced.
  public func mergingDeeply(_ other: JSONValue, at path: ResponsePath) throws(JSONPatchError) -> JSONValue {
    try updating(path, from: 0) { (old) throws(JSONPatchError) in old.map { $0.mergedDeeply(with: other) } ?? other }
  }

  /// A version with `items` behind the elements of the list at `path`.
  public func appending(_ items: [JSONValue], at path: ResponsePath) throws(JSONPatchError) -> JSONValue {
    try updating(path, from: 0) { (old) throws(JSONPatchError) in
      guard let old else { throw .nothing(at: path) }
      guard var array = old.arrayStorage else { throw .wrongKind(at: path) }
      for item in items { array = array.setting(array.count, to: item) }
      return JSONValue(storage: .array(array))
    }
  }

  private var arrayStorage: JSONArrayStorage? {
    switch storage {
    case .array(let storage): storage
    case .tape(let document, let index) where document.kind(at: index) == .array: JSONArrayStorage(document, index)
    default: nil
    }
  }

  private var objectStorage: JSONObjectStorage? {
    switch storage {
    case .object(let storage): storage
    case .tape(let document, let index) where document.kind(at: index) == .object: JSONObjectStorage(document, index)
    default: nil
    }
  }

  private func updating(
    _ path: ResponsePath, from depth: Int, _ update: (JSONValue?) throws(JSONPatchError) -> JSONValue
  ) throws(JSONPatchError) -> JSONValue {
    guard depth < path.count else { return try update(self) }
    let isLast = depth + 1 == path.count
    let here = { ResponsePath(Array(path.components.prefix(depth + 1))) }
    switch path.components[depth] {
    case .key(let key):
      guard let object = objectStorage else { throw .wrongKind(at: here()) }
      let old = object[key]
      guard old != nil || isLast else { throw .nothing(at: here()) }
      let new = isLast ? try update(old) : try (old ?? .null).updating(path, from: depth + 1, update)
      return JSONValue(storage: .object(object.setting(key, to: new)))
    case .index(let index):
      guard let array = arrayStorage else { throw .wrongKind(at: here()) }
      let old = array[index]
      guard index >= 0, index < array.count + (isLast ? 1 : 0) else { throw .nothing(at: here()) }
      let new = isLast ? try update(old) : try (old ?? .null).updating(path, from: depth + 1, update)
      return JSONValue(storage: .array(array.setting(index, to: new)))
    }
  }

  private func mergedDeeply(with other: JSONValue) -> JSONValue {
    switch (kind, other.kind) {
    case (.object, .object):
      guard count > 0, var object = objectStorage else { return other }
      for (key, value) in other.members {
        object = object.setting(key, to: object[key].map { $0.mergedDeeply(with: value) } ?? value)
      }
      return JSONValue(storage: .object(object))
    case (.array, .array):
      guard count > 0, var array = arrayStorage else { return other }
      for (index, value) in other.elements.enumerated() {
        array = array.setting(index, to: array[index].map { $0.mergedDeeply(with: value) } ?? value)
      }
      return JSONValue(storage: .array(array))
    default: return other
    }
  }
}
