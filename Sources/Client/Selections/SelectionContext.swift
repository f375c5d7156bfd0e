import ApusClientAPI
import ApusJSON

/// The input of a selection: mock values for collecting fields, or a value of a response.
enum SelectionContext {
  case collecting(SelectionCollector)
  case decoding(DecodingContext)

  var isNull: Bool { if case .decoding(let place) = self { place.json.isNull } else { false } }

  var path: ResponsePath { if case .decoding(let place) = self { place.path } else { .root } }

  /// Returns the contexts of a list's elements; a single one while collecting.
  func elements() throws -> [SelectionContext] {
    guard case .decoding(let place) = self else { return [self] }
    guard place.json.kind == .array else {
      throw SelectionError.wrongValue(
        path: place.path, expected: "list", reason: "\(LeafValueError(found: place.json))")
    }
    return place.json.elements.enumerated().map { index, json in
      .decoding(DecodingContext(json, place.selection, parent: place, component: .index(index), place.states))
    }
  }
}

/// A value of a response, with its selection and its parent.
final class DecodingContext {
  let json: JSONValue
  let selection: CollectedSelection
  let states: DeferredStateLookup
  private let parent: DecodingContext?
  private let component: PathComponent?
  /// Closures request fields in a fixed order, so the search for a field starts after the last one.
  private var expected = 0

  init(
    _ json: JSONValue, _ selection: CollectedSelection, parent: DecodingContext?, component: PathComponent?,
    _ states: DeferredStateLookup
  ) {
    self.json = json
    self.selection = selection
    self.parent = parent
    self.component = component
    self.states = states
  }

  var path: ResponsePath {
    var components: [PathComponent] = []
    var place: DecodingContext? = self
    while let current = place {
      if let component = current.component { components.append(component) }
      place = current.parent
    }
    return ResponsePath(components.reversed())
  }

  /// Returns the value of a leaf and its response path.
  func value(of name: String, _ arguments: [Argument]) throws -> (JSONValue, ResponsePath) {
    if name == "__typename", let typename = json["__typename"] { return (typename, .root) }
    let field = try field(name, arguments)
    return (json[field.responseKey] ?? .null, path.appending(.key(field.responseKey)))
  }

  func child(of name: String, _ arguments: [Argument]) throws -> DecodingContext {
    let field = try field(name, arguments)
    guard let inner = field.selection else { throw dependence(name) }
    return DecodingContext(
      json[field.responseKey] ?? .null, inner, parent: self, component: .key(field.responseKey), states)
  }

  func fragment(on typeName: String) -> DecodingContext? {
    selection.fragments.first { $0.label == nil && $0.selection.typeName == typeName }.map(inside)
  }

  func deferred(_ typeName: String, _ label: String) -> (DecodingContext, DeferredState)? {
    guard let fragment = selection.fragments.first(where: { $0.label == label && $0.selection.typeName == typeName })
    else { return nil }
    return (inside(fragment), states.state(of: fragment, at: self))
  }

  /// Returns the context of a fragment on the same object.
  private func inside(_ fragment: CollectedFragment) -> DecodingContext {
    DecodingContext(json, fragment.selection, parent: self, component: nil, states)
  }

  private func field(_ name: String, _ arguments: [Argument]) throws -> CollectedField {
    let fields = selection.fields
    for offset in 0..<fields.count {
      let index = (expected + offset) % fields.count
      if fields[index].isSame(name, arguments) {
        expected = index + 1
        return fields[index]
      }
    }
    throw dependence(name)
  }

  private func dependence(_ name: String) -> SelectionError {
    .dependsOnData(type: selection.typeName, field: name)
  }
}

/// The states of a result's deferred fragments by label and path.
struct DeferredStateLookup: Sendable {
  private struct Key: Hashable {
    let label: String
    let path: ResponsePath
  }

  private var states: [Key: DeferredState] = [:]

  init(_ fragments: [DeferredFragment]) {
    for fragment in fragments {
      guard let label = fragment.label else { continue }
      states[Key(label: label, path: fragment.path)] = fragment.state
    }
  }

  /// Returns the state of a fragment. If the server did not announce it, its fields decide.
  func state(of fragment: CollectedFragment, at place: DecodingContext) -> DeferredState {
    if let state = states[Key(label: fragment.sentLabel, path: place.path)] { return state }
    let isThere = fragment.selection.fields.allSatisfy { place.json[$0.responseKey] != nil }
    return isThere ? .fulfilled : .notExecuted
  }
}
