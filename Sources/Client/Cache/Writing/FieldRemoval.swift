import ApusJSON

/// Removes fields from a response that must not be cached, because they contradict the operation or have an error.
struct FieldRemoval {
  private(set) var isRemoved = false
  private var members: [String: FieldRemoval] = [:]
  private var elements: [Int: FieldRemoval] = [:]

  private init() {}

  /// Creates the removal of the values at some paths. Returns `nil` if the data as a whole must not be cached.
  init?(of paths: [ResponsePath]) {
    for path in paths {
      guard path.field != nil else { return nil }
      add(path.components[...])
    }
  }

  /// Returns data without the fields at some paths. A list item cannot be removed alone, so the field that contains the
  /// list is removed. Returns `nil` if the data as a whole must not be cached.
  static func remove(_ paths: [ResponsePath], from data: JSONValue) -> JSONValue? {
    FieldRemoval(of: paths.compactMap { $0.field ?? $0 })?.rest(of: data)
  }

  private mutating func add(_ path: ArraySlice<PathComponent>) {
    switch path.first {
    case nil: isRemoved = true
    case .key(let key): members[key, default: FieldRemoval()].add(path.dropFirst())
    case .index(let index): elements[index, default: FieldRemoval()].add(path.dropFirst())
    }
  }

  /// Returns the removals in a member or list item, or `nil` if there are none.
  func member(_ key: String) -> FieldRemoval? { members[key] }
  func element(_ index: Int) -> FieldRemoval? { elements[index] }

  /// Returns a value without its removed members. Lists keep all of their items.
  func rest(of value: JSONValue) -> JSONValue {
    switch value.kind {
    case .object where !members.isEmpty:
      return .object(
        value.members.compactMap { member in
          guard let removal = members[member.key] else { return (member.key, member.value) }
          return removal.isRemoved ? nil : (member.key, removal.rest(of: member.value))
        })
    case .array where !elements.isEmpty:
      return .array(
        value.elements.enumerated().map { index, element in elements[index]?.rest(of: element) ?? element })
    default: return value
    }
  }
}

extension ResponsePath {
  /// The path of the field that the value belongs to: `birds` for `birds.3`, because a list is one value; `nil` for the
  /// root.
  var field: ResponsePath? {
    components.lastIndex(where: \.isKey).map { ResponsePath(Array(components[...$0])) }
  }
}

extension PathComponent {
  var isKey: Bool { if case .key = self { true } else { false } }
}
