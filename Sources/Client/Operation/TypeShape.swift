/// A compact form of a field's type for checking values without following references.
package struct TypeShape: Sendable, Equatable, BitwiseCopyable {
  /// The kind of the innermost value.
  package enum Leaf: UInt8, Sendable, Equatable, BitwiseCopyable {
    /// A custom or unknown type, which accepts any value.
    case any
    case int, float, string, boolean, id, enumeration
    case object
    /// A custom scalar of the application, whose check is in the field.
    case checked
  }

  package let listDepth: UInt8
  /// One bit per wrapper from the outside: set if it is non-null. `[Bird!]` has the bits `10`.
  package let nonNull: UInt32
  package let leaf: Leaf
  /// Whether the type is known from a schema. Otherwise lists may nest in any way.
  package let isKnown: Bool

  /// Whether the application has a check for the type. A pattern, since a synthesized `==` is a call in other modules.
  @inlinable package var isChecked: Bool { if case .checked = leaf { true } else { false } }

  package static let unknown = TypeShape(listDepth: 0, nonNull: 0, leaf: .any, isKnown: false)

  private init(listDepth: UInt8, nonNull: UInt32, leaf: Leaf, isKnown: Bool) {
    self.listDepth = listDepth
    self.nonNull = nonNull
    self.leaf = leaf
    self.isKnown = isKnown
  }

  package init(_ type: CompiledType, isChecked: Bool = false) {
    var depth: UInt8 = 0
    var nonNull: UInt32 = 0
    var current = type
    while true {
      switch current {
      case .nonNull(let inner):
        if depth < 32 { nonNull |= 1 << UInt32(depth) }
        current = inner
      case .list(let inner):
        depth += 1
        current = inner
      case .named(let name, let kind):
        self.init(
          listDepth: depth, nonNull: nonNull, leaf: isChecked ? .checked : TypeShape.leaf(name, kind),
          isKnown: true)
        return
      }
    }
  }

  @inlinable package func isNonNull(level: Int) -> Bool { level < 32 && nonNull >> UInt32(level) & 1 == 1 }

  /// The level of the elements of a list at a level.
  @inlinable package func levelOfElements(at level: Int) -> Int { isKnown ? level + 1 : level }

  private static func leaf(_ name: String, _ kind: NamedTypeKind) -> Leaf {
    switch kind {
    case .object, .abstract: .object
    case .enumeration: .enumeration
    case .scalar:
      switch name {
      case "Int": .int
      case "Float": .float
      case "String": .string
      case "Boolean": .boolean
      case "ID": .id
      default: .any
      }
    }
  }
}
