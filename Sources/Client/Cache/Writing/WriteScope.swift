import ApusJSON

/// The part of a response that is written: some places of it, without some fields.
struct WriteScope {
  /// `nil` for all places.
  let places: PathFilter?
  /// `nil` where no field is removed.
  let removal: FieldRemoval?

  init(places: PathFilter?, removal: FieldRemoval?) {
    self.places = places?.isWhole == true ? nil : places
    self.removal = removal
  }

  static var everything: WriteScope { WriteScope(places: nil, removal: nil) }

  var isEverything: Bool { places == nil && removal == nil }

  /// The part of a member's value. Of one in no place only the keys of its objects are written.
  func member(_ key: String) -> WriteScope {
    if isEverything { return self }
    return WriteScope(places: places.map { $0.member(key) ?? .nothing }, removal: removal?.member(key))
  }

  /// The part of a list's item. A list is one value of its record, so that all of its items are written.
  func element(_ index: Int) -> WriteScope {
    if isEverything { return self }
    return WriteScope(places: places?.element(index), removal: removal?.element(index))
  }
}

/// Places of a response, as a tree.
final class PathFilter {
  /// A filter for objects with keys of which the key alone is written.
  static var nothing: PathFilter { PathFilter() }

  private(set) var isWhole = false
  private var members: [String: PathFilter] = [:]
  private var elements: [Int: PathFilter] = [:]

  private init() {}

  /// `nil` means everything.
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

  /// The part of a member; `nil` when nothing of it is to be written.
  func member(_ key: String) -> PathFilter? { isWhole ? self : members[key] }

  /// The part of a list's item; an item of which nothing is to be written has an empty one.
  func element(_ index: Int) -> PathFilter { isWhole ? self : elements[index] ?? PathFilter() }
}
