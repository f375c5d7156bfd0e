import ApusClientOperation
import ApusJSON

/// The rule for a response value of a kind at a list depth of its field's type (GraphQL specification, sections 3.5 and
/// 6.4.3). The executor, the check on the tape, the normalizer and the cache reader apply the same rules.
///
/// | value | depth | type | rule |
/// |---|---|---|---|
/// | null | any | non-null / nullable | `wrong` / `valid` |
/// | any other | innermost | custom scalar with a check | `custom` |
/// | list | outside the innermost, or the type is unknown | any | `elements` |
/// | list | innermost | any value / other | `valid` / `wrong` |
/// | object | innermost | with selections / any value / other | `selections` / `valid` / `wrong` |
/// | object, scalar | outside the innermost | any | `wrong` |
/// | number | innermost | `Int` / `Float` / `ID` | `whole` / `finite` / `integer` |
/// | scalar | innermost | of this kind / other | `valid` / `wrong` |
package enum ValueRule: Equatable {
  case valid
  case wrong
  /// A list, whose elements are checked at `TypeShape.levelOfElements(at:)`.
  case elements
  /// An object, whose fields are checked.
  case selections
  /// A value for the check of a custom scalar.
  case custom
  /// A number that must fit into `Int`.
  case whole
  /// A number that must be in the range of `Double`.
  case finite
  /// A number that must be written as an integer, of any size.
  case integer

  // A rule has no associated value, and scalars come first: it is applied to each value of a response and of the cache.
  // Patterns, since a synthesized `==` is a call in other modules.
  @inlinable @inline(__always)
  package init(for kind: JSONValue.Kind, _ shape: TypeShape, level: Int, hasSelections: Bool) {
    let isInnermost = level >= Int(shape.listDepth)
    switch kind {
    case .bool, .number, .string: self = isInnermost ? Self.scalar(kind, shape.leaf) : .wrong
    case .null: self = shape.isNonNull(level: level) ? .wrong : .valid
    case .array: self = isInnermost ? Self.list(shape) : .elements
    case .object: self = isInnermost ? Self.object(shape, hasSelections: hasSelections) : .wrong
    }
  }

  @inlinable @inline(__always)
  package static func scalar(_ kind: JSONValue.Kind, _ leaf: TypeShape.Leaf) -> ValueRule {
    switch (leaf, kind) {
    case (.any, _): .valid
    case (.string, .string), (.enumeration, .string), (.id, .string), (.boolean, .bool): .valid
    case (.id, .number): .integer
    case (.float, .number): .finite
    case (.int, .number): .whole
    case (.checked, _): .custom
    case (.string, _), (.enumeration, _), (.id, _), (.boolean, _), (.float, _), (.int, _), (.object, _): .wrong
    }
  }

  @inlinable @inline(__always)
  package static func list(_ shape: TypeShape) -> ValueRule {
    switch shape.leaf {
    case .checked: .custom
    case .any: shape.isKnown ? .valid : .elements
    case .int, .float, .string, .boolean, .id, .enumeration, .object: shape.isKnown ? .wrong : .elements
    }
  }

  @inlinable @inline(__always)
  package static func object(_ shape: TypeShape, hasSelections: Bool) -> ValueRule {
    switch shape.leaf {
    case .checked: .custom
    case .any: hasSelections ? .selections : .valid
    case .int, .float, .string, .boolean, .id, .enumeration, .object:
      hasSelections ? .selections : shape.isKnown ? .wrong : .valid
    }
  }
}
