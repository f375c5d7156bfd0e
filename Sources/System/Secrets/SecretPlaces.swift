/// The places of a document that a schema marks as secret, each known by its coordinate: `Mutation.login(code:)` or
/// `LoginInput.pin`.
package struct SecretPlaces: Equatable, Sendable {
  /// A variable, or a field of an input object.
  package struct Place: Equatable, Sendable {
    package var isSecret: Bool
    /// The input object that the value has, also in lists; `nil` for other values.
    package var inputObject: String?

    package init(isSecret: Bool, inputObject: String?) {
      self.isSecret = isSecret
      self.inputObject = inputObject
    }
  }

  /// The members that an object of the variables may have.
  enum Scope: Equatable, Sendable {
    case variables
    case inputObject(String)
    /// Members that no schema describes: those of a response, of extensions, and of custom scalars.
    case other
  }

  /// The secret values in the document, as UTF-8 ranges. They do not overlap.
  package var values: [Range<Int>] = []
  /// The variables of the operations by name.
  package var variables: [String: Place] = [:]
  /// The fields of input objects that are secret or lead to one that is.
  package var inputObjects: [String: [String: Place]] = [:]

  package init() {}

  /// Adds the places that another schema marks in the same document.
  mutating func formUnion(_ other: SecretPlaces) {
    values = Self.merged(values + other.values)
    variables.merge(other.variables, uniquingKeysWith: Self.union)
    inputObjects.merge(other.inputObjects) { $0.merging($1, uniquingKeysWith: Self.union) }
  }

  package static func union(_ left: Place, _ right: Place) -> Place {
    Place(isSecret: left.isSecret || right.isSecret, inputObject: left.inputObject ?? right.inputObject)
  }

  /// Returns ranges in ascending order, with those that overlap joined.
  package static func merged(_ ranges: [Range<Int>]) -> [Range<Int>] {
    ranges.sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) { merged, range in
      if let last = merged.last, range.lowerBound < last.upperBound {
        merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
  }

  func place(of name: String, in scope: Scope) -> Place? {
    switch scope {
    case .variables: variables[name]
    case .inputObject(let type): inputObjects[type]?[name]
    case .other: nil
    }
  }
}

extension SecretPlaces.Place? {
  var isSecret: Bool { self?.isSecret ?? false }
  /// The scope of the members of the value.
  var scope: SecretPlaces.Scope { self?.inputObject.map { .inputObject($0) } ?? .other }
}

/// The position of a scan in the text of variables or of a document, for the places that a schema marks.
struct SecretPosition {
  private let places: SecretPlaces
  /// The secret values of the document that the scan has not passed.
  private var values: ArraySlice<Range<Int>>
  /// The enclosing objects and lists of variables: the place of an element, or the scope of members.
  private var outer: [(element: SecretPlaces.Place?, scope: SecretPlaces.Scope)] = []
  /// The place of the value after a colon.
  private var next: SecretPlaces.Place?
  private let isJSON: Bool

  init(_ places: SecretPlaces, isJSON: Bool) {
    self.places = places
    self.isJSON = isJSON
    values = isJSON ? [] : places.values[...]
  }

  /// Whether the token at an offset is part of a secret value of the document.
  mutating func isSecret(at offset: Int) -> Bool {
    while let first = values.first, first.upperBound <= offset { values.removeFirst() }
    return values.first?.contains(offset) ?? false
  }

  /// Continues after the colon that follows a name; returns whether the value of this member is secret.
  mutating func passColon(after name: String?) -> Bool {
    guard isJSON, let name else { return false }
    next = places.place(of: name, in: outer.last?.scope ?? .variables)
    return next.isSecret
  }

  mutating func open(isObject: Bool) {
    guard isJSON else { return }
    let place = next ?? outer.last?.element
    // The outermost object has the variables.
    let scope: SecretPlaces.Scope = outer.isEmpty ? .variables : place.scope
    outer.append(isObject ? (nil, scope) : (place, .other))
    next = nil
  }

  mutating func close() {
    _ = outer.popLast()
    next = nil
  }

  /// Continues after a value or comma.
  mutating func passValue() { next = nil }
}
