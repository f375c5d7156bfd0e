import ApusJSON

/// References in stored JSON values, known by the paths of their members: `["input", "pins", 0]`.
extension Redactor {
  /// Returns a value without secrets, and the paths of the values that were replaced.
  package func stored(_ value: JSONValue) -> (value: JSONValue, references: [[JSONValue]]) {
    let redacted = json(value, keepsTypes: true, areVariables: true)
    var paths: [[JSONValue]] = []
    if !redacted.isIdentical(to: value) { Self.collect(value, redacted, [], &paths) }
    // A reference of an earlier session remains one.
    paths += replaced(in: redacted, [], isSecret: false, .variables).filter { !paths.contains($0) }
    return (redacted, paths)
  }

  private static func collect(
    _ value: JSONValue, _ redacted: JSONValue, _ path: [JSONValue], _ paths: inout [[JSONValue]]
  ) {
    switch value.kind {
    case .object:
      for (before, after) in zip(value.members, redacted.members) {
        collect(before.value, after.value, path + [JSONValue(after.key)], &paths)
      }
    case .array:
      for (index, pair) in zip(value.elements, redacted.elements).enumerated() {
        collect(pair.0, pair.1, path + [JSONValue(index)], &paths)
      }
    case .string, .number, .bool, .null: if value != redacted { paths.append(path) }
    }
  }

  /// Returns stored variables as text for an editor, with their references.
  ///
  /// - Parameter references: The paths of the references; nil for a file without them, in which each replaced value at a
  ///   place that counts as secret is one.
  package func text(ofStored value: JSONValue, references: [[JSONValue]]?) -> DraftText {
    guard value.count > 0 else { return DraftText() }
    let written = JSONWriter.compact(value)
    let placeholder = DraftText.unusedCharacter(in: written)
    let number = DraftText.unusedCharacter(in: written + String(placeholder))
    let paths = references ?? replaced(in: value, [], isSecret: false, .variables)
    let marked = paths.reduce(value) { value, path in
      Self.replacing(path[...], in: value) { JSONValue(String($0.kind == .number ? number : placeholder)) }
    }
    // The user types a number without quotes.
    let text = JSONWriter.pretty(marked).replacing("\"\(number)\"", with: String(placeholder))
    return DraftText(text, placeholder: placeholder)
  }

  /// Returns the paths of values at places that count as secret which have the form of a replaced value.
  private func replaced(
    in value: JSONValue, _ path: [JSONValue], isSecret: Bool, _ scope: SecretPlaces.Scope
  ) -> [[JSONValue]] {
    switch value.kind {
    case .object:
      value.members.flatMap { key, member in
        let (isMarked, inner) = self.isSecret(key, in: scope)
        return replaced(in: member, path + [JSONValue(key)], isSecret: isSecret || isMarked, inner)
      }
    case .array:
      value.elements.enumerated().flatMap { index, element in
        replaced(in: element, path + [JSONValue(index)], isSecret: isSecret, scope)
      }
    case .string: isSecret && value.string == Self.mark ? [path] : []
    case .number: isSecret && value.double == 0 ? [path] : []
    case .bool, .null: []
    }
  }

  private static func replacing(
    _ path: ArraySlice<JSONValue>, in value: JSONValue, with new: (JSONValue) -> JSONValue
  ) -> JSONValue {
    guard let step = path.first else { return new(value) }
    switch value.kind {
    case .object:
      return .object(
        value.members.map { key, member in
          (key, key == step.string ? replacing(path.dropFirst(), in: member, with: new) : member)
        })
    case .array:
      return .array(
        value.elements.enumerated().map { index, element in
          index == step.int ? replacing(path.dropFirst(), in: element, with: new) : element
        })
    case .string, .number, .bool, .null: return value
    }
  }
}
