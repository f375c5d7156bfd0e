import ApusJSON

/// Takes fields out of a response that must not be kept: those that contradict their operation, and those that an error
/// left without a value.
struct FieldRemoval {
  private var isRemoved = false
  private var members: [String: FieldRemoval] = [:]
  private var elements: [Int: FieldRemoval] = [:]

  private init() {}

  /// The data without the fields at some paths: what is wrong with an item of a list takes the field that holds the list.
  /// `nil` when the data as a whole must not be kept.
  static func remove(_ paths: [ResponsePath], from data: JSONValue) -> JSONValue? {
    guard !paths.isEmpty else { return data }
    var removal = FieldRemoval()
    for path in paths {
      guard let end = path.components.lastIndex(where: \.isKey) else { return nil }
      removal.add(path.components[...end])
    }
    return removal.rest(of: data)
  }

  private mutating func add(_ path: ArraySlice<PathComponent>) {
    switch path.first {
    case nil: isRemoved = true
    case .key(let key): members[key, default: FieldRemoval()].add(path.dropFirst())
    case .index(let index): elements[index, default: FieldRemoval()].add(path.dropFirst())
    }
  }

  private func rest(of value: JSONValue) -> JSONValue {
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

extension PathComponent {
  var isKey: Bool { if case .key = self { true } else { false } }
}
