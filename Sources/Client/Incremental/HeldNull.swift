import ApusJSON

/// A null that was removed from the data because its deferred fragment may still bring a value.
struct HeldNull: Sendable {
  /// The path of the field. It follows its object when a list is reordered.
  var path: ResponsePath
  /// The keys of the members after the null, so that it returns to its place.
  let followers: Set<String>

  init(at path: ResponsePath, in data: JSONValue) {
    self.path = path
    let keys = data.value(at: path.parent)?.members.map(\.key) ?? []
    followers = Set(keys.drop { $0 != path.lastKey }.dropFirst())
  }

  /// Returns the null in a list element that moved; `nil` if the element is gone.
  func moved(by moves: ListMoves) -> HeldNull? {
    guard let path = moves.path(of: path) else { return nil }
    var null = self
    null.path = path
    return null
  }

  /// Returns the data with the null; `nil` if its object is gone or has the field.
  func inserted(into data: JSONValue) -> JSONValue? {
    guard let key = path.lastKey, let object = data.value(at: path.parent), object.kind == .object, object[key] == nil
    else { return nil }
    var members = object.members.map { ($0.key, $0.value) }
    members.insert((key, .null), at: members.firstIndex { followers.contains($0.0) } ?? members.count)
    return try? data.replacing(at: path.parent, with: .object(members))
  }
}

extension ResponsePath {
  var parent: ResponsePath { ResponsePath(Array(components.dropLast())) }

  /// Returns the path relative to one above it.
  func below(_ outer: ResponsePath) -> ResponsePath { ResponsePath(Array(components.dropFirst(outer.count))) }

  var lastKey: String? { if case .key(let key)? = components.last { key } else { nil } }
}
