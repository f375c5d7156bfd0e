import ApusJSON

/// Values by response path, found from paths above and below their own. A search costs the length of the path.
struct PathIndex<Value> {
  private var values: [ResponsePath: Value] = [:]
  /// The first value at or below each path.
  private var inner: [ResponsePath: Value] = [:]

  var isEmpty: Bool { values.isEmpty }

  mutating func insert(_ value: Value, at path: ResponsePath) {
    if values[path] == nil { values[path] = value }
    for outer in path.outerPaths where inner[outer] == nil { inner[outer] = value }
  }

  /// Returns the value at a path or the closest one above it.
  func value(atOrAbove path: ResponsePath) -> Value? {
    path.outerPaths.reversed().lazy.compactMap { values[$0] }.first
  }

  /// Returns a value at, above or below a path.
  func value(relatedTo path: ResponsePath) -> Value? { value(atOrAbove: path) ?? inner[path] }
}

extension ResponsePath {
  /// The path and all paths above it, the root first.
  var outerPaths: [ResponsePath] {
    (0...components.count).map { ResponsePath(Array(components.prefix($0))) }
  }
}
