import ApusClientAPI
import ApusClientOperation
import ApusJSON

/// Following list elements that a payload moved, and finding fields that one removed.
extension DeferralTracker {
  /// Moves the fragments in list elements that a payload moved, and drops those in elements that are gone.
  mutating func follow(_ moves: ListMoves, replacements: [ResponsePath], data: JSONValue) {
    self.data = data
    if !moves.isEmpty { follow(moves) }
    for path in replacements {
      guard let (node, levels) = locate(path), let value = data.value(at: path) else { continue }
      discover(node, value: value, path: path.components, levels: levels)
    }
  }

  private mutating func follow(_ moves: ListMoves) {
    var moved = self.moved ?? MovedPlaces(instances, streams)
    // With two owners, a change would copy all places.
    self.moved = nil
    // The nulls of a fragment may be in a list inside its object.
    let outer = Set(moves.lists.flatMap { $0.outerPaths }).flatMap { indexes[$0] ?? [] }
    for index in outer where held[index] != nil { held[index] = held[index]?.compactMap { $0.moved(by: moves) } }
    var places: [(index: Int, path: ResponsePath)] = []
    for index in moved.fragments.numbers(in: moves.lists) {
      let former = instances[index].path
      let path = moves.path(of: former)
      guard path != former else { continue }
      indexes[former]?.removeAll { $0 == index }
      moved.fragments.remove(index, at: former)
      if let path { places.append((index, path)) } else { drop(index) }
      held[index] = held[index]?.compactMap { $0.moved(by: moves) }
    }
    for (index, path) in places {
      instances[index].path = path
      fragments[index] = fragments[index].moved(to: path)
      indexes[path, default: []].append(index)
      indexes[path]?.sort()
      moved.fragments.insert(index, at: path)
    }
    followStreams(moves, &moved)
    self.moved = moved
  }

  /// Hides a fragment whose list element is gone.
  private mutating func drop(_ index: Int) {
    let (origin, field) = (instances[index].origin, instances[index].plan.fragment.deferredField)
    removedPlaces.insert(
      Location(path: field.map { origin.appending(.key($0)) } ?? origin, label: fragments[index].label))
    gone.insert(index)
    fulfilled.removeAll { $0 == index }
    fragments[index] = fragments[index].withState(.notExecuted, after: elapsed)
  }

  /// The streams whose list element is not gone.
  var shownStreams: [StreamedList] {
    goneStreams.isEmpty ? streams : streams.indices.filter { !goneStreams.contains($0) }.map { streams[$0] }
  }

  private mutating func followStreams(_ moves: ListMoves, _ moved: inout MovedPlaces) {
    var places: [(index: Int, path: ResponsePath?)] = []
    for index in moved.streams.numbers(in: moves.lists) {
      let former = streams[index].path
      let path = moves.path(of: former)
      guard path != former else { continue }
      streamIndexes[former] = nil
      moved.streams.remove(index, at: former)
      places.append((index, path))
    }
    for (index, path) in places {
      guard let path else {
        streams[index].state = .notExecuted
        goneStreams.insert(index)
        continue
      }
      streams[index] = streams[index].moved(to: path)
      streamIndexes[path] = index
      moved.streams.insert(index, at: path)
    }
  }

  /// Returns the present path for one that the server sent, which counts as before elements moved; `nil` if its element
  /// is gone.
  func presentPath(of path: ResponsePath, label: String?) -> ResponsePath? {
    guard let moved else { return path }
    let index = moved.origins[path]?.first { index in
      fragments[index].state.isPending && (fragments[index].label == label || label == nil && !sendsLabels)
    }
    if let index { return instances[index].path }
    if let key = path.lastKey, let index = moved.origins[path.parent]?.first(where: { isOpenField($0, key) }) {
      return instances[index].path.appending(.key(key))
    }
    if let stream = moved.streamOrigins[path] {
      return goneStreams.contains(stream) ? nil : streams[stream].path
    }
    if let stream = moved.streamOrigins[path.parent], let item = path.components.last {
      return goneStreams.contains(stream) ? nil : streams[stream].path.appending(item)
    }
    return removedPlaces.contains(Location(path: path, label: label)) ? nil : path
  }

  /// Whether a fragment is a pending field with its own `@defer`.
  private func isOpenField(_ index: Int, _ key: String) -> Bool {
    fragments[index].state.isPending && instances[index].plan.fragment.deferredField == key
  }

  /// Whether a value lacks a field that the initial result or an arrived fragment selects.
  func lacksFields(at path: ResponsePath) -> Bool {
    guard let (node, levels) = locate(path), let value = data.value(at: path) else { return false }
    return lacksFields(value, node, path: path.components, levels: levels)
  }

  /// Returns the items of a streamed list that lack fields of a fragment around the list, which arrived with fewer items.
  func itemsLackingFields(of list: ResponsePath, indexes items: Range<Int>) -> [ResponsePath] {
    let hasArrived = list.outerPaths.contains { path in
      indexes[path]?.contains { instances[$0].plan.isDeferred && fragments[$0].state == .fulfilled } == true
    }
    guard hasArrived, let (node, levels) = locate(list), let value = data.value(at: list) else { return [] }
    return items.compactMap { index in
      let path = list.appending(.index(index))
      guard let item = value[index],
        lacksFields(item, node, path: path.components, levels: levels, isItem: true)
      else { return nil }
      return path
    }
  }

  /// `isItem` ignores fields that no fragment defers, which the server left out.
  private func lacksFields(
    _ value: JSONValue, _ node: PlanNode, path: [PathComponent], levels: [Int], isItem: Bool = false
  ) -> Bool {
    switch value.kind {
    case .array:
      return value.elements.enumerated().contains { index, element in
        lacksFields(element, node, path: path + [.index(index)], levels: levels, isItem: isItem)
      }
    case .object:
      let levels = levels + [path.count]
      return node.fields(of: value).fields.contains { field in
        guard field.isRequired,
          field.usages.isEmpty || field.usages.contains(where: { isOpen($0, path: path, levels: levels) })
        else { return false }
        guard let member = value[field.responseKey] else { return !isItem || !field.usages.isEmpty }
        guard let child = field.child else { return false }
        return lacksFields(
          member, child, path: path + [.key(field.responseKey)], levels: levels, isItem: isItem)
      }
    case .null, .bool, .number, .string: return false
    }
  }

  /// The fragments that arrived and lack a field now, with the paths of their objects.
  var incompleteFragments: [(index: Int, path: ResponsePath)] {
    fragments.indices.compactMap { index in
      let path = instances[index].path
      guard fragments[index].state == .fulfilled,
        !isDelivered(instances[index], value: data.value(at: path) ?? .null)
      else { return nil }
      return (index, path)
    }
  }
}

/// The places of fragments and streams, kept from the first time that list elements move.
struct MovedPlaces: Sendable {
  /// The fragments by the path that the server uses.
  var origins: [ResponsePath: [Int]]
  /// The streams by the path that the server uses.
  var streamOrigins: [ResponsePath: Int]
  /// The fragments and streams inside lists.
  var fragments, streams: ListMembers

  init(_ instances: [DeferralTracker.Instance], _ streams: [StreamedList]) {
    origins = Dictionary(grouping: instances.indices) { instances[$0].origin }
    streamOrigins = Dictionary(streams.enumerated().map { ($1.path, $0) }) { first, _ in first }
    fragments = ListMembers(instances.lazy.map(\.path).enumerated())
    self.streams = ListMembers(streams.lazy.map(\.path).enumerated())
  }
}
