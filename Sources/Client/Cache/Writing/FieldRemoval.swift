import ApusJSON

/// Takes fields out of a response that must not be kept: those that contradict their operation, and those that an error
/// left without a value.
struct FieldRemoval {
  private(set) var isRemoved = false
  private var members: [String: FieldRemoval] = [:]
  private var elements: [Int: FieldRemoval] = [:]

  private init() {}

  /// The removal of the values at some paths; `nil` when the data as a whole must not be kept.
  init?(of paths: [ResponsePath]) {
    for path in paths {
      guard path.field != nil else { return nil }
      add(path.components[...])
    }
  }

  /// The data without the fields at some paths: what is wrong with an item of a list takes the field that holds the list.
  /// `nil` when the data as a whole must not be kept.
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

  /// The part of the removal that concerns a member, or an item; `nil` when nothing in it is removed.
  func member(_ key: String) -> FieldRemoval? { members[key] }
  func element(_ index: Int) -> FieldRemoval? { elements[index] }

  /// A value without the members that are removed. Lists keep all of their items.
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
  /// The path to the field that the value at this path belongs to: of an item, the field that holds the list; `nil` for the root.
  var field: ResponsePath? {
    components.lastIndex(where: \.isKey).map { ResponsePath(Array(components[...$0])) }
  }
}

extension PathComponent {
  var isKey: Bool { if case .key = self { true } else { false } }
}
