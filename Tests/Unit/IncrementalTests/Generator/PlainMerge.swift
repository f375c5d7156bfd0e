import ApusJSON

/// A simple merge of a response's payloads into a mutable tree of dictionaries and arrays. It depends neither on the
/// operation nor on the merger with which it is compared.
struct PlainMerge {
  indirect enum Tree: Equatable {
    case leaf(String)
    case list([Tree])
    case object([String: Tree])

    init(_ json: JSONValue) {
      switch json.kind {
      case .array: self = .list(json.elements.map { Tree($0) })
      case .object: self = .object(Dictionary(json.members.map { ($0.key, Tree($0.value)) }) { $1 })
      default: self = .leaf(json.description)
      }
    }

    mutating func change(at path: ArraySlice<PathComponent>, _ change: (inout Tree) -> Void) {
      guard let first = path.first else { return change(&self) }
      switch (self, first) {
      case (.object(var members), .key(let key)):
        guard var member = members[key] else { return }
        member.change(at: path.dropFirst(), change)
        members[key] = member
        self = .object(members)
      case (.list(var elements), .index(let index)) where index < elements.count:
        elements[index].change(at: path.dropFirst(), change)
        self = .list(elements)
      default: break
      }
    }

    /// Returns whether an object was merged with a null.
    @discardableResult
    mutating func merge(_ other: Tree) -> Bool {
      var hasRevived = false
      switch (self, other) {
      case (.object(var members), .object(let more)):
        for (key, value) in more {
          if var member = members[key] {
            if member.merge(value) { hasRevived = true }
            members[key] = member
          } else {
            members[key] = value
          }
        }
        self = .object(members)
      case (.list(var elements), .list(let more)) where elements.count == more.count:
        for index in elements.indices where elements[index].merge(more[index]) { hasRevived = true }
        self = .list(elements)
      case (.object, .leaf("null")), (.list, .leaf("null")): hasRevived = true
      default:
        hasRevived = (self == .leaf("null")) != (other == .leaf("null"))
        if other != .leaf("null") { self = other }
      }
      return hasRevived
    }
  }

  private(set) var data: Tree = .leaf("null")
  /// Whether a payload failed, so that a null stopped at its root.
  private(set) var hasFailures = false
  /// Whether a payload brought an object where an error in another had left a null, or the reverse. In the 2022 format
  /// payloads are independent, and a null does not remove data that arrived.
  private(set) var hasRevivals = false
  private var places: [String: ResponsePath] = [:]

  mutating func receive(_ payload: JSONValue) {
    if let data = payload["data"] { self.data = Tree(data) }
    for notice in list(payload["pending"]) {
      places[notice["id"]?.string ?? ""] = notice["path"].flatMap { ResponsePath($0) }
    }
    for item in list(payload["incremental"]) { receive(item: item) }
    for completion in list(payload["completed"]) where completion["errors"] != nil { hasFailures = true }
  }

  private mutating func receive(item: JSONValue) {
    var path = (item["path"] ?? item["subPath"]).flatMap { ResponsePath($0) }?.components ?? []
    if let place = places[item["id"]?.string ?? ""] { path = place.components + path }
    if let items = item["items"] {
      guard items.kind == .array else { return hasFailures = true }
      // The 2022 format names the first item's index, the v0.2 format the list.
      if item["path"] != nil { path.removeLast() }
      data.change(at: path[...]) { list in
        if case .list(let elements) = list { list = .list(elements + items.elements.map { Tree($0) }) }
      }
    } else if let object = item["data"], !object.isNull {
      data.change(at: path[...]) { if $0.merge(Tree(object)) { hasRevivals = true } }
    } else {
      hasFailures = true
    }
  }

  /// Whether the object or list of an announced entry exists. An id of the entry's own payload counts as present.
  func hasPlace(for item: JSONValue) -> Bool {
    guard let place = places[item["id"]?.string ?? ""] else { return true }
    var tree: Tree? = data
    for component in place.components + (item["subPath"].flatMap { ResponsePath($0) }?.components ?? []) {
      switch (tree, component) {
      case (.object(let members), .key(let key)): tree = members[key]
      case (.list(let elements), .index(let index)): tree = index < elements.count ? elements[index] : nil
      default: return false
      }
    }
    if case .leaf? = tree { return false }
    return tree != nil
  }

  private func list(_ json: JSONValue?) -> [JSONValue] { json?.elements.map { $0 } ?? [] }
}
