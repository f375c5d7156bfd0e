import ApusJSON

/// The part of a response that is written: the values at some paths, without some fields.
struct WriteScope {
  /// Paths that are written; `nil` for all.
  let places: PathFilter?
  /// Fields that are not written; `nil` if there are none.
  let removal: FieldRemoval?

  init(places: PathFilter?, removal: FieldRemoval?) {
    self.places = places?.isWhole == true ? nil : places
    self.removal = removal
  }

  var isEverything: Bool { places == nil && removal == nil }

  /// Returns the scope for a member's value. Outside of the paths, only the keys of objects are written.
  func member(_ key: String) -> WriteScope {
    if isEverything { return self }
    return WriteScope(places: places.map { $0.member(key) ?? .nothing }, removal: removal?.member(key))
  }

  /// Returns the scope for a list item. A list is one value of its record, so all of its items are written.
  func element(_ index: Int) -> WriteScope {
    if isEverything { return self }
    return WriteScope(places: places?.element(index), removal: removal?.element(index))
  }
}

/// Response paths as a tree: `birds.0` and `birds.1.name` have the common root `birds`.
final class PathFilter {
  /// A filter that selects only the keys of objects.
  static var nothing: PathFilter { PathFilter() }

  private(set) var isWhole = false
  private var members: [String: PathFilter] = [:]
  private var elements: [Int: PathFilter] = [:]

  private init() {}

  /// Creates a filter. Returns `nil` if it would select everything.
  init?(_ places: [ResponsePath]?) {
    guard let places else { return nil }
    for place in places { add(place) }
    if isWhole { return nil }
  }

  private func add(_ place: ResponsePath) {
    var node = self
    for component in place.components {
      switch component {
      case .key(let key):
        let next = node.members[key] ?? PathFilter()
        node.members[key] = next
        node = next
      case .index(let index):
        let next = node.elements[index] ?? PathFilter()
        node.elements[index] = next
        node = next
      }
    }
    node.isWhole = true
  }

  /// Returns the filter for a member, or `nil` if nothing in it is written.
  func member(_ key: String) -> PathFilter? { isWhole ? self : members[key] }

  /// Returns the filter for a list item, which is empty if nothing in it is written.
  func element(_ index: Int) -> PathFilter { isWhole ? self : elements[index] ?? PathFilter() }
}
