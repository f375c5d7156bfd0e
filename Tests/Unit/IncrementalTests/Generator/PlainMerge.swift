import ApusJSON

/// The payloads of a response merged in the plainest way: a tree of dictionaries and arrays that is changed in place.
/// It knows neither the operation nor its states, and shares nothing with the merger that it is compared with.
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

    /// Returns whether an object and a null met.
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
        hasRevived = self == .leaf("null") && other != self
        self = other
      }
      return hasRevived
    }
  }

  private(set) var data: Tree = .leaf("null")
  /// Whether a part did not come, so that a null stopped at its edge.
  private(set) var hasFailures = false
  /// Whether a part brought an object where another part's error had left a null, or the other way round: in format A
  /// parts know nothing of one another, and no null takes away what arrived.
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
      // Format A names the first item's index, format B the list.
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

  private func list(_ json: JSONValue?) -> [JSONValue] { json?.elements.map { $0 } ?? [] }
}
